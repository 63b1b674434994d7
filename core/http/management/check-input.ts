// Input of a management call, checked or refused.
import type { z } from 'zod'
import { checkedInput } from '../../management/input-issues'
import { InputRefusedError } from './error-body'

/** @throws InputRefusedError */
export function checkInput<T>(schema: z.ZodType<T>, raw: unknown): T {
  const checked = checkedInput(schema, raw)
  if (checked.ok) return checked.data
  throw new InputRefusedError(checked.issues)
}
