// The fields of the IETF's draft "RateLimit header fields for HTTP", in its forms so far:
// `RateLimit: "day";r=900;t=3600` with `RateLimit-Policy: "day";q=1000;w=86400` · `RateLimit: limit=100, remaining=50,
// reset=5` · `RateLimit-Limit`, `RateLimit-Remaining` and `RateLimit-Reset`, with a policy `100;w=60`.
import type { QuotaSpan } from '../contract/quota-words'
import { type Headers, momentOf, numberOf } from './header-values'
import { type ReadWindow, spanOfDistance, spanOfLength, usedOf } from './windows'

type Window = Omit<ReadWindow, 'model'>

/** No field is that long; what is, is not read. */
const LONGEST_FIELD = 1_000

export function ratelimitFields(headers: Headers, at: number): readonly Window[] {
  const field = textOf(headers, 'ratelimit')
  const policies = items(textOf(headers, 'ratelimit-policy'))
  if (field !== null && /\bremaining=/.test(field)) return listed(field, policies, at)
  if (field !== null) return items(field).flatMap((item) => named(item, policies, at))
  const limit = numberOf(headers, 'ratelimit-limit')
  const reset = momentOf(headers, 'ratelimit-reset', at)
  return single(limit, numberOf(headers, 'ratelimit-remaining'), reset, policies, at)
}

function textOf(headers: Headers, name: string): string | null {
  const value = headers[name]
  return typeof value === 'string' && value.length <= LONGEST_FIELD ? value : null
}

interface Item {
  readonly key: string
  readonly members: ReadonlyMap<string, number>
}

/** `"day";r=900;t=3600, …` */
const items = (field: string | null): readonly Item[] =>
  field === null
    ? []
    : field.split(',').map((item) => {
        const [key = '', ...members] = item.split(';').map((part) => part.trim())
        return { key: key.replaceAll('"', ''), members: new Map(members.flatMap(member)) }
      })

function member(text: string): [string, number][] {
  const [name = '', value = ''] = text.split('=')
  const number = value === '' ? Number.NaN : Number(value)
  return Number.isFinite(number) && number >= 0 ? [[name.trim(), number]] : []
}

function named({ key, members }: Item, policies: readonly Item[], at: number): Window[] {
  const left = members.get('r')
  if (left === undefined) return []
  const policy = policies.find((one) => one.key === key)
  const seconds = members.get('t')
  return single(policy?.members.get('q') ?? null, left, resetIn(seconds, at), policy === undefined ? [] : [policy], at)
}

function listed(field: string, policies: readonly Item[], at: number): Window[] {
  const members = new Map(field.split(',').flatMap((part) => member(part.trim())))
  const reset = resetIn(members.get('reset'), at)
  return single(members.get('limit') ?? null, members.get('remaining') ?? null, reset, policies, at)
}

const resetIn = (seconds: number | undefined, at: number): number | null =>
  seconds === undefined ? null : at + seconds * 1_000

function single(
  limit: number | null,
  left: number | null,
  resetAt: number | null,
  policies: readonly Item[],
  at: number,
): Window[] {
  const usedPercent = usedOf(limit, left)
  const span = spanOf(limit, resetAt, policies, at)
  return usedPercent === null || span === null ? [] : [{ span, counts: 'requests', usedPercent, resetAt }]
}

/** As the policy of that limit says, else the only one; without one, as far as the reset is. null: nobody can tell. */
function spanOf(limit: number | null, resetAt: number | null, policies: readonly Item[], at: number): QuotaSpan | null {
  const own = policies.find(({ key, members }) => (members.get('q') ?? Number(key)) === limit) ?? policies[0]
  const seconds = own?.members.get('w')
  if (seconds !== undefined) return spanOfLength(seconds * 1_000)
  return resetAt === null ? null : spanOfDistance(resetAt - at)
}
