// The kinds of field a combo's configuration can have. Each knows how to check a value.
import { z } from 'zod'

export interface FieldWords {
  readonly label: string
  /** One or two sentences: what it does, and what happens at the edges. */
  readonly help: string
  /** Shown behind the input: "ms", "%". */
  readonly unit?: string
}

export interface WholeField extends FieldWords {
  readonly kind: 'whole'
  readonly fallback: number
  readonly min: number
  readonly max: number
}
/** Decimals too. */
export interface AmountField extends FieldWords {
  readonly kind: 'amount'
  readonly fallback: number
  readonly min: number
  readonly max: number
}
/** null: no limit. */
export interface LimitField extends FieldWords {
  readonly kind: 'limit'
  readonly fallback: null
  readonly min: number
  readonly max: number
}
export interface FlagField extends FieldWords {
  readonly kind: 'flag'
  readonly fallback: boolean
}
/** null: none of them. */
export interface ChoiceField<T extends string = string> extends FieldWords {
  readonly kind: 'choice'
  readonly fallback: T | null
  readonly choices: readonly T[]
}
/** null: none is given. */
export interface TextField extends FieldWords {
  readonly kind: 'text'
  readonly fallback: null
  readonly maxLength: number
}
/** Some of the choices in an order; without choices, any words. */
export interface WordsField<T extends string = string> extends FieldWords {
  readonly kind: 'words'
  readonly fallback: readonly T[]
  readonly choices: readonly T[] | null
}
/** A number from 0 to 1 for some of the names. */
export interface SharesField<T extends string = string> extends FieldWords {
  readonly kind: 'shares'
  readonly fallback: Readonly<Partial<Record<T, number>>>
  readonly names: readonly T[]
}
export type ComboField =
  | WholeField
  | AmountField
  | LimitField
  | FlagField
  | ChoiceField
  | TextField
  | WordsField
  | SharesField

export type ComboFieldValue<F extends ComboField> = F extends WholeField | AmountField
  ? number
  : F extends LimitField
    ? number | null
    : F extends FlagField
      ? boolean
      : F extends ChoiceField<infer T>
        ? T | null
        : F extends TextField
          ? string | null
          : F extends WordsField<infer T>
            ? readonly T[]
            : F extends SharesField<infer T>
              ? Readonly<Partial<Record<T, number>>>
              : never

type Without<F extends ComboField> = Omit<F, 'kind'>
export const whole = (field: Without<WholeField>): WholeField => ({ kind: 'whole', ...field })
export const amount = (field: Without<AmountField>): AmountField => ({ kind: 'amount', ...field })
export const limit = (field: Omit<LimitField, 'kind' | 'fallback'>): LimitField => ({
  kind: 'limit',
  fallback: null,
  ...field,
})
export const flag = (field: Without<FlagField>): FlagField => ({ kind: 'flag', ...field })
export const choice = <const T extends string>(
  field: FieldWords & { readonly fallback: NoInfer<T> | null; readonly choices: readonly T[] },
): ChoiceField<T> => ({ kind: 'choice', ...field })
export const text = (field: Omit<TextField, 'kind' | 'fallback'>): TextField => ({
  kind: 'text',
  fallback: null,
  ...field,
})
export const words = <const T extends string>(
  field: FieldWords & { readonly fallback: readonly NoInfer<T>[]; readonly choices: readonly T[] },
): WordsField<T> => ({ kind: 'words', ...field })
export const anyWords = (field: FieldWords & { readonly fallback: readonly string[] }): WordsField => ({
  kind: 'words',
  choices: null,
  ...field,
})
export const shares = <const T extends string>(
  field: FieldWords & { readonly names: readonly T[] },
): SharesField<T> => ({ kind: 'shares', fallback: {} as SharesField<T>['fallback'], ...field })

const MOST_WORDS = 50

/** A check whose message says what the field accepts. */
export function comboFieldSchema(field: ComboField): z.ZodType<ComboFieldValue<ComboField>> {
  switch (field.kind) {
    case 'whole': {
      const message = `must be a whole number from ${field.min} to ${field.max}`
      return z.number({ error: message }).int(message).min(field.min, message).max(field.max, message)
    }
    case 'amount':
      return between(field.min, field.max)
    case 'limit':
      return between(field.min, field.max, ', or null for no limit').nullable()
    case 'flag':
      return z.boolean({ error: 'must be true or false' })
    case 'choice':
      return oneOf(field.choices).nullable()
    case 'text':
      return z
        .string({ error: 'must be text, or null' })
        .trim()
        .min(1, 'must not be empty; use null instead')
        .max(field.maxLength, `must have at most ${field.maxLength} characters`)
        .nullable()
    case 'words': {
      const word =
        field.choices === null ? z.string({ error: 'must be text' }).trim().min(1).max(100) : oneOf(field.choices)
      return z.array(word, { error: 'must be a list' }).max(MOST_WORDS, `must have at most ${MOST_WORDS} entries`)
    }
    case 'shares':
      return z.partialRecord(oneOf(field.names), between(0, 1), {
        error: `must name some of ${field.names.join(', ')}, each with a number from 0 to 1`,
      })
  }
}

function between(min: number, max: number, more = ''): z.ZodNumber {
  const message = `must be a number from ${min} to ${max}${more}`
  return z.number({ error: message }).min(min, message).max(max, message)
}

const oneOf = (choices: readonly string[]) =>
  z.enum([...choices] as [string, ...string[]], { error: `must be one of ${choices.join(', ')}` })
