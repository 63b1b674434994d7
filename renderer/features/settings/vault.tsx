import { useState } from 'react'
import type { VaultView } from '../../../core/contract/views'
import { call } from '../../app/client'
import { ready, valueOr } from '../../app/loadable'
import { setPushed, usePushed } from '../../app/pushed'
import { Button } from '../../ui/button'
import { Callout } from '../../ui/callout'
import { Card } from '../../ui/card'
import { FieldError } from '../../ui/field'
import { type Shape, StateShape, type Tone } from '../../ui/state-shape'

type Choice = VaultView['choices'][number]

const CHOICE_LABELS: Readonly<Record<Choice, string>> = {
  file: 'Keep keys in a file',
  memory: 'Keep keys until quitting',
}
const CHOICE_WORDS: Readonly<Record<Choice, string>> = {
  file: 'In a file: the keys are still there after a restart. They are sealed with a key file that only your user may read; whoever can read your files can open it.',
  memory: 'Until quitting: nothing is written. You enter the keys again after each start.',
}
const KIND_LOOKS: Readonly<Record<VaultView['kind'], { shape: Shape; tone: Tone; title: string }>> = {
  os: { shape: 'check', tone: 'ok', title: "Keys are kept by the system's key store" },
  file: { shape: 'triangle', tone: 'warn', title: 'Keys are kept in a file' },
  memory: { shape: 'clock', tone: 'warn', title: 'Keys are kept until quitting' },
  none: { shape: 'square', tone: 'warn', title: 'Keys cannot be saved yet' },
}

function useChoose(): { busy: boolean; error: string | null; choose: (kind: Choice) => void } {
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const choose = async (kind: Choice) => {
    setBusy(true)
    setError(null)
    const answer = await call('vault:choose', { kind })
    setBusy(false)
    if (!answer.ok) return setError(answer.error.message)
    const status = valueOr(usePushed.getState().gateway, null)
    if (status !== null) setPushed({ gateway: ready({ ...status, vault: answer.value }) })
  }
  return { busy, error, choose: (kind) => void choose(kind) }
}

function Choices({ choices }: { readonly choices: readonly Choice[] }) {
  const { busy, error, choose } = useChoose()
  return (
    <>
      {choices.map((choice) => (
        <p key={choice} className="small muted">
          {CHOICE_WORDS[choice]}
        </p>
      ))}
      {error !== null && <FieldError message={error} />}
      {choices.length > 0 && (
        <div className="callout__actions">
          {choices.map((choice) => (
            <Button key={choice} small disabled={busy} onClick={() => choose(choice)}>
              {CHOICE_LABELS[choice]}
            </Button>
          ))}
        </div>
      )}
    </>
  )
}

/** Above the key field: nothing where the system protects keys, the plain truth and the choice elsewhere. */
export function VaultChoice() {
  const vault = usePushed(({ gateway }) => valueOr(gateway, null)?.vault ?? null)
  if (vault === null || vault.kind === 'os') return null
  const look = KIND_LOOKS[vault.kind]
  if (vault.kind !== 'none')
    return (
      <p className="small muted vault-note">
        <span className={`state state--${look.tone}`}>
          <StateShape shape={look.shape} size={14} />
        </span>
        <span>{vault.message}</span>
      </p>
    )
  return (
    <Callout tone={look.tone} shape={look.shape} title="Choose where keys are kept">
      <p>{vault.message}</p>
      <Choices choices={vault.choices} />
    </Callout>
  )
}

/** The settings' section: what protects the keys now, and what may be chosen instead. */
export function VaultCard() {
  const vault = usePushed(({ gateway }) => valueOr(gateway, null)?.vault ?? null)
  if (vault === null) return null
  const look = KIND_LOOKS[vault.kind]
  return (
    <Card title="Key storage">
      <div className="card__body stack">
        <div className="stack stack--tight">
          <span className={`state state--${look.tone}`}>
            <StateShape shape={look.shape} />
            {look.title}
          </span>
          <p className="muted">{vault.message}</p>
        </div>
        {vault.choices.some((choice) => choice !== vault.kind) && (
          <div className="stack stack--tight">
            <Choices choices={vault.choices.filter((choice) => choice !== vault.kind)} />
          </div>
        )}
      </div>
    </Card>
  )
}
