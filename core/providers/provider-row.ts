// What the gateway must know of a provider. One row each; code never asks which provider it has, only what its row says.
import type { Dialect, ProviderClass } from '../contract/kinds'
import type { ProviderGroup } from '../contract/views'
import type { QuotaPage } from '../quotas/quota-page'

/** How a key travels: as a bearer token, or bare in the header of that name. `null` in a row: as the dialect says. */
export type AuthStyle = 'bearer' | 'x-api-key' | 'x-goog-api-key' | 'api-key' | 'x-portkey-api-key'

/** Something only the user knows and the address needs: a resource name, an account id, a region, an API version. */
export interface ProviderOption {
  /** Stands as `{key}` in base URLs, paths and query. */
  readonly key: string
  readonly label: string
  readonly help: string
  /** Used where the user gives none; null: the user must give one. */
  readonly default: string | null
  /** What a whole value looks like. Never lets a value break out of its place in the address. */
  readonly pattern: RegExp
}

/** What tells a server on this machine from others that speak the same dialect. */
export interface LocalSign {
  /** From the root of the server. */
  readonly path: string
  /** Found in the answer to it, whatever its status. */
  readonly answer: RegExp
}

/** Where a provider lets third parties sign their users in; null members are to be entered by the user. */
export interface OAuthEndpoints {
  readonly authorizeUrl: string | null
  readonly deviceUrl: string | null
  readonly tokenUrl: string | null
  readonly clientId: string | null
  readonly scopes: readonly string[]
}

export interface ProviderRow {
  readonly id: string
  /** Other ids that mean this provider, resolved before anything else. */
  readonly aliases: readonly string[]
  readonly label: string
  readonly class: ProviderClass
  /** How the provider list groups it. */
  readonly group: ProviderGroup
  /**
   * Base URL per dialect the provider speaks; the first is the one shown, and preferred when a request must be
   * translated. Empty: only the user knows it. May hold `{option}` placeholders.
   */
  readonly endpoints: Readonly<Partial<Record<Dialect, string>>>
  /** Models that are served in certain dialects only: patterns of the bare model name, first match wins. */
  readonly modelDialects: readonly { readonly models: RegExp; readonly dialects: readonly Dialect[] }[]
  /** Path of the generate call where it is not the dialect's own; may hold `{model}` and options. */
  readonly paths: Readonly<Partial<Record<Dialect, string>>>
  /** Query string of every call, without "?"; may hold options. */
  readonly query: string
  readonly options: readonly ProviderOption[]
  readonly auth: AuthStyle | null
  /** Request headers every call carries; values may hold options. */
  readonly headers: readonly (readonly [string, string])[]
  readonly needsKey: boolean
  /** What a key looks like, for the form. */
  readonly keyHint: string
  /**
   * Relative to the first endpoint's base URL ('/models': where its dialect has them), or a whole https address, which
   * may hold options; null: the provider cannot list its models.
   */
  readonly modelsPath: string | null
  /** Anyone may read the list of models: that it was answered proves nothing about the key. */
  readonly publicModels: boolean
  /** A call that costs nothing and needs a valid key, written like `modelsPath`; null: none is known. */
  readonly keyCheckPath: string | null
  /** Where it tells how much of an account's allowance or money is left; null: nowhere that is documented. */
  readonly quotaPage: QuotaPage | null
  /** Models offered without asking: for providers that cannot list theirs. */
  readonly models: readonly string[]
  /** Any model name is passed on, listed or not. */
  readonly passthroughModels: boolean
  /** Limits are kept per model, so that a refusal locks the model and not the key (docs/resilience.md). */
  readonly perModelQuota: boolean
  /** Models that share one quota, by family: patterns of the bare model name, first match wins. */
  readonly quotaFamilies: readonly { readonly family: string; readonly models: RegExp }[]
  /** Rules may read the raw error text, not only its code and type. */
  readonly fullTextRules: boolean
  /** The scope a rule gives is acted upon, not only shown. */
  readonly honorsRuleScope: boolean
  /** 5xx with overload words are about one model, never evidence against the provider. */
  readonly overloadIsPerModel: boolean
  /** Limits are counted per address on the internet too: one connection's limit rests all that leave by the same one. */
  readonly egressLimited: boolean
  /** What its header `x-ratelimit-limit-requests` counts over. */
  readonly requestLimitSpan: 'minute' | 'daily'
  /** IANA zone of "midnight" in the provider's quota texts; null: the user's. */
  readonly quotaTimeZone: string | null
  /** Streams report token counts when asked with `stream_options.include_usage`, and refuse nothing else for it. */
  readonly reportsUsageOnRequest: boolean
  readonly maxTokensField: 'max_tokens' | 'max_completion_tokens'
  /** Default port on this machine, for providers that run here. */
  readonly localPort: number | null
  /** Any of these is enough. Empty: known by its port alone. */
  readonly localSigns: readonly LocalSign[]
  readonly oauth: OAuthEndpoints | null
  /** Where a person gets a key. */
  readonly docsUrl: string | null
  /** What is free of charge, in one sentence; null: nothing, or unknown. */
  readonly freeTier: string | null
  /** What a person should know before adding it, in one sentence. */
  readonly note: string | null
  /** Where the row's facts come from, and whether they could be tried against the real service. */
  readonly source: { readonly url: string; readonly tried: boolean }
  readonly builtIn: boolean
  /** Its failures are made on purpose: nothing is held against it. */
  readonly exempt: boolean
}

/** Stands for the models path of the first endpoint's dialect. */
export const USUAL_MODELS_PATH = '/models'

export const mainDialect = (row: ProviderRow): Dialect => (Object.keys(row.endpoints)[0] ?? 'openai-chat') as Dialect

/** A row of which only what differs from the usual is said. */
export const providerRow = (
  fields: Partial<ProviderRow> & Pick<ProviderRow, 'id' | 'label' | 'endpoints'>,
): ProviderRow => ({
  aliases: [],
  class: 'apikey',
  group: 'inference',
  modelDialects: [],
  paths: {},
  query: '',
  options: [],
  auth: null,
  headers: [],
  needsKey: true,
  keyHint: '',
  modelsPath: USUAL_MODELS_PATH,
  publicModels: false,
  keyCheckPath: null,
  quotaPage: null,
  models: [],
  passthroughModels: true,
  perModelQuota: false,
  quotaFamilies: [],
  fullTextRules: false,
  honorsRuleScope: false,
  overloadIsPerModel: false,
  egressLimited: false,
  requestLimitSpan: 'minute',
  quotaTimeZone: null,
  reportsUsageOnRequest: false,
  maxTokensField: 'max_tokens',
  localPort: null,
  localSigns: [],
  oauth: null,
  docsUrl: null,
  freeTier: null,
  note: null,
  source: { url: '', tried: false },
  builtIn: true,
  exempt: false,
  ...fields,
})
