// docs/rest.md, written from the rows that the listener itself serves.
import { z } from 'zod'
import { COMBO_CONFIG, type ComboConfigKey, keysOf } from '../../core/contract/combo-config'
import type { ComboField } from '../../core/contract/combo-fields'
import { QUOTA_SHARE, STRATEGIES } from '../../core/contract/combo-strategies'
import { ComboTest, ComboView } from '../../core/contract/combo-views'
import { Step } from '../../core/contract/combos'
import { ExplainedFailure, ExplainInput } from '../../core/contract/explain'
import { RulesView } from '../../core/contract/health-operations'
import { BreakerView, ConnectionStateRow, CooldownRow, GateView, LockoutView } from '../../core/contract/health-views'
import { AliasView, ModelListState, ModelView } from '../../core/contract/model-views'
import type { Row } from '../../core/contract/resilience-fields'
import { isChangeable, RESILIENCE_KEYS, rowOf } from '../../core/contract/resilience-settings'
import type { Field } from '../../core/contract/setting-fields'
import { SETTINGS } from '../../core/contract/settings'
import {
  ClientKeyView,
  FoundServer,
  GatewayStatus,
  MetricsBucket,
  RequestView,
  SignInView,
  TestResult,
  ToolSnippet,
  VaultView,
} from '../../core/contract/views'
import { RestConnection } from '../../core/http/management/connection-json'
import { CatalogueEntry } from '../../core/http/management/providers'
import type { ManagementRoute } from '../../core/http/management/route'
import { MANAGEMENT } from '../../core/http/management/routes'

const INTRO = `# Management over REST

Everything the window can do, for scripts. The rows below are those the gateway serves; a test holds this page to them.

**Who may.** A client key with the scope \`manage\`, in a header (\`Authorization: Bearer …\`, \`x-api-key\` or \`x-goog-api-key\`), always, on
this machine too. A key in the address never counts here. 401: no key, or one nobody knows; 403: a key without the scope. Make one in the
window under Keys, or with \`--new-key NAME --scope manage\`. Without a key answer only \`GET /health\`, \`GET /api/monitoring/health\`, \`HEAD /\`
and \`/api/hello\`; \`/api/v1/*\` are paths of clients. What is not listed under \`/api\` is closed: 401 and 403 come before 404.

**Input.** JSON only (415), at most 1 MB (413). Unknown fields and parameters are refused; a fault names its field. Moments are epoch
milliseconds, or ISO text where the table says \`string\`.

**Errors.** \`{"error": {"message", "type", "code"}}\`, with \`details: [{"field", "message"}]\` where the input is at fault, and \`retry_after\`
in seconds where waiting helps. Nothing was changed then.

\`\`\`sh
curl http://127.0.0.1:4517/api/resilience/cooldowns -H "Authorization: Bearer $BREAKWATER_MANAGE_KEY"
\`\`\`
`

/** Shapes that are shown once, below, and named where they occur. */
const SHAPES: Readonly<Record<string, z.ZodType>> = {
  Connection: RestConnection,
  Provider: CatalogueEntry,
  TestResult,
  SignIn: SignInView,
  FoundServer,
  Model: ModelView,
  ModelList: ModelListState,
  Alias: AliasView,
  Combo: ComboView,
  ComboStep: Step,
  ComboTest,
  ClientKey: ClientKeyView,
  Request: RequestView,
  MetricsBucket,
  GatewayStatus,
  Vault: VaultView,
  ToolSnippet,
  Gate: GateView,
  Breaker: BreakerView,
  CooldownRow,
  Lockout: LockoutView,
  ConnectionState: ConnectionStateRow,
  Rules: RulesView,
  Explanation: ExplainedFailure,
  Signal: ExplainInput,
}

export function restPage(): string {
  const chapters = MANAGEMENT.map(({ title, routes }) => [`## ${title}`, '', ...routes.map(section)].join('\n'))
  const shapes = Object.entries(SHAPES)
    .filter(([name]) => name !== 'Signal')
    .map(([name, schema]) => `### ${name}\n\n${code(shapeText(schema, 'output', name))}`)
  return [INTRO, ...chapters, '## Shapes\n', shapes.join('\n'), settingsTable(), resilienceTable(), comboTable()].join(
    '\n',
  )
}

function settingsTable(): string {
  const rows = Object.entries(SETTINGS as Readonly<Record<string, Field>>).map(
    ([key, field]) =>
      `| \`${key}\` | ${accepts(field)} | \`${JSON.stringify(field.fallback)}\` | ${cell(field.help)} |`,
  )
  return [
    '### SettingsChange\n',
    'Any of these, and of the members of Rules; `null` takes a stored value back. RulesChange is any of the latter.\n',
    '| setting | accepts | default | what it does |',
    '| --- | --- | --- | --- |',
    ...rows,
    '',
  ].join('\n')
}

function resilienceTable(): string {
  const rows = RESILIENCE_KEYS.filter(isChangeable).map((key) => {
    const row = rowOf(key)
    return `| \`${key}\` | ${accepts(row)} | \`${JSON.stringify(row.fallback)}\` | ${cell(row.help)} |`
  })
  return [
    '### ResilienceSettings and ResilienceChange\n',
    'The paths below as nested objects: `{"modelLockout": {"enabled": true}}`. A change is any subset; an answer has them all, and `legacy`.\n',
    '| path | accepts | default | what it does |',
    '| --- | --- | --- | --- |',
    ...rows,
    '',
  ].join('\n')
}

