import { useId } from 'react'
import { type ComboConfigKey, commonKeysOf, type SetConfig, STRATEGY_KEYS } from '../../../core/contract/combo-config'
import type { ChoiceField, SharesField } from '../../../core/contract/combo-fields'
import type { AnyStrategyName } from '../../../core/contract/combo-strategies'
import { inheritedConfig } from '../../../core/contract/inherited-config'
import { NONE, valueOr } from '../../app/loadable'
import { useSetting } from '../../app/settings-value'
import { Field, Switch } from '../../ui/field'
import { useModels } from '../models/models-store'
import { suggestions } from '../models/name-draft'
import {
  boundsWords,
  type ConfigErrors,
  type ConfigTexts,
  fallbackText,
  fieldOf,
  inWords,
  shareKey,
} from './config-texts'
import { Fold } from './fold'
import { partLabel } from './order-words'

interface ConfigProps {
  readonly strategy: AnyStrategyName
  readonly texts: ConfigTexts
  readonly errors: ConfigErrors
  readonly onChange: (texts: ConfigTexts) => void
}

/** What the strategy itself reads; nothing where it reads nothing. */
export function StrategyConfig(props: ConfigProps) {
  const keys = STRATEGY_KEYS[props.strategy]
  return keys.length === 0 ? null : <Fields keys={keys} {...props} />
}

/** What combos of other strategies have too: folded away, open where something is wrong in it. */
export function CommonConfig(props: ConfigProps) {
  const { strategy, texts, errors } = props
  const keys = commonKeysOf(strategy)
  const set = keys.filter((key) => (texts[key] ?? '') !== '').length
  const wrong = keys.some((key) => errors[key] !== undefined)
  return (
    <Fold title={`Retries, time and connections${set > 0 ? ` · ${set} changed` : ''}`} wrong={wrong}>
      <Fields keys={keys} {...props} />
    </Fold>
  )
}

function Fields({ keys, ...props }: ConfigProps & { readonly keys: readonly ComboConfigKey[] }) {
  return (
    <div className="config-grid">
      {keys.map((key) => (
        <ConfigField key={key} {...props} name={key} />
      ))}
    </div>
  )
}

interface FieldProps extends ConfigProps {
  readonly name: ComboConfigKey
}

function ConfigField(props: FieldProps) {
  const { name, texts, errors, strategy, onChange } = props
  const field = fieldOf(name)
  const text = texts[name] ?? ''
  const inherited = useInherited()
  const set = (value: string) => onChange({ ...texts, [name]: value })
  if (field.kind === 'flag') return <Flag {...props} />
  if (field.kind === 'shares') return <Shares {...props} field={field} />
  return (
    <Field
      label={field.label}
      error={errors[name] ?? null}
      help={helpOf(field.help, boundsWords(strategy, name, inherited))}
    >
      {(wiring) => {
        if (field.kind === 'choice') return <Choice {...{ wiring, field, text, set }} />
        const isNumber = field.kind === 'whole' || field.kind === 'amount' || field.kind === 'limit'
        const words = inWords(name, text)
        if (field.kind === 'text') return <ModelName {...{ wiring, text, set }} />
        return (
          <div className="line">
            <input
              className={isNumber ? 'input input--short' : 'input'}
              {...wiring}
              inputMode={isNumber ? 'decimal' : 'text'}
              spellCheck={false}
              autoComplete="off"
              value={text}
              placeholder={fallbackText(strategy, name, inherited)}
              onChange={(event) => set(event.target.value)}
            />
            {'unit' in field && <span className="muted small">{field.unit}</span>}
            {words !== '' && <span className="muted small">{words}</span>}
          </div>
        )
      }}
    </Field>
  )
}

/** What the settings say for all combos. */
function useInherited(): SetConfig {
  const key = useSetting('stickyRoundRobinLimit')
  const combo = useSetting('comboStickyRoundRobinLimit')
  const atOnce = useSetting('comboConcurrencyPerModel')
  if (key === null || combo === null || atOnce === null) return {}
  return inheritedConfig({
    ...{ stickyRoundRobinLimit: key, comboStickyRoundRobinLimit: combo, comboConcurrencyPerModel: atOnce },
  })
}

const helpOf = (help: string, bounds: string): string => (bounds === '' ? help : `${help} ${bounds}`)

interface ControlProps {
  readonly wiring: {
    readonly id: string
    readonly 'aria-describedby': string | undefined
    readonly 'aria-invalid': boolean
  }
  readonly text: string
  readonly set: (value: string) => void
}

function Choice({ wiring, field, text, set }: ControlProps & { readonly field: ChoiceField }) {
  return (
    <select className="select" {...wiring} value={text} onChange={(event) => set(event.target.value)}>
      <option value="">{field.fallback === null ? 'None' : `${field.fallback} (usual)`}</option>
      {field.choices
        .filter((choice) => choice !== field.fallback || text === choice)
        .map((choice) => (
          <option key={choice} value={choice}>
            {choice}
          </option>
        ))}
    </select>
  )
}

/** All of the texts are names of models. */
function ModelName({ wiring, text, set }: ControlProps) {
  const listId = useId()
  const models = useModels(({ models }) => valueOr(models, null)?.models ?? NONE)
  return (
    <>
      <input
        className="input input--mono"
        {...wiring}
        list={listId}
        spellCheck={false}
        autoComplete="off"
        value={text}
        onChange={(event) => set(event.target.value)}
      />
      <datalist id={listId}>
        {suggestions(
          models.map(({ id }) => id),
          text,
        ).map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  )
}

function Flag({ name, texts, strategy, onChange }: FieldProps) {
  const id = useId()
  const { label, help } = fieldOf(name)
  const usual = fallbackText(strategy, name)
  const text = texts[name] ?? ''
  const isOn = (text === '' ? usual : text) === 'on'
  return (
    <div className="field">
      <div className="line line--spread">
        <span className="field__label">{label}</span>
        <Switch
          label={label}
          checked={isOn}
          aria-describedby={id}
          onChange={(checked) =>
            onChange({ ...texts, [name]: (checked ? 'on' : 'off') === usual ? '' : checked ? 'on' : 'off' })
          }
        />
      </div>
      <div className="field__help" id={id}>
        {help}
      </div>
    </div>
  )
}

function Shares({ name, texts, errors, onChange, field }: FieldProps & { readonly field: SharesField }) {
  const set = field.names.filter((each) => (texts[shareKey(name, each)] ?? '') !== '').length
  const wrong = field.names.some((each) => errors[shareKey(name, each)] !== undefined) || errors[name] !== undefined
  return (
    <Fold className="config-grid__wide" title={`${field.label}${set > 0 ? ` · ${set} set` : ''}`} wrong={wrong}>
      <p className="field__help">{field.help} Each from 0 to 1.</p>
      <div className="shares">
        {field.names.map((each) => {
          const key = shareKey(name, each)
          return (
            <Field key={each} label={partLabel(each)} error={errors[key] ?? null}>
              {(wiring) => (
                <input
                  className="input input--short"
                  {...wiring}
                  inputMode="decimal"
                  value={texts[key] ?? ''}
                  onChange={(event) => onChange({ ...texts, [key]: event.target.value })}
                />
              )}
            </Field>
          )
        })}
      </div>
    </Fold>
  )
}
