// Unchecked input against its schema. Every fault is told with its path, and what would be right.
import type { z } from 'zod'
import type { ChangeIssue } from '../contract/resilience-merge'

export type CheckedInput<T> =
  | { readonly ok: true; readonly data: T }
  | { readonly ok: false; readonly issues: readonly ChangeIssue[] }

/** @param at where the input itself stands, in front of each path */
export function checkedInput<T>(schema: z.ZodType<T>, raw: unknown, at: readonly PropertyKey[] = []): CheckedInput<T> {
  const parsed = schema.safeParse(raw, { error: words })
  if (parsed.success) return { ok: true, data: parsed.data }
  return { ok: false, issues: parsed.error.issues.flatMap((issue) => issuesOf(issue, at)) }
}

function issuesOf(issue: z.core.$ZodIssue, at: readonly PropertyKey[]): ChangeIssue[] {
  const path = [...at, ...issue.path]
  if (issue.code !== 'unrecognized_keys') return [{ field: pathText(path), message: issue.message }]
  return issue.keys.map((key) => ({ field: pathText([...path, key]), message: 'is not a known field' }))
}

/** ["connectionIds", 1] → "connectionIds[1]" */
const pathText = (path: readonly PropertyKey[]): string =>
  path.reduce<string>(
    (text, part) =>
      typeof part === 'number' ? `${text}[${part}]` : text === '' ? String(part) : `${text}.${String(part)}`,
    '',
  )

/** For what a schema has no words of its own. */
function words(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.input === undefined && issue.code !== 'custom') return 'is missing'
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${KINDS[issue.expected] ?? issue.expected}`
    case 'invalid_value':
      return `must be ${issue.values.length === 1 ? '' : 'one of '}${issue.values.map(String).join(', ')}`
    case 'too_big':
      return `must ${limit(issue.origin, 'at most', issue.maximum)}`
    case 'too_small':
      return `must ${limit(issue.origin, 'at least', issue.minimum)}`
    default:
      return undefined
  }
}

const KINDS: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
}

function limit(origin: string, most: string, bound: number | bigint): string {
  switch (origin) {
    case 'string':
      return `have ${most} ${bound} ${bound === 1 ? 'character' : 'characters'}`
    case 'array':
    case 'set':
      return `have ${most} ${bound} ${bound === 1 ? 'entry' : 'entries'}`
    default:
      return `be ${most} ${bound}`
  }
}
