import type { ProviderView } from '../../../core/contract/views'
import { dialectWords } from '../../app/request-words'
import { sentence } from '../../app/sentence'
import { Button } from '../../ui/button'
import { PageLink } from './connection-form'
import { customDialect } from './draft'

interface ChosenProps {
  /** null: an endpoint that is not added yet. */
  readonly provider: ProviderView | null
  readonly chosen: string
  readonly onChange: () => void
}

/** What was chosen, what to know of it, and the way back to the list. */
export function ChosenProvider({ provider, chosen, onChange }: ChosenProps) {
  const dialect = customDialect(chosen)
  const label = provider?.label ?? 'Custom endpoint'
  const speaks = provider === null ? (dialect === null ? '' : dialectWords(dialect)) : speaksWords(provider)
  return (
    <section className="chosen" aria-label="Provider">
      <div className="line">
        <strong className="truncate">{label}</strong>
        {provider !== null && <code className="grow muted truncate">{provider.id}</code>}
        {provider === null && <span className="grow" />}
        <Button small aria-label="Change provider" onClick={onChange}>
          Change
        </Button>
      </div>
      {speaks !== '' && <p className="small muted">Speaks {speaks}.</p>}
      {provider !== null && provider.freeTier !== null && (
        <p className="small">
          <span className="tag tag--ok">Free tier</span> {sentence(provider.freeTier)}
        </p>
      )}
      {provider !== null && provider.note !== null && <p className="small">{sentence(provider.note)}</p>}
      {provider !== null && <Links provider={provider} />}
    </section>
  )
}

const speaksWords = ({ dialects }: ProviderView): string => dialects.map(dialectWords).join(', ')

function Links({ provider: { docsUrl, needsKey, signIn, source } }: { readonly provider: ProviderView }) {
  const takesKey = needsKey && signIn === null
  return (
    <div className="chosen__links small">
      {docsUrl !== null && docsUrl !== source.url && (
        <PageLink url={docsUrl} text={takesKey ? 'Get a key' : signIn === null ? 'Its page' : 'Account page'} />
      )}
      {source.url !== '' && <PageLink url={source.url} text="Documentation" />}
    </div>
  )
}
