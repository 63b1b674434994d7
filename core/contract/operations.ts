// Every operation of the core that a person or a script can ask for: name → what goes in, what comes out.
// The window reaches them over IPC, scripts over REST.
import { z } from 'zod'
import { COMBO_OPERATIONS } from './combo-operations'
import { ConnectionSettingsPatch } from './connection-settings'
import { HEALTH_OPERATIONS } from './health-operations'
import { DIALECTS, SCOPES } from './kinds'
import { MODEL_OPERATIONS } from './model-operations'
import {
  ClientKeyView,
  ConnectionView,
  FoundServer,
  GatewayStatus,
  MetricsBucket,
  ProviderView,
  RequestView,
  SettingView,
  SignInView,
  TestResult,
  ToolSnippet,
  VaultView,
} from './views'

const none = z.undefined()
const id = z.string().min(1).max(100)
const key = z.string().max(8192)
/** JWTs are longer than keys. */
const token = z.string().max(32_768)
const baseUrl = z.string().max(2048)
/** What the provider's address needs beside the key: resource name, account id, region … */
const options = z.record(z.string().max(40), z.string().max(200))
/** `scheme://user:password@host:port` */
const proxy = z.string().max(2048)
export const NAME_LIMIT = 100
const name = z.string().trim().min(1, 'must not be empty').max(NAME_LIMIT)
const priority = z.number().int().min(0).max(1000)

