// docs/providers.md, written from the rows of the catalogue.
import type { Dialect } from '../../core/contract/kinds'
import { PROVIDER_GROUPS, type ProviderGroup } from '../../core/contract/views'
import { PRACTICE_ID } from '../../core/providers/catalogue'
import type { ProviderRow } from '../../core/providers/provider-row'

const GROUP_NAMES: Readonly<Record<ProviderGroup, string>> = {
  lab: 'Makers of models, and subscriptions with them',
  aggregator: 'Gateways to many providers',
  inference: 'Hosts of open models',
  cloud: 'Clouds',
  china: 'Providers at home in China',
  local: 'On this machine',
  own: 'Your own',
}

const DIALECT_NAMES: Readonly<Record<Dialect, string>> = {
  'openai-chat': 'Chat',
  'openai-responses': 'Responses',
  anthropic: 'Anthropic',
  gemini: 'Gemini',
}

const INTRODUCTION = `# Providers

Written from the rows in \`core/providers/catalogue/\` by \`npx vitest run --config tests/vitest.config.ts providers-page -u\`; a
test fails when it is out of date.

A model is written \`provider/model\`, with the provider's name or one of its other names. A provider that is not listed here
is added by its address, with a name that none of these has. A provider defined under another name of a listed one comes
first.

- **Speaks**: the dialects the provider itself documents. Requests of any other dialect are translated to the first.
- **Needs**: what a connection must give beside the key (\`options\`), with what is used where it gives nothing. An address of
  its own (\`baseUrl\`) stands for the first dialect, and for those that the provider serves from the same base.
- **Test**: *key*: listing the models shows whether the key is valid; *check*: the list is open to everyone, a second call that
  costs nothing shows it; *list*: the list is open to everyone, the key is tried with the first request; *none*: nothing can
  be asked without cost.
- **Limits**: *model*: a limit or refusal rests the model, not the connection; *address*: limits are counted by the address on
  the internet, too.

The facts are from the providers' own documentation, which the last column names. None of them has been
called for this list: addresses and ways of sending keys are as documented, not as tried.
`

const NOT_LISTED = `## Not in the list

- **GitHub Models** was retired on 30 July 2026, **AI21**'s Jamba API on 9 August 2026.
- Subscriptions (Claude, ChatGPT, Google, GitHub Copilot) have no sign-in built in: their makers document none for other
  programs. Whoever may use one enters its address, and its sign-in or token.
`

const HEAD = ['Name', 'Provider', 'Speaks', 'Needs', 'Test', 'Limits', 'To know', 'Source']

export function providersPage(rows: readonly ProviderRow[]): string {
  const shown = rows.filter(({ id }) => id !== PRACTICE_ID)
  const groups = PROVIDER_GROUPS.flatMap((group) => {
    const members = shown.filter((row) => row.group === group)
    return members.length === 0 ? [] : [`## ${GROUP_NAMES[group]}\n\n${table(members)}`]
  })
  return [INTRODUCTION, ...groups, NOT_LISTED].join('\n')
}

function table(rows: readonly ProviderRow[]): string {
  const lines = [HEAD, HEAD.map(() => '---'), ...rows.map(cells)]
  return lines.map((line) => `| ${line.join(' | ')} |\n`).join('')
}

function cells(row: ProviderRow): string[] {
  return [
    [code(row.id), ...row.aliases.map(code)].join(', '),
    row.docsUrl === null ? row.label : `[${row.label}](${row.docsUrl})`,
    Object.entries(row.endpoints)
      .map(([dialect, base]) => `${DIALECT_NAMES[dialect as Dialect]}${base === '' ? '' : ` ${code(base)}`}`)
      .join('<br>'),
    needs(row),
    testOf(row),
    [row.perModelQuota ? 'model' : '', row.egressLimited ? 'address' : ''].filter((word) => word !== '').join(', '),
    [row.freeTier === null ? '' : `Free: ${small(row.freeTier)}`, row.note ?? '']
      .filter((text) => text !== '')
      .join(' '),
    `[docs](${row.source.url})`,
  ]
}

function needs(row: ProviderRow): string {
  const options = row.options.map(
    ({ key, default: usual }) => `${code(key)}${usual === null ? '' : ` (${code(usual)})`}`,
  )
  const address = Object.values(row.endpoints).every((base) => base === '') ? ['`baseUrl`'] : []
  return [...address, ...options, ...(row.needsKey ? [] : ['no key'])].join(', ')
}

function testOf(row: ProviderRow): string {
  if (row.keyCheckPath !== null) return row.publicModels ? 'check' : 'key'
  if (row.modelsPath === null) return 'none'
  return row.publicModels ? 'list' : 'key'
}

const code = (text: string): string => `\`${text}\``
const small = (sentence: string): string => sentence.charAt(0).toLowerCase() + sentence.slice(1)
