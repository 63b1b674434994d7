import { Tabs } from 'radix-ui'
import { useEffect, useState } from 'react'
import type { ToolSnippet } from '../../../core/contract/views'
import { call } from '../../app/client'
import { CopyButton } from '../../app/copy'
import { fromAnswer, type Loadable, loading, NONE, valueOr } from '../../app/loadable'
import { usePushed } from '../../app/pushed'
import { CodeBlock } from '../../ui/code-block'
import { Field } from '../../ui/field'
import { Waiting } from '../../ui/waiting'
import { NextButton, StepFrame } from './wizard'
import { useWizard } from './wizard-state'

const TYPING_PAUSE_MS = 200

function useSnippets(model: string, keyId: string | undefined): Loadable<readonly ToolSnippet[]> {
  const [snippets, setSnippets] = useState<Loadable<readonly ToolSnippet[]>>(loading)
  useEffect(() => {
    let current = true
    const timer = setTimeout(async () => {
      const answer = await call('tools:snippets', { model, ...(keyId === undefined ? {} : { keyId }) })
      if (current) setSnippets(fromAnswer(answer))
    }, TYPING_PAUSE_MS)
    return () => {
      current = false
      clearTimeout(timer)
    }
  }, [model, keyId])
  return snippets
}

export function StepTool() {
  const model = useWizard(({ model }) => model)
  const keyId = usePushed(({ keys }) => valueOr(keys, NONE).find(({ copyable }) => copyable)?.id)
  const snippets = useSnippets(model, keyId)
  return (
    <StepFrame
      step="tool"
      intro="Copy the settings for your tool and paste them where they belong. Breakwater does not touch a tool's files itself."
      primary={<NextButton step="tool" />}
    >
      <Field label="Model" help="provider/model. The tool asks for it by this name.">
        {(wiring) => (
          <input
            className="input input--mono"
            {...wiring}
            value={model}
            maxLength={200}
            spellCheck={false}
            onChange={(event) => useWizard.setState({ model: event.target.value })}
          />
        )}
      </Field>
      {snippets.at === 'loading' && <Waiting forWhat="the settings of your tools" bars={5} />}
      {snippets.at === 'failed' && <p className="muted">{snippets.error.message}</p>}
      {snippets.at === 'ready' && <Snippets snippets={snippets.value} model={model} keyId={keyId} />}
    </StepFrame>
  )
}

interface SnippetsProps {
  readonly snippets: readonly ToolSnippet[]
  readonly model: string
  readonly keyId: string | undefined
}

function Snippets({ snippets, model, keyId }: SnippetsProps) {
  const first = snippets[0]
  if (first === undefined) return null
  return (
    <Tabs.Root defaultValue={first.tool} className="stack">
      <Tabs.List className="tabs__list" aria-label="Tool">
        {snippets.map(({ tool, label }) => (
          <Tabs.Trigger key={tool} value={tool} className="tabs__tab">
            {label}
          </Tabs.Trigger>
        ))}
      </Tabs.List>
      {snippets.map(({ tool, label, where, text, note }) => (
        <Tabs.Content key={tool} value={tool} className="stack snippet">
          <div className="line">
            <span className="grow truncate muted">
              {where === 'shell' ? (
                'In a shell'
              ) : (
                <>
                  In <code>{where}</code>
                </>
              )}
            </span>
            <CopyButton
              small
              what={{ what: 'snippet', tool, model, ...(keyId === undefined ? {} : { keyId }) }}
              label="Copy"
            />
          </div>
          <CodeBlock label={`Settings for ${label}`} text={text} />
          {note !== '' && <p className="small muted">{note}</p>}
        </Tabs.Content>
      ))}
      <p className="small muted">
        {keyId === undefined
          ? 'No key can be copied in this run, so the copied text keeps a gap for it. Make one in step 1.'
          : 'The key is masked here. The copied text has the whole key in it.'}
      </p>
    </Tabs.Root>
  )
}
