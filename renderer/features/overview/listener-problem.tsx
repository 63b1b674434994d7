import { useState } from 'react'
import { SETTINGS } from '../../../core/contract/settings'
import type { GatewayStatus, SettingView } from '../../../core/contract/views'
import { call } from '../../app/client'
import type { ListenerWords, WayOut } from '../../app/describe-listener'
import { ready } from '../../app/loadable'
import { setPushed } from '../../app/pushed'
import { navigate, useUi } from '../../app/ui-state'
import { Button } from '../../ui/button'
import { Callout } from '../../ui/callout'
import { FieldError } from '../../ui/field'
import { isFixed, sourceWords } from '../settings/setting-words'

const LABELS: Readonly<Record<WayOut['kind'], (way: WayOut) => string>> = {
  retry: () => 'Try again',
  'use-port': (way) => (way.kind === 'use-port' ? `Use port ${way.port}` : ''),
  'change-port': () => 'Choose another port',
  'open-data-folder': () => 'Open the data folder',
  quit: () => 'Quit',
}

/** Why the gateway cannot be reached, and every way out of it, where the person is looking. */
export function ListenerProblem({ words }: { readonly words: ListenerWords }) {
  const [busy, setBusy] = useState<WayOut['kind'] | null>(null)
  const [error, setError] = useState<string | null>(null)

  const take = async (way: WayOut) => {
    setError(null)
    if (way.kind === 'change-port') {
      useUi.setState({ wizard: 'closed' })
      return navigate('settings')
    }
    setBusy(way.kind)
    setError(await perform(way))
    setBusy(null)
  }

  return (
    <Callout
      tone={words.tone}
      shape={words.shape}
      title={words.title}
      actions={
        words.actions.length > 0 &&
        words.actions.map((way, at) => (
          <Button
            key={way.kind}
            look={at === 0 ? 'primary' : 'default'}
            disabled={busy !== null}
            onClick={() => void take(way)}
          >
            {busy === way.kind && way.kind === 'retry' ? 'Trying…' : LABELS[way.kind](way)}
          </Button>
        ))
      }
    >
      <p>{words.fact}</p>
      {words.wayOut !== '' && <p>{words.wayOut}</p>}
      {error !== null && <FieldError message={error} />}
    </Callout>
  )
}

/** Null when it went well, otherwise why not. */
async function perform(way: WayOut): Promise<string | null> {
  switch (way.kind) {
    case 'retry': {
      const answer = await call('gateway:retry')
      return answer.ok ? adopt(answer.value) : answer.error.message
    }
    case 'use-port': {
      const changed = await call('settings:change', { key: 'listenPort', value: way.port })
      if (!changed.ok) return changed.error.message
      setPushed({ settings: ready(changed.value) })
      return overruled(changed.value)
    }
    case 'open-data-folder': {
      const answer = await call('app:open-data-folder')
      return answer.ok ? null : answer.error.message
    }
    case 'quit': {
      const answer = await call('app:quit')
      return answer.ok ? null : answer.error.message
    }
    case 'change-port':
      return null
  }
}

function adopt(status: GatewayStatus): null {
  setPushed({ gateway: ready(status) })
  return null
}

/** Stored, but not felt: a variable or a flag wins over what is stored. */
function overruled(settings: readonly SettingView[]): string | null {
  const port = settings.find(({ key }) => key === 'listenPort')
  if (port === undefined || !isFixed(SETTINGS.listenPort, port)) return null
  return `The port is ${sourceWords(SETTINGS.listenPort, port).replace(/^Set/, 'set')}, which wins over what is stored here. Change it there and start Breakwater again.`
}
