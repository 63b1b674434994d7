import type { FactName } from '../../../core/contract/model-facts'
import type { ModelView } from '../../../core/contract/model-views'
import { Field } from '../../ui/field'
import { Moment } from '../../ui/moment'
import type { FactErrors, FactTexts } from './model-draft'
import { FACT_LABELS, FACT_NAMES, FACT_UNITS, factWords, SOURCE_SENTENCES } from './model-words'

interface FactFieldsProps {
  readonly facts: FactTexts
  readonly errors: FactErrors
  /** What is known of it; null for a model that is not there yet. */
  readonly model: ModelView | null
  readonly onChange: (change: Partial<FactTexts>) => void
}

const GROUPS = [
  { unit: 'tokens', title: 'Size, in tokens' },
  { unit: 'price', title: 'Price, in $ for 1M tokens' },
  { unit: 'ability', title: 'What it can do' },
] as const

/** One field for each value. Empty: what the provider or the table says, which stands in the field as a hint. */
export function FactFields({ facts, errors, model, onChange }: FactFieldsProps) {
  return GROUPS.map(({ unit, title }) => (
    <fieldset key={unit} className="facts-of">
      <legend>
        <h3>{title}</h3>
      </legend>
      <div className={unit === 'ability' ? 'fact-grid fact-grid--three' : 'fact-grid'}>
        {FACT_NAMES.filter((name) => FACT_UNITS[name] === unit).map((name) => (
          <FactField
            key={name}
            name={name}
            text={facts[name]}
            error={errors[name] ?? null}
            fact={model?.facts[name] ?? null}
            onChange={(text) => onChange({ [name]: text })}
          />
        ))}
      </div>
    </fieldset>
  ))
}

interface FactFieldProps {
  readonly name: FactName
  readonly text: string
  readonly error: string | null
  readonly fact: ModelView['facts'][FactName]
  readonly onChange: (text: string) => void
}

function FactField({ name, text, error, fact, onChange }: FactFieldProps) {
  const unit = FACT_UNITS[name]
  // Taken back: what stands behind it is only known once it is saved.
  const known = fact === null || fact.source === 'user' ? null : factWords(name, fact.value)
  return (
    <Field label={FACT_LABELS[name]} error={error} help={<Origin fact={fact} />}>
      {(wiring) =>
        unit === 'ability' ? (
          <select className="select" {...wiring} value={text} onChange={(event) => onChange(event.target.value)}>
            <option value="">{known === null ? 'Unknown' : `Known: ${known}`}</option>
            <option value="yes">Yes</option>
            <option value="no">No</option>
          </select>
        ) : (
          <input
            className="input"
            {...wiring}
            inputMode={unit === 'price' ? 'decimal' : 'text'}
            value={text}
            spellCheck={false}
            placeholder={placeholderOf(fact)}
            onChange={(event) => onChange(event.target.value)}
          />
        )
      }
    </Field>
  )
}

function placeholderOf(fact: ModelView['facts'][FactName]): string {
  if (fact === null || fact.source === 'user') return ''
  return String(fact.value)
}

function Origin({ fact }: { readonly fact: ModelView['facts'][FactName] }) {
  if (fact === null) return 'Nobody says'
  return (
    <>
      {SOURCE_SENTENCES[fact.source]}, <Moment at={fact.at} />
    </>
  )
}
