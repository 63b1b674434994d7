// What the core shows of itself: the shapes that travel to the window, and later over REST. Never a secret:
// a key is a mask with its last four characters at most.
import { z } from 'zod'
import { ConnectionSettings } from './connection-settings'
import { DIALECTS, HEALTH_STATES, OVERALL_STATES, PROVIDER_CLASSES, REASONS, SCOPES } from './kinds'
import { ConnectionQuota } from './quota-views'

const ms = z.number()
const moment = z.number() // epoch milliseconds

/** Whether the gateway can be reached, and if not, why. The first page of the window is drawn from this alone. */
export const ListenerState = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('starting') }),
  z.object({ kind: z.literal('listening'), url: z.string(), port: z.number(), since: moment }),
  z.object({
    kind: z.literal('port-in-use'),
    port: z.number(),
    /** Another Breakwater answered there, or something else holds it. */
    holder: z.enum(['breakwater', 'other']),
    /** The next free port, offered but never taken without a person's word. */
    freePort: z.number().nullable(),
  }),
  z.object({ kind: z.literal('port-forbidden'), port: z.number(), freePort: z.number().nullable() }),
  z.object({ kind: z.literal('listen-failed'), port: z.number(), message: z.string() }),
  z.object({
    kind: z.literal('database-refused'),
    file: z.string(),
    message: z.string(),
    /** What a person can do about it. */
    wayOut: z.string(),
  }),
  z.object({ kind: z.literal('data-folder-in-use'), folder: z.string(), pid: z.number().nullable() }),
  z.object({ kind: z.literal('stopped') }),
])
export type ListenerState = z.infer<typeof ListenerState>

/** How keys are protected at rest on this machine. */
export const VaultView = z.object({
  /** `os`: the system's key store; `file`: a key file only this user may read; `memory`: only until quitting; `none`: not chosen yet, keys cannot be saved. */
  kind: z.enum(['os', 'file', 'memory', 'none']),
  /** One plain sentence for the person: what protects the keys, or that nothing does. */
  message: z.string(),
  /** What the person may choose instead. Empty where the system's key store works. */
  choices: z.array(z.enum(['file', 'memory'])),
})
export type VaultView = z.infer<typeof VaultView>

export const GatewayStatus = z.object({
  instanceId: z.string(),
  version: z.string(),
  startedAt: moment,
  dataDir: z.string(),
  listener: ListenerState,
  overall: z.enum(OVERALL_STATES),
  /** Why `overall` is what it is, in one sentence; empty when healthy. */
  overallWhy: z.string(),
  paused: z.boolean(),
  vault: VaultView,
  running: z.number(),
  today: z.object({ requests: z.number(), failed: z.number(), failedOver: z.number() }),
  eventLoopDelayP99Ms: ms,
})
export type GatewayStatus = z.infer<typeof GatewayStatus>

export const SettingView = z.object({
  key: z.string(),
  value: z.union([z.number(), z.boolean(), z.string(), z.array(z.string())]),
  source: z.enum(['default', 'stored', 'environment', 'flag']),
  /** What is stored, when another source overrides it. */
  stored: z.union([z.number(), z.boolean(), z.string(), z.array(z.string())]).nullable(),
  /** A source that was ignored, and why: "BREAKWATER_PORT=abc: must be a whole number …". */
  warning: z.string().nullable(),
})
export type SettingView = z.infer<typeof SettingView>

/** How a connection that signs in with OAuth stands. Never a token. */
export const LoginView = z.object({
  state: z.enum(['ok', 'refreshing', 'needs-sign-in']),
  /** When the access token ends; null where nobody said. It is renewed before, if it can be. */
  expiresAt: moment.nullable(),
  /** Why a person is needed, or why the last refresh failed; empty when all is well. */
  why: z.string(),
  /** How a person can sign in again without entering anything: the addresses and the client are known. */
  again: z.array(z.enum(['code', 'device'])),
})
export type LoginView = z.infer<typeof LoginView>

/** A sign-in that was begun: how it went so far. */
export const SignInView = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('pending') }),
  z.object({ kind: z.literal('done'), connectionId: z.string() }),
  z.object({ kind: z.literal('failed'), message: z.string() }),
])
export type SignInView = z.infer<typeof SignInView>

export const ConnectionView = z.object({
  id: z.string(),
  provider: z.string(),
  name: z.string(),
  baseUrl: z.string().nullable(),
  /** What was given for the provider's options, by key. */
  options: z.record(z.string(), z.string()),
  /** "sk-…4f2a", or null where the connection has no key. */
  keyMask: z.string().nullable(),
  priority: z.number(),
  enabled: z.boolean(),
  state: z.enum(HEALTH_STATES),
  /** Why it is in that state, in one sentence; empty when healthy. */
  why: z.string(),
  since: moment.nullable(),
  /** When it returns by itself; null: it does not, or it is well. */
  until: moment.nullable(),
  /** The key is sealed by a store that cannot be opened now. It is kept; entering it again replaces it. */
  locked: z.boolean(),
  /** Its own proxy as `scheme://host:port`; `locked`: its address cannot be opened now, and nothing goes out without it. */
  proxy: z.object({ label: z.string(), locked: z.boolean() }).nullable(),
  /** What is not set is absent. */
  settings: ConnectionSettings,
  /** null: no sign-in, at most a key. */
  login: LoginView.nullable(),
  lastUsedAt: moment.nullable(),
  inFlight: z.number(),
  /** Its allowances; null: nothing is known of any. */
  quota: ConnectionQuota.nullable(),
  createdAt: moment,
})
export type ConnectionView = z.infer<typeof ConnectionView>

