import { NONE, valueOr } from './loadable'
import { usePushed } from './pushed'

interface SelectProps {
  readonly id: string
  readonly 'aria-describedby': string | undefined
  readonly 'aria-invalid': boolean
  /** A provider's id; empty: none yet. */
  readonly value: string
  readonly onChange: (id: string) => void
}

/** Any provider, those in use first. */
export function ProviderSelect({ value, onChange, ...wiring }: SelectProps) {
  const providers = usePushed(({ providers }) => valueOr(providers, NONE))
  const used = providers.filter(({ connections }) => connections.length > 0)
  const others = providers.filter(({ connections }) => connections.length === 0)
  const known = providers.some(({ id }) => id === value)
  return (
    <select className="select" {...wiring} value={value} onChange={(event) => onChange(event.target.value)}>
      {value === '' && <option value="">Choose a provider</option>}
      {value !== '' && !known && <option value={value}>{value}</option>}
      {[
        { title: 'In use', list: used },
        { title: 'Others', list: others },
      ].map(
        ({ title, list }) =>
          list.length > 0 && (
            <optgroup key={title} label={title}>
              {list.map(({ id, label }) => (
                <option key={id} value={id}>
                  {label}
                </option>
              ))}
            </optgroup>
          ),
      )}
    </select>
  )
}
