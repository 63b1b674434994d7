import { CircleAlert } from 'lucide-react'
import { type ReactNode, useId } from 'react'

interface FieldProps {
  readonly label: string
  readonly help?: ReactNode
  readonly error?: string | null
  readonly children: (wiring: FieldWiring) => ReactNode
}
export interface FieldWiring {
  readonly id: string
  readonly 'aria-describedby': string | undefined
  readonly 'aria-invalid': boolean
}

/** A label, its control, one line of help and the error next to what caused it. */
export function Field({ label, help, error, children }: FieldProps) {
  const id = useId()
  const described = [help !== undefined && `${id}-help`, error != null && `${id}-error`].filter(Boolean).join(' ')
  return (
    <div className="field">
      <label className="field__label" htmlFor={id}>
        {label}
      </label>
      {children({ id, 'aria-describedby': described === '' ? undefined : described, 'aria-invalid': error != null })}
      {help !== undefined && (
        <div className="field__help" id={`${id}-help`}>
          {help}
        </div>
      )}
      {error != null && <FieldError id={`${id}-error`} message={error} />}
    </div>
  )
}

export function FieldError({ id, message }: { readonly id?: string; readonly message: string }) {
  return (
    <div className="field__error" id={id} role="alert">
      <CircleAlert size={16} strokeWidth={1.75} aria-hidden="true" />
      <span>{message}</span>
    </div>
  )
}

interface SwitchProps {
  readonly label: string
  readonly checked: boolean
  readonly disabled?: boolean
  readonly onChange: (checked: boolean) => void
  readonly 'aria-describedby'?: string | undefined
}
export function Switch({ label, checked, disabled = false, onChange, ...rest }: SwitchProps) {
  return (
    <button
      type="button"
      role="switch"
      className="switch"
      aria-checked={checked}
      aria-label={label}
      disabled={disabled}
      onClick={() => onChange(!checked)}
      {...rest}
    />
  )
}

interface SegmentsProps<T extends string> {
  readonly label: string
  readonly value: T
  readonly choices: readonly { readonly value: T; readonly label: string }[]
  readonly disabled?: boolean
  readonly onChange: (value: T) => void
}
/** A choice of a few, drawn as one bar: real radio buttons, so arrows work. */
export function Segments<T extends string>({ label, value, choices, disabled = false, onChange }: SegmentsProps<T>) {
  const name = useId()
  return (
    <fieldset className="segments" disabled={disabled}>
      <legend className="visually-hidden">{label}</legend>
      {choices.map((choice) => (
        <label key={choice.value} className="segments__choice">
          <input
            type="radio"
            name={name}
            checked={choice.value === value}
            onChange={() => onChange(choice.value)}
            disabled={disabled}
          />
          {choice.label}
        </label>
      ))}
    </fieldset>
  )
}
