// What the strict checks of all dialects share: a refusal as the real API words it, and small readers of JSON.
// Used by the fake upstream's process, which runs without a bundler: imports name their file's extension.

export type Json = { readonly [member: string]: unknown }

/** The request is not what the real API takes. `param` is the place, where that API names one. */
export class Refused extends Error {
  readonly status: number
  readonly param: string | null
  readonly code: string | null

  constructor(message: string, param: string | null = null, { status = 400, code = null as string | null } = {}) {
    super(message)
    this.status = status
    this.param = param
    this.code = code
  }
}

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const objects = (value: unknown): readonly Json[] => (Array.isArray(value) ? value.filter(isObject) : [])

export const words = (list: string): ReadonlySet<string> => new Set(list.split(/\s+/).filter((word) => word !== ''))

/** @throws what `refusal` makes of the first member that is not known */
export function onlyKnown(value: Json, known: ReadonlySet<string>, refusal: (member: string) => Refused): void {
  for (const member of Object.keys(value)) if (!known.has(member)) throw refusal(member)
}

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

export const isBase64 = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && BASE64.test(value)

export const IMAGE_TYPES = words('image/png image/jpeg image/gif image/webp')

/** Media type and bytes of a data URL; null when it is none. */
export function dataUrl(url: string): { readonly mediaType: string; readonly data: string } | null {
  const found = /^data:([a-z]+\/[a-z0-9.+-]+);base64,(.*)$/is.exec(url)
  return found === null ? null : { mediaType: found[1] as string, data: found[2] as string }
}

/** Visits a JSON Schema and every schema in it. */
export function eachSchema(schema: unknown, at: string, visit: (schema: Json, at: string) => void): void {
  if (!isObject(schema)) return
  visit(schema, at)
  for (const member of ['properties', '$defs', 'definitions'] as const) {
    const named = schema[member]
    if (!isObject(named)) continue
    for (const [name, one] of Object.entries(named)) eachSchema(one, `${at}.${member}.${name}`, visit)
  }
  for (const member of ['anyOf', 'oneOf', 'allOf'] as const) {
    const list = schema[member]
    if (Array.isArray(list)) list.forEach((one, i) => void eachSchema(one, `${at}.${member}[${i}]`, visit))
  }
  eachSchema(schema.items, `${at}.items`, visit)
  eachSchema(schema.additionalProperties, `${at}.additionalProperties`, visit)
}
