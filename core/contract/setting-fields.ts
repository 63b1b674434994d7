// The kinds of field a setting can be. Each knows how to check a value and how to read one from text
// (an environment variable, a command-line flag), so that no reader of settings has to.
import { z } from 'zod'

/**
 * Which source wins, lowest first.
 * `process`: default < stored < environment < flag. `resilience`: default < environment < stored < per connection.
 */
export type Precedence = 'process' | 'resilience'

/** When a changed value is felt. */
export type Applies = 'now' | 'next-request' | 'listener-restart' | 'app-restart'

export type SettingGroup = 'Gateway' | 'Routing' | 'Limits' | 'Network' | 'History' | 'Window' | 'Logging' | 'Internal'

export interface FieldCommon {
  readonly group: SettingGroup
  readonly label: string
  /** One or two sentences: what it does, and what happens at the edges. */
  readonly help: string
  readonly applies: Applies
  readonly precedence: Precedence
  /** Environment variable that sets it. */
  readonly env?: string
  /** Command-line flag that sets it, without the dashes. A flag is never stored. */
  readonly flag?: string
  /** Shown behind the input: "ms", "MB", "days". */
  readonly unit?: string
}

export interface IntField extends FieldCommon {
  readonly kind: 'int'
  readonly fallback: number
  readonly min: number
  readonly max: number
}
export interface BoolField extends FieldCommon {
  readonly kind: 'bool'
  readonly fallback: boolean
}
export interface ChoiceField<T extends string = string> extends FieldCommon {
  readonly kind: 'choice'
  readonly fallback: T
  readonly choices: readonly T[]
}
export interface TextField extends FieldCommon {
  readonly kind: 'text'
  readonly fallback: string
  readonly maxLength: number
  /** A text that is not empty must match; `patternHelp` says what it looks like. */
  readonly pattern?: RegExp
  readonly patternHelp?: string
}
export interface ListField extends FieldCommon {
  readonly kind: 'list'
  readonly fallback: readonly string[]
  /** Each entry must match; `entryHelp` says what an entry looks like. */
  readonly entryPattern: RegExp
  readonly entryHelp: string
}
export type Field = IntField | BoolField | ChoiceField | TextField | ListField

export type FieldValue<F extends Field> = F extends IntField
  ? number
  : F extends BoolField
    ? boolean
    : F extends ChoiceField<infer T>
      ? T
      : F extends ListField
        ? readonly string[]
        : string

type Common = Omit<FieldCommon, 'precedence'> & { readonly precedence?: Precedence }
const common = <O extends Common>(options: O) => ({
  ...options,
  precedence: options.precedence ?? ('process' as const),
})

export const int = (options: Common & Pick<IntField, 'fallback' | 'min' | 'max'>): IntField => ({
  kind: 'int',
  ...common(options),
})
export const bool = (options: Common & Pick<BoolField, 'fallback'>): BoolField => ({ kind: 'bool', ...common(options) })
export const choice = <const T extends string>(
  options: Common & { readonly fallback: NoInfer<T>; readonly choices: readonly T[] },
): ChoiceField<T> => ({ kind: 'choice', ...common(options) })
export const text = (
  options: Common & Pick<TextField, 'fallback' | 'maxLength' | 'pattern' | 'patternHelp'>,
): TextField => ({
  kind: 'text',
  ...common(options),
})
export const list = (options: Common & Pick<ListField, 'fallback' | 'entryPattern' | 'entryHelp'>): ListField => ({
  kind: 'list',
  ...common(options),
})

/** A check whose message says what the field accepts. */
export function schemaOf(field: Field): z.ZodType<number | boolean | string | readonly string[]> {
  switch (field.kind) {
    case 'int': {
      const message = `must be a whole number from ${field.min} to ${field.max}`
      return z.number({ error: message }).int(message).min(field.min, message).max(field.max, message)
    }
    case 'bool':
      return z.boolean({ error: 'must be true or false' })
    case 'choice':
      return z.enum([...field.choices] as [string, ...string[]], {
        error: `must be one of ${field.choices.join(', ')}`,
      })
    case 'text':
      return z
        .string({ error: 'must be text' })
        .max(field.maxLength, `must have at most ${field.maxLength} characters`)
        .refine((value) => value === '' || field.pattern?.test(value) !== false, field.patternHelp ?? 'is not valid')
    case 'list':
      return z
        .array(z.string().regex(field.entryPattern, field.entryHelp), { error: 'must be a list of texts' })
        .max(100)
  }
}

/** Reads a value out of text; the result still has to pass `schemaOf`. */
export function parseText(field: Field, raw: string): unknown {
  const value = raw.trim()
  switch (field.kind) {
    case 'int':
      return value === '' ? Number.NaN : Number(value)
    case 'bool':
      return value === '1' || value === 'true' ? true : value === '0' || value === 'false' ? false : value
    case 'choice':
    case 'text':
      return value
    case 'list':
      return value
        .split(',')
        .map((entry) => entry.trim())
        .filter((entry) => entry !== '')
  }
}
