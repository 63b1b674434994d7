// One client request on its way to another dialect: its fields are checked against the table of fates, then it is
// parsed into the canonical form and built anew. The client's own body is never changed.
import type { Dialect } from '../contract/kinds'
import { badInput } from '../errors'
import type { CanonicalRequest, JsonObject } from './canonical'
import { type RenamedTools, renameTools } from './tool-names'
import type { BuildTarget, FieldRule, Translation } from './translation'

export const DIALECT_LABELS: Readonly<Record<Dialect, string>> = {
  'openai-chat': 'OpenAI Chat Completions',
  'openai-responses': 'OpenAI Responses',
  anthropic: 'Anthropic Messages',
  gemini: 'Gemini',
}

export interface Translated {
  readonly body: JsonObject
  /** What the client asked, with its own names of tools. */
  readonly request: CanonicalRequest
  readonly renamedTools: RenamedTools
  /** What was left out, each name once. For the answer's x-breakwater-dropped header. */
  readonly dropped: readonly string[]
}

/** @throws GatewayError 400 naming what cannot be carried */
export function translateRequest(
  body: JsonObject,
  from: Translation,
  to: { readonly name: Dialect; readonly translation: Translation },
  target: BuildTarget,
): Translated {
  const dropped = new Set<string>()
  const notes = { dropped: (field: string) => void dropped.add(field) }
  checkFates(body, from.fields, to.name, notes.dropped)
  const request = from.parseRequest(body, notes)
  const named = new Set([...dropped].map(bareName))
  // A builder knows only the canonical name; the client's own says it better where the table has noted it already.
  const building = { dropped: (field: string) => void (named.has(bareName(field)) || dropped.add(field)) }
  const { request: sent, renamed } = renameTools(request, to.translation.toolNames)
  const built = to.translation.buildRequest(sent, target, building)
  return { request, body: built, renamedTools: renamed, dropped: [...dropped] }
}

/** "generationConfig.topK", "top_k" and "topK" are one and the same. */
const bareName = (field: string): string =>
  field
    .slice(field.lastIndexOf('.') + 1)
    .replaceAll('_', '')
    .toLowerCase()

/** Applies the table to the top-level members; what lies deeper is the parser's own work. */
function checkFates(
  body: JsonObject,
  rules: readonly FieldRule[],
  to: Dialect,
  dropped: (field: string) => void,
): void {
  const byName = rulesByName(rules)
  for (const name in body) {
    const value = body[name]
    if (value === undefined || value === null) continue
    const rule = byName.get(name)
    const fate = rule?.to[to] ?? (rule === undefined ? 'dropped' : 'mapped')
    if (fate === 'carried' || fate === 'mapped' || isHarmless(value, rule)) continue
    if (fate === 'refused') throw badInput(name, refusal(to, rule))
    dropped(name)
  }
}

const refusal = (to: Dialect, rule: FieldRule | undefined): string =>
  `cannot be carried to a model that speaks ${DIALECT_LABELS[to]}.${rule?.note === undefined ? '' : ` ${rule.note}`} Leave it out, or choose a model of a provider that speaks this format.`

function isHarmless(value: unknown, rule: FieldRule | undefined): boolean {
  if (rule?.harmless === undefined) return false
  const text = JSON.stringify(value)
  return rule.harmless.some((harmless) => JSON.stringify(harmless) === text)
}

const indexes = new WeakMap<readonly FieldRule[], ReadonlyMap<string, FieldRule>>()

function rulesByName(rules: readonly FieldRule[]): ReadonlyMap<string, FieldRule> {
  let index = indexes.get(rules)
  if (index === undefined) {
    index = new Map(rules.filter(({ field }) => !/[.[]/.test(field)).map((rule) => [rule.field, rule]))
    indexes.set(rules, index)
  }
  return index
}
