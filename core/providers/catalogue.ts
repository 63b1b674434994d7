// The providers Breakwater knows: the rows of catalogue/, and how a row of the user's own is made.
import type { Dialect, ProviderClass } from '../contract/kinds'
import { ACCOUNTS } from './catalogue/accounts'
import { AGGREGATORS } from './catalogue/aggregators'
import { CHINA_CLOUDS } from './catalogue/china-clouds'
import { CHINA_LABS } from './catalogue/china-labs'
import { CLOUDS } from './catalogue/clouds'
import { INFERENCE } from './catalogue/inference'
import { LABS } from './catalogue/labs'
import { LOCAL, PRACTICE_ID } from './catalogue/local'
import { type ProviderRow, providerRow } from './provider-row'

export { PRACTICE_ID }

export const CATALOGUE: readonly ProviderRow[] = [
  ...LABS,
  ...AGGREGATORS,
  ...INFERENCE,
  ...CLOUDS,
  ...CHINA_LABS,
  ...CHINA_CLOUDS,
  ...ACCOUNTS,
  ...LOCAL,
]

export interface CustomProvider {
  readonly id: string
  readonly label: string
  readonly class: ProviderClass
  readonly dialect: Dialect
  readonly baseUrl: string
  readonly perModelQuota: boolean
}

/** A provider the user named is used like a built-in one. */
export const customRow = (custom: CustomProvider): ProviderRow =>
  providerRow({
    id: custom.id,
    label: custom.label,
    class: custom.class,
    group: 'own',
    endpoints: { [custom.dialect]: custom.baseUrl },
    needsKey: false,
    perModelQuota: custom.perModelQuota,
    builtIn: false,
  })

export const builtInIds: ReadonlySet<string> = new Set(CATALOGUE.map((provider) => provider.id))

const byName: ReadonlyMap<string, ProviderRow> = new Map(
  CATALOGUE.flatMap((row) => [row.id, ...row.aliases].map((name) => [name, row] as const)),
)

/** The built-in provider of that id or alias. */
export const builtInRow = (idOrAlias: string): ProviderRow | undefined => byName.get(idOrAlias)
