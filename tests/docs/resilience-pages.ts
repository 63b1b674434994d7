// docs/resilience-settings.md and docs/provider-rules.md, written from the tables the gateway itself uses.
import { RULE_REASONS, RULE_SCOPES } from '../../core/contract/error-rules'
import type { ResilienceGroup, Row } from '../../core/contract/resilience-fields'
import { ORDER_RULES, RESILIENCE_KEYS, type ResilienceKey, rowOf } from '../../core/contract/resilience-settings'
import { CATALOGUE } from '../../core/providers/catalogue'
import { type ProviderRule, providerRules, type Restatement } from '../../core/providers/rules'

const INTRO = `# Resilience settings

What each one does is told in [How the gateway reacts to failures](resilience.md). They are one object: the paths below are its members, in
\`GET\` and \`PATCH /api/resilience\`, and under \`settings.resilienceSettings\` of the [configuration file](configuration-file.md).

**Precedence.** Default, then environment, then what you have stored. A variable that is empty, or whose value cannot be used, counts as
not set. Where two sources disagree about numbers of which one bounds the other, the one named below gives way; a change that would make
them disagree is refused. Settings without a way to change them are for the environment only.

Changes are felt by the next failure, and by breakers at once; a rest that runs keeps the end it was told. Changing
\`useUpstream429BreakerHints\` resets all breakers.
`

export function settingsPage(): string {
  const groups = [...new Set(RESILIENCE_KEYS.map((key) => rowOf(key).group))]
  return [INTRO, ...groups.map(settingsSection), bounds()].join('\n')
}

function settingsSection(group: ResilienceGroup): string {
  const keys = RESILIENCE_KEYS.filter((key) => rowOf(key).group === group)
  return [
    `## ${group}`,
    '',
    '| setting | default | accepts | environment | what it does |',
    '| --- | --- | --- | --- | --- |',
    ...keys.map(settingRow),
    '',
  ].join('\n')
}

function settingRow(key: ResilienceKey): string {
  const row = rowOf(key)
  const only = row.reach === 'environment' ? ' (only here)' : ''
  const env = row.env === undefined ? '' : `\`${row.env}\`${only}`
  return `| \`${key}\` | ${withUnit(JSON.stringify(row.fallback), row)} | ${accepts(row)} | ${env} | ${cell(row.help)} |`
}

const withUnit = (value: string, { unit }: Row): string => `${value}${unit === undefined ? '' : ` ${unit}`}`

function accepts(row: Row): string {
  switch (row.kind) {
    case 'int': {
      const change = row.changeMax === undefined ? '' : `; by a change up to ${row.changeMax}`
      return `${row.min} to ${row.max}${change}`
    }
    case 'bool':
      return 'true, false'
    case 'optional-bool':
      return 'true, false, null'
    case 'int-list':
      return `a list of whole numbers, ${row.min} to ${row.max}`
  }
}

function bounds(): string {
  const rows = ORDER_RULES.map(({ low, high, order, mends }) => {
    const relation = order === 'below' ? 'less than' : 'at most'
    return `| \`${low}\` | ${relation} | \`${high}\` | \`${mends === 'low' ? low : high}\` |`
  })
  return [
    '## Numbers that bound each other',
    '',
    '| this | is | this | gives way |',
    '| --- | --- | --- | --- |',
    ...rows,
    '',
  ].join('\n')
}

const RULES_INTRO = `# Provider rules

What single providers mean by their codes, where it is not what everybody means. How they are applied is told in
[How the gateway reacts to failures](resilience.md#provider-rules). A rule of your own
([Operator rules](resilience.md#operator-rules)) comes before all of them; it may give any of the reasons
${RULE_REASONS.map((reason) => `\`${reason}\``).join(', ')} and the scopes ${RULE_SCOPES.map((scope) => `\`${scope}\``).join(', ')}.

**Scope**: who is out, where it is not the usual one. In brackets: the provider is not marked to follow it, so it only gives the reason.
`

export function rulesPage(): string {
  const rows = CATALOGUE.map((row) => ({ row, ...providerRules(row.id) }))
  const restated = rows.flatMap(({ row, restatements }) => restatements.map((each) => restatementRow(row.id, each)))
  const tables = new Map<string, string[]>()
  for (const { row, rules } of rows) {
    if (rules.length === 0) continue
    const text = rules.map((rule) => ruleRow(rule, row.honorsRuleScope, row.fullTextRules)).join('\n')
    tables.set(text, [...(tables.get(text) ?? []), row.id])
  }
  return [
    RULES_INTRO,
    '## Restated statuses',
    '',
    '| provider | from | to | where the answer says | unless it says | the client is told to wait |',
    '| --- | --- | --- | --- | --- | --- |',
    ...restated,
    '',
    ...[...tables].map(([text, ids]) => rulesSection(ids, text)),
  ].join('\n')
}

const restatementRow = (id: string, { from, to, markers, unless, retryAfterMs }: Restatement): string =>
  `| \`${id}\` | ${from.join(', ')} | ${to} | ${quoted(markers)} | ${quoted(unless)} | ${retryAfterMs / 1_000} s |`

const rulesSection = (ids: readonly string[], text: string): string =>
  [
    `## ${ids.map((id) => `\`${id}\``).join(', ')}`,
    '',
    '| rule | matches | reason | scope | rests |',
    '| --- | --- | --- | --- | --- |',
    text,
    '',
  ].join('\n')

function ruleRow(rule: ProviderRule, honorsScope: boolean, readsText: boolean): string {
  const { statuses, codes, says, texts, header, on400 } = rule
  const parts = [
    statuses === undefined ? (on400 === true ? '' : 'any status but 400') : `status ${statuses.join(', ')}`,
    codes === undefined ? '' : `code ${quoted(codes)}`,
    says === undefined ? '' : `the message says ${quoted(says)}`,
    texts === undefined || !readsText ? '' : `the body holds ${quoted(texts)}`,
    header === undefined ? '' : `header \`${header.name}\`: \`${cell(header.value.source)}\``,
  ]
  const matches = parts.filter((part) => part !== '').join('; ')
  return `| \`${rule.id}\` | ${matches} | \`${rule.reason}\` | ${scopeText(rule, honorsScope)} | ${restText(rule)} |`
}

function scopeText({ scope }: ProviderRule, honors: boolean): string {
  if (scope === undefined) return ''
  return scope === 'model' || scope === 'request' || honors ? scope : `(${scope})`
}

const restText = ({ lasting, restMs }: ProviderRule): string =>
  [
    lasting === undefined ? '' : `as a limit of kind \`${lasting}\``,
    restMs === undefined ? '' : `${restMs / 60_000} min`,
  ]
    .filter((text) => text !== '')
    .join(', ')

const quoted = (texts: readonly string[]): string => texts.map((text) => `\`${text}\``).join(', ')
const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('<', '&lt;')