export const OPERATIONS = {
  'gateway:status': { input: none, output: GatewayStatus },
  /** Tries again to open the databases and to listen, after the person has removed the cause. */
  'gateway:retry': { input: none, output: GatewayStatus },
  'gateway:pause': { input: z.object({ paused: z.boolean() }), output: GatewayStatus },
  'settings:list': { input: none, output: z.array(SettingView) },
  /** `value: null` removes the stored value. Answers with all settings, since one may decide another. */
  'settings:change': {
    input: z.object({
      key: z.string(),
      value: z.union([z.number(), z.boolean(), z.string(), z.array(z.string()), z.null()]),
    }),
    output: z.array(SettingView),
  },
  'vault:choose': { input: z.object({ kind: z.enum(['file', 'memory']) }), output: VaultView },
  'providers:list': { input: none, output: z.array(ProviderView) },
  'providers:add': {
    input: z.object({ label: name, dialect: z.enum(DIALECTS), baseUrl, id: z.string().max(40).optional() }),
    output: ProviderView,
  },
  /** Only user-defined providers without connections. */
  'providers:remove': { input: z.object({ id }), output: z.null() },
  /** Looks for model servers on this machine, at the ports they usually listen on. */
  'providers:discover': { input: none, output: z.array(FoundServer) },
  'connections:add': {
    input: z.object({
      provider: id,
      name,
      apiKey: key.optional(),
      baseUrl: baseUrl.optional(),
      options: options.optional(),
      priority: priority.optional(),
      proxy: proxy.nullable().optional(),
      settings: ConnectionSettingsPatch.optional(),
    }),
    output: ConnectionView,
  },
  /**
   * A missing field stays as it is; `baseUrl: null` falls back to the provider's; an empty `apiKey` removes the key;
   * `options` replaces all of them; `proxy: null` removes it, and its label changes nothing; of `settings`, what is left
   * out stays and null clears.
   */
  'connections:update': {
    input: z.object({
      id,
      name: name.optional(),
      apiKey: key.optional(),
      baseUrl: baseUrl.nullable().optional(),
      options: options.optional(),
      priority: priority.optional(),
      enabled: z.boolean().optional(),
      proxy: proxy.nullable().optional(),
      settings: ConnectionSettingsPatch.optional(),
    }),
    output: ConnectionView,
  },
  'connections:remove': { input: z.object({ id }), output: z.null() },
  /** Undoes `connections:remove` within this run. */
  'connections:restore': { input: z.object({ id }), output: ConnectionView },
  /** A live call to the provider: by id, or of a draft that is not saved. */
  'connections:test': {
    input: z.union([
      z.object({ id }),
      z.object({
        provider: id,
        apiKey: key.optional(),
        baseUrl: baseUrl.optional(),
        options: options.optional(),
        proxy: proxy.nullable().optional(),
      }),
      /** An endpoint that is not a provider yet. */
      z.object({ dialect: z.enum(DIALECTS), baseUrl, apiKey: key.optional() }),
    ]),
    output: TestResult,
  },
  /**
   * Begins a sign-in: with the browser (`url` is to be opened), with a code that a person enters elsewhere, or with tokens
   * from elsewhere. Fields left out are those of the connection's present sign-in, else of the provider. With
   * `connectionId` that connection gets the sign-in, else a new one does.
   */
  'oauth:begin': {
    input: z.object({
      provider: id,
      connectionId: id.optional(),
      name: name.optional(),
      baseUrl: baseUrl.optional(),
      options: options.optional(),
      method: z.enum(['code', 'device', 'tokens']),
      authorizeUrl: baseUrl.optional(),
      deviceUrl: baseUrl.optional(),
      tokenUrl: baseUrl.optional(),
      clientId: z.string().trim().min(1).max(1000).optional(),
      clientSecret: key.optional(),
      clientAuth: z.enum(['body', 'header']).optional(),
      scopes: z.array(z.string().trim().min(1).max(200)).max(100).optional(),
      accessToken: token.optional(),
      refreshToken: token.optional(),
      /** When the access token ends, epoch milliseconds; left out: not known. */
      expiresAt: z.number().int().positive().optional(),
    }),
    output: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('code'), signInId: id, url: z.string(), expiresAt: z.number() }),
      z.object({
        kind: z.literal('device'),
        signInId: id,
        userCode: z.string(),
        verificationUri: z.string(),
        /** With the code in it already. */
        verificationUriComplete: z.string().nullable(),
        expiresAt: z.number(),
      }),
      z.object({ kind: z.literal('done'), connection: ConnectionView }),
    ]),
  },
  'oauth:state': { input: z.object({ signInId: id }), output: SignInView },
  'oauth:cancel': { input: z.object({ signInId: id }), output: z.null() },
  /** Renews the tokens now. An error says why they could not be. */
  'oauth:refresh': { input: z.object({ connectionId: id }), output: ConnectionView },
  'keys:list': { input: none, output: z.array(ClientKeyView) },
  'keys:create': { input: z.object({ name, scopes: z.array(z.enum(SCOPES)).default([]) }), output: ClientKeyView },
  'keys:remove': { input: z.object({ id }), output: z.null() },
  /** Newest first. `before` is the `at` and `id` of the last row shown. */
  'log:list': {
    input: z.object({
      limit: z.number().int().min(1).max(500).default(100),
      before: z.object({ at: z.number(), id: z.string() }).optional(),
      search: z.string().max(200).optional(),
      outcome: z.enum(['ok', 'failed', 'aborted', 'truncated']).optional(),
    }),
    output: z.array(RequestView),
  },
  'metrics:recent': {
    input: z.object({ minutes: z.number().int().min(1).max(60).default(15) }),
    output: z.array(MetricsBucket),
  },
  'tools:snippets': {
    input: z.object({ keyId: z.string().optional(), model: z.string().max(200) }),
    output: z.array(ToolSnippet),
  },
  ...MODEL_OPERATIONS,
  ...COMBO_OPERATIONS,
  ...HEALTH_OPERATIONS,
  /** A real request through the gateway's own port; the answer arrives as `try:chunk` pushes with this `tryId`. */
  'try:send': {
    input: z.object({
      model: z.string().min(1).max(200),
      prompt: z.string().min(1).max(4000),
      dialect: z.enum(DIALECTS).default('openai-chat'),
    }),
    output: z.object({ tryId: z.string() }),
  },
} as const satisfies Record<string, { input: z.ZodType; output: z.ZodType }>

export type OperationName = keyof typeof OPERATIONS
export type OperationInput<N extends OperationName> = z.output<(typeof OPERATIONS)[N]['input']>
export type OperationOutput<N extends OperationName> = z.output<(typeof OPERATIONS)[N]['output']>
export type Operations = { readonly [N in OperationName]: (input: OperationInput<N>) => Promise<OperationOutput<N>> }