/** How the list of providers is divided; `own`: those the user defined. */
export const PROVIDER_GROUPS = ['lab', 'cloud', 'inference', 'aggregator', 'china', 'local', 'own'] as const
export type ProviderGroup = (typeof PROVIDER_GROUPS)[number]

export const ProviderView = z.object({
  id: z.string(),
  /** Other names under which it is found. */
  aliases: z.array(z.string()),
  label: z.string(),
  class: z.enum(PROVIDER_CLASSES),
  group: z.enum(PROVIDER_GROUPS),
  dialect: z.enum(DIALECTS),
  /** All it speaks; the first is `dialect`. */
  dialects: z.array(z.enum(DIALECTS)),
  /** Of `dialect`, with `{option}` where an option stands. Empty for providers whose address only the user knows. */
  baseUrl: z.string(),
  options: z.array(
    z.object({
      key: z.string(),
      label: z.string(),
      help: z.string(),
      /** Used where none is given. */
      default: z.string().nullable(),
      required: z.boolean(),
    }),
  ),
  /** Whether it can be asked for its models, which is also how a key is tested without cost. */
  modelsListable: z.boolean(),
  /** What is free of charge, in one sentence. */
  freeTier: z.string().nullable(),
  /** What a person should know before adding it, in one sentence. */
  note: z.string().nullable(),
  /** The documentation its settings come from, and whether they were tried against the real service. */
  source: z.object({ url: z.string(), tried: z.boolean() }),
  builtIn: z.boolean(),
  needsKey: z.boolean(),
  keyHint: z.string(),
  docsUrl: z.string().nullable(),
  /** What is known of signing in with an account; null members are to be entered. null: this provider takes keys. */
  signIn: z
    .object({
      authorizeUrl: z.string().nullable(),
      deviceUrl: z.string().nullable(),
      tokenUrl: z.string().nullable(),
      clientId: z.string().nullable(),
    })
    .nullable(),
  state: z.enum(HEALTH_STATES),
  why: z.string(),
  since: moment.nullable(),
  until: moment.nullable(),
  connections: z.array(ConnectionView),
})
export type ProviderView = z.infer<typeof ProviderView>

/** A model server found running on this machine. */
export const FoundServer = z.object({
  provider: z.string(),
  baseUrl: z.string(),
  models: z.array(z.string()),
  /** A connection leads there already. */
  already: z.boolean(),
})
export type FoundServer = z.infer<typeof FoundServer>

export const AttemptView = z.object({
  index: z.number(),
  provider: z.string(),
  model: z.string(),
  connectionId: z.string(),
  connectionName: z.string(),
  outcome: z.enum(['ok', 'failed', 'aborted']),
  status: z.number().nullable(),
  reason: z.enum(REASONS).nullable(),
  /** The provider's own words, shortened, keys removed. */
  message: z.string(),
  /** Why the gateway went on to another connection, or stopped here. */
  next: z.string(),
  startedAt: moment,
  firstByteMs: ms.nullable(),
  totalMs: ms,
})
export type AttemptView = z.infer<typeof AttemptView>

export const RequestView = z.object({
  id: z.string(),
  at: moment,
  clientKey: z.string(),
  tool: z.string(),
  endpoint: z.string(),
  dialect: z.enum(DIALECTS),
  model: z.string(),
  target: z.string().nullable(),
  stream: z.boolean(),
  outcome: z.enum(['ok', 'failed', 'aborted', 'truncated']),
  status: z.number(),
  code: z.string().nullable(),
  message: z.string(),
  firstByteMs: ms.nullable(),
  totalMs: ms,
  inputTokens: z.number().nullable(),
  outputTokens: z.number().nullable(),
  attempts: z.array(AttemptView),
})
export type RequestView = z.infer<typeof RequestView>

/** Ten seconds of traffic. */
export const MetricsBucket = z.object({
  at: moment,
  requests: z.number(),
  failed: z.number(),
  failedOver: z.number(),
  /** Of the requests that ended in this bucket; null when none did. */
  p50Ms: ms.nullable(),
  p95Ms: ms.nullable(),
  firstByteP50Ms: ms.nullable(),
})
export type MetricsBucket = z.infer<typeof MetricsBucket>
export { METRICS_BUCKET_MS } from './kinds'

export const ClientKeyView = z.object({
  id: z.string(),
  name: z.string(),
  mask: z.string(),
  scopes: z.array(z.enum(SCOPES)),
  createdAt: moment,
  lastUsedAt: moment.nullable(),
  /** True only while the plain key is still in memory: made in this run, so it can be copied once more. */
  copyable: z.boolean(),
})
export type ClientKeyView = z.infer<typeof ClientKeyView>

export const TestResult = z.object({
  ok: z.boolean(),
  status: z.number().nullable(),
  ms,
  reason: z.enum(REASONS).nullable(),
  /** One sentence: what was found, and what to do when it failed. */
  message: z.string(),
  models: z.array(z.string()),
})
export type TestResult = z.infer<typeof TestResult>

/** The settings of one tool, ready to paste. Over IPC the key is masked; copying goes through the main process. */
export const ToolSnippet = z.object({
  tool: z.string(),
  label: z.string(),
  /** Where it belongs: a file or "shell". */
  where: z.string(),
  text: z.string(),
  /** What the tool can and cannot do this way. */
  note: z.string(),
})
export type ToolSnippet = z.infer<typeof ToolSnippet>
