// Pieces that several rows of the management surface are made of.
import { z } from 'zod'

/** For what has nothing to tell. */
export const Done = z.object({ ok: z.literal(true) })
export const DONE = { ok: true } as const

/** A whole number in the address. */
export function queryInt(min: number, max: number): z.ZodType<number, string> {
  const message = `must be a whole number from ${min} to ${max}`
  return z
    .string()
    .regex(/^\d{1,15}$/, message)
    .transform(Number)
    .refine((value) => value >= min && value <= max, message)
}

/** A provider's id or alias, as scripts send it. */
export const providerText = z.string().min(1, 'must not be empty').max(128)
