// Where a connection stands among those of its provider: a name of its own, its address, its options, its turn.
import { type ConnectionSettingsPatch, withPatch } from '../contract/connection-settings'
import { badInput } from '../errors'
import { normalizeBaseUrl } from '../providers/base-url'
import { checkOptions } from '../providers/options'
import { mainDialect, type ProviderRow } from '../providers/provider-row'
import { checkAddress } from '../providers/registry'
import type { StoredConnection } from '../store/connections-table'
import type { Parts } from './parts'

export interface WantedPlace {
  readonly name?: string | undefined
  readonly baseUrl?: string | undefined
  readonly options?: Readonly<Record<string, string>> | undefined
  readonly priority?: number | undefined
  readonly settings?: ConnectionSettingsPatch | undefined
}

type Place = Pick<StoredConnection, 'provider' | 'name' | 'baseUrl' | 'options' | 'priority' | 'enabled' | 'settings'>

/**
 * For a new connection, or (`present`) for one that stays where what is wanted says nothing.
 * @throws GatewayError 400 naming the field
 */
export function connectionPlace(
  { connections }: Pick<Parts, 'connections'>,
  row: ProviderRow,
  wanted: WantedPlace,
  present: StoredConnection | null,
): Place {
  const siblings = connections.list().filter(({ provider, id }) => provider === row.id && id !== present?.id)
  const baseUrl =
    wanted.baseUrl === undefined || wanted.baseUrl.trim() === ''
      ? (present?.baseUrl ?? null)
      : normalizeBaseUrl(wanted.baseUrl, mainDialect(row))
  const options = wanted.options === undefined ? (present?.options ?? {}) : checkOptions(row, wanted.options)
  checkAddress(row, baseUrl, options)
  const taken = new Set(siblings.map(({ name }) => name))
  if (wanted.name !== undefined && taken.has(wanted.name))
    throw badInput('name', `There is already a connection "${wanted.name}" of this provider. Choose another name.`)
  return {
    provider: row.id,
    name: wanted.name ?? present?.name ?? freeName(taken),
    baseUrl,
    options,
    priority: wanted.priority ?? present?.priority ?? Math.max(0, ...siblings.map(({ priority }) => priority)) + 1,
    enabled: true,
    settings: withPatch(present?.settings ?? {}, wanted.settings ?? {}),
  }
}

/** "account", "account 2" … */
function freeName(taken: ReadonlySet<string>): string {
  for (let n = 1; ; n++) {
    const name = n === 1 ? 'account' : `account ${n}`
    if (!taken.has(name)) return name
  }
}