function comboTable(): string {
  const all = [...STRATEGIES, QUOTA_SHARE] as const
  const usedBy = (key: ComboConfigKey): string => {
    const others = all.filter((strategy) => !keysOf(strategy).includes(key))
    if (others.length === 0) return 'all'
    const some = all.filter((strategy) => !others.includes(strategy))
    return some.length > others.length ? `all but ${others.join(', ')}` : some.join(', ')
  }
  const rows = (Object.entries(COMBO_CONFIG) as [ComboConfigKey, ComboField][]).map(
    ([key, field]) =>
      `| \`${key}\` | ${usedBy(key)} | ${acceptedBy(field)} | \`${JSON.stringify(field.fallback)}\` | ${cell(field.help)} |`,
  )
  return [
    '### ComboConfig\n',
    'Any of the keys that the combo’s strategy has; `null` stands for the default.\n',
    '| key | strategies | accepts | default | what it does |',
    '| --- | --- | --- | --- | --- |',
    ...rows,
    '',
  ].join('\n')
}

function acceptedBy(field: ComboField): string {
  switch (field.kind) {
    case 'whole':
    case 'amount':
    case 'limit':
      return `${field.min} to ${field.max}${field.unit === undefined ? '' : ` ${field.unit}`}`
    case 'flag':
      return 'true, false'
    case 'choice':
      return field.choices.join(', ')
    case 'text':
      return `text, at most ${field.maxLength} characters`
    case 'words':
      return field.choices === null ? 'a list of texts' : `a list of ${field.choices.join(', ')}`
    case 'shares':
      return `an object: 0 to 1 for any of ${field.names.join(', ')}`
  }
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('<', '&lt;')

function accepts(field: Field | Row): string {
  switch (field.kind) {
    case 'int': {
      const max = 'changeMax' in field ? (field.changeMax ?? field.max) : field.max
      return `${field.min} to ${max}${field.unit === undefined ? '' : ` ${field.unit}`}`
    }
    case 'bool':
      return 'true, false'
    case 'optional-bool':
      return 'true, false, null'
    case 'choice':
      return field.choices.join(', ')
    case 'text':
      return `text, at most ${field.maxLength} characters`
    case 'list':
      return 'a list of texts'
    case 'int-list':
      return `a list of whole numbers, ${field.min} to ${field.max}`
  }
}

function section({ method, path, about, query, body, answer, status }: ManagementRoute): string {
  const lines = [
    query === undefined ? null : `query: ${shapeText(query, 'input')}`,
    body === undefined ? null : `body: ${shapeText(body, 'input')}`,
    method === 'HEAD' ? null : `${status ?? 200}: ${shapeText(answer, 'output')}`,
  ].filter((line) => line !== null)
  return [`### ${method} ${path}`, '', about, '', ...(lines.length === 0 ? [] : [code(lines.join('\n'))])].join('\n')
}

const code = (text: string): string => `\`\`\`ts\n${text}\n\`\`\`\n`

type Json = z.core.JSONSchema.JSONSchema

/** @param self the shape that is being shown: it is not named inside itself */
function shapeText(schema: z.ZodType, io: 'input' | 'output', self = ''): string {
  const named = new Map<unknown, string>(Object.entries(SHAPES).map(([name, shape]) => [shape, name]))
  const json = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      const name = named.get(zodSchema)
      if (name === undefined || name === self) return
      for (const key of Object.keys(jsonSchema)) delete jsonSchema[key as keyof typeof jsonSchema]
      jsonSchema.title = name
    },
  }) as Json
  return typeText(json, '')
}

function typeText(json: Json | boolean | undefined, indent: string): string {
  if (typeof json !== 'object' || json === null) return 'unknown'
  if (json.title !== undefined) return json.title
  // Numbers in the address are text on the wire.
  if (json.pattern === '^\\d{1,15}$') return 'number'
  if (json.const !== undefined) return JSON.stringify(json.const)
  if (json.enum !== undefined) return json.enum.map((value) => JSON.stringify(value)).join(' | ')
  const options = json.anyOf ?? json.oneOf
  if (options !== undefined) return [...new Set(options.map((option) => typeText(option as Json, indent)))].join(' | ')
  switch (json.type) {
    case 'object':
      return objectText(json, indent)
    case 'array': {
      const of = typeText(json.items as Json, indent)
      return / \| /.test(of) && !of.startsWith('{') ? `(${of})[]` : `${of}[]`
    }
    case 'integer':
      return 'number'
    case undefined:
      return 'unknown'
    default:
      return [json.type].flat().join(' | ')
  }
}

function objectText({ properties, required = [], additionalProperties }: Json, indent: string): string {
  const entries = Object.entries(properties ?? {})
  if (entries.length === 0) {
    const more = typeof additionalProperties === 'object' ? typeText(additionalProperties as Json, indent) : null
    return more === null ? '{}' : `{ [name: string]: ${more} }`
  }
  const members = entries.map(
    ([name, of]) => `${name}${required.includes(name) ? '' : '?'}: ${typeText(of as Json, `${indent}  `)}`,
  )
  const flat = `{ ${members.join('; ')} }`
  if (flat.length + indent.length <= 110 && !flat.includes('\n')) return flat
  return `{\n${members.map((member) => `${indent}  ${member}`).join('\n')}\n${indent}}`
}
