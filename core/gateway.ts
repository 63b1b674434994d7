// Builds the gateway out of its parts, in order, and takes it down again: the only file that knows them all.
import { randomUUID } from 'node:crypto'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { PushName } from './contract/events'
import type { Operations } from './contract/operations'
import { type GatewayStatus, type ListenerState, METRICS_BUCKET_MS, type ProviderView } from './contract/views'
import { GatewayError } from './errors'
import type { Host } from './host'
import { autoComboRoutes } from './http/endpoints/auto-combo'
import { generateRoutes } from './http/endpoints/generate'
import { healthRoutes } from './http/endpoints/health'
import { modelRoutes } from './http/endpoints/models'
import { responseRoutes } from './http/endpoints/responses'
import { type Listener, listen } from './http/listener'
import { managementRoutes } from './http/management/routes'
import { Router } from './http/router'
import { comboViews } from './management/combo-views'
import { exportFrom, importInto } from './management/config-exchange'
import { listStates } from './management/list-models'
import { aliasViews } from './management/model-aliases'
import { createOperations, snippets } from './management/operations'
import { sendTry, type TryTarget } from './management/try-request'
import { providerView } from './management/views'
import { estimateTokens } from './models/estimate-tokens'
import { type OpenParts, openParts } from './open-parts'
import { overallState } from './overall-state'
import { autoCandidates } from './pipeline/auto-candidates'
import type { ClientAnswer } from './pipeline/client-answer'
import { explainCombo } from './pipeline/explain-combo'
import type { PipelineDeps } from './pipeline/handle-request'
import { Roster } from './pipeline/roster'
import { createMemories, pipelineDeps, timeZone } from './pipeline-deps'
import { nextReturn } from './resilience/next-return'
import { judge } from './resilience/verdict/judge'
import { newId } from './store/ids'
import { PushBus, type Pushes } from './telemetry/pushes'
import { dataTrouble, portTrouble } from './trouble'

export interface Gateway {
  status(): GatewayStatus
  readonly operations: Operations
  readonly pushes: Pushes
  /** Plain text with a key in it, for the clipboard only; null when the key is no longer in memory. */
  readonly secrets: {
    clientKey(keyId: string): string | null
    snippet(tool: string, keyId: string | undefined, model: string): string | null
  }
  /** Whether a sign-in under way wants this page opened in the person's browser. */
  mayOpen(url: string): boolean
  /** The opened parts, for import and export; null while the data is not open. */
  parts(): OpenParts | null
  /** Opens the data without listening yet. Trouble is in `status().listener`, never thrown. */
  open(): Promise<GatewayStatus>
  /** Opens the data if need be, and listens. */
  start(): Promise<GatewayStatus>
  /** Lets running answers finish for a while, then ends them; closes the databases last. */
  stop(): Promise<void>
  onSuspend(): void
  onResume(): void
}

/** A running answer gets this long when the gateway stops. */
const DRAIN_MS = 2_000
/** Figures that change with every request are pushed at most this often. */
const PUSH_EVERY_MS = 1_000
/** Work that can wait is done so long after the start. */
const SETTLED_MS = 1_000
/** The event loop's delay is sampled this often: each sample wakes the processor up. */
const LOOP_SAMPLE_MS = 250
/** Whether the daily copy of the settings is due is looked at this often: a tray app runs for weeks. */
const BACKUP_CHECK_MS = 3_600_000

type Changed = Exclude<PushName, 'log:appended' | 'try:chunk'>

export function createGateway(host: Host): Gateway {
  const { clock, log } = host
  const instanceId = randomUUID()
  const startedAt = clock.now()
  const pushes = new PushBus(log)
  const loopDelay = monitorEventLoopDelay({ resolution: LOOP_SAMPLE_MS })
  let listenerState: ListenerState = { kind: 'starting' }
  let listener: Listener | null = null
  let parts: OpenParts | null = null
  let tryKey: string | null = null
  let stopping = false
  const memories = createMemories(host)
  const dirty = new Set<Changed>()
  /** When what was last told of health is over by itself. */
  let healthEnds: number | null = null
  const answers = new Roster<ClientAnswer>()
  let answersEnded = (): void => {}

  /** All that may change by itself; the others are rows of the catalogue that nobody uses. */
  const providers = (): ProviderView[] => {
    if (parts === null) return []
    const { book, activity } = parts
    return [...book.registry().values()]
      .filter(({ row, connections }) => connections.length > 0 || !row.builtIn)
      .map((provider) => providerView(provider, activity))
  }
  const url = (): string => {
    const port = listener?.port ?? parts?.settings.snapshot().listenPort ?? 0
    return `http://127.0.0.1:${port}`
  }
  const status = (): GatewayStatus => {
    const paused = parts?.settings.snapshot().paused ?? false
    return {
      instanceId,
      version: host.version,
      startedAt,
      dataDir: host.dataDir,
      listener: listenerState,
      ...overallState(listenerState, paused, providers()),
      paused,
      vault: host.vault.view(),
      running: answers.count,
      today: parts?.metrics.today() ?? { requests: 0, failed: 0, failedOver: 0 },
      // What is measured is the distance of two samples.
      eventLoopDelayP99Ms: Math.max(0, Math.round(loopDelay.percentile(99) / 1e5 - LOOP_SAMPLE_MS * 10) / 10),
    }
  }
  const emit = (name: Changed): void => {
    if (name === 'gateway:changed') return pushes.emit(name, status)
    if (name === 'providers:changed') {
      const told = providers()
      healthEnds = nextReturn(told, parts?.health.breakerStatuses(clock.now()) ?? [], clock.now())
      return pushes.emit(name, () => told)
    }
    if (parts === null) return
    const opened = parts
    if (name === 'settings:changed') return pushes.emit(name, () => opened.settings.list())
    if (name === 'models:changed')
      return pushes.emit(name, () => ({ lists: listStates(opened.models.book), aliases: aliasViews(opened) }))
    if (name === 'keys:changed') return pushes.emit(name, () => opened.keys.list())
    if (name === 'combos:changed') return pushes.emit(name, () => comboViews(opened))
    pushes.emit(name, () => opened.metrics.recent(15))
  }
  const changed = (name: Changed): void => {
    emit(name)
    if (name === 'providers:changed') emit('gateway:changed')
  }
  const setListener = (state: ListenerState): GatewayStatus => {
    listenerState = state
    emit('gateway:changed')
    return status()
  }
  clock.every(PUSH_EVERY_MS, () => {
    if (healthEnds !== null && clock.now() >= healthEnds) dirty.add('providers:changed')
    // The whole gateway's state follows from that of the providers.
    if (dirty.has('providers:changed')) dirty.add('gateway:changed')
    for (const name of dirty) emit(name)
    dirty.clear()
  })
  clock.every(BACKUP_CHECK_MS, () => parts !== null && backUp(parts))
  // The chart moves on without traffic, too.
  clock.every(METRICS_BUCKET_MS, () => emit('metrics:changed'))

  const depsOf = (opened: OpenParts): PipelineDeps =>
    pipelineDeps(host, opened, memories, {
      started(answer) {
        answers.add(answer)
        dirty.add('gateway:changed')
      },
      finished(answer) {
        answers.remove(answer)
        dirty.add('gateway:changed').add('metrics:changed').add('providers:changed')
        if (answers.count === 0) answersEnded()
      },
    })

  async function open(): Promise<GatewayStatus> {
    if (parts !== null) return status()
    loopDelay.enable()
    try {
      parts = await openParts(
        host,
        changed,
        (records) => pushes.emit('log:appended', () => [...records]),
        (name) => dirty.add(name),
      )
      tryKey = parts.keys.internalKey('try it')
      dirty.add('providers:changed')
      parts.settings.onChange((next, previous) => {
        emit('settings:changed')
        emit('gateway:changed')
        if (next.listenPort !== previous.listenPort && !stopping) void listenAgain()
      })
      return status()
    } catch (error) {
      return setListener(dataTrouble(error, host.dataDir, log))
    }
  }

  async function start(): Promise<GatewayStatus> {
    await open()
    if (parts === null || listener !== null) return status()
    return listenOn(parts, parts.settings.snapshot().listenPort)
  }

  async function listenOn(opened: OpenParts, port: number): Promise<GatewayStatus> {
    try {
      listener = await listen(port, {
        router: new Router([
          ...generateRoutes(depsOf(opened), estimateTokens),
          ...responseRoutes(memories.responses),
          ...modelRoutes((clientKeyId) => opened.models.book.listFor(clientKeyId)),
          ...autoComboRoutes(async (combo, headers) => {
            await opened.models.book.factsLearned()
            return autoCandidates(opened.combos.resolved(combo), headers, depsOf(opened))
          }),
          ...healthRoutes(() => ({
            status: status().overall,
            instanceId,
            version: host.version,
            startedAt,
            port: listener?.port ?? port,
            now: clock.now(),
          })),
          ...managementRoutes({
            operations,
            clock,
            redact: host.redact,
            plainKey: opened.keys.plainOf,
            exportConfig: () => exportFrom(opened),
            importConfig: async (text) => {
              await importInto(opened, text)
              for (const name of ['providers:changed', 'keys:changed', 'models:changed'] as const) opened.changed(name)
            },
          }),
        ]),
        settings: () => opened.settings.snapshot(),
        clientKeys: () => opened.keys.all(),
        keyUsed: opened.keys.used,
        log,
      })
    } catch (error) {
      return setListener(await portTrouble(error as NodeJS.ErrnoException, port, log))
    }
    log.info({ url: url() }, 'listening')
    clock.after(SETTLED_MS, () => {
      backUp(opened)
      warmUp(opened)
    })
    return setListener({ kind: 'listening', url: url(), port: listener.port, since: clock.now() })
  }

  /** Patterns are compiled when they are first used: not while somebody waits for the first fail-over. */
  function warmUp({ book, rules }: OpenParts): void {
    const [known] = book.registry().values()
    if (known === undefined) return
    const place = { provider: known.row, model: null, now: clock.now(), timeZone }
    for (const [status, body] of [
      [503, 'Overloaded.'],
      [429, 'Rate limit reached. Try again in 20 s.'],
    ] as const)
      judge({ kind: 'answer', ...place, status, headers: {}, body }, rules.snapshot())
  }

  function backUp(opened: OpenParts): void {
    if (parts !== opened) return
    try {
      opened.databases.backUpDaily(clock.now())
    } catch (error) {
      log.warn({ error: String(error) }, 'the daily copy of the settings could not be made')
    }
  }

  async function listenAgain(): Promise<GatewayStatus> {
    const old = listener
    listener = null
    if (old !== null) {
      // Running answers finish on the old port while new ones come in on the new one.
      void old.close()
      clock.after(DRAIN_MS * 30, () => old.destroy())
    }
    setListener({ kind: 'starting' })
    return start()
  }

  async function stop(): Promise<void> {
    stopping = true
    const closing = listener?.close()
    if (answers.count > 0) {
      await new Promise<void>((resolve) => {
        answersEnded = resolve
        clock.after(DRAIN_MS, resolve)
      })
    }
    for (const answer of answers.all()) answer.stop(stoppingError())
    listener?.destroy()
    await closing
    listener = null
    await parts?.close()
    parts = null
    loopDelay.disable()
    setListener({ kind: 'stopped' })
  }

  const tryTarget = (): TryTarget => ({ port: listener?.port ?? 0, key: tryKey ?? '' })
  const operations = createOperations({
    status,
    retry: async () => (listener === null ? start() : status()),
    parts: () => parts,
    url,
    tryTarget,
    explainCombo: async (combo, request, headers) => {
      if (parts === null) throw stoppingError()
      const deps = depsOf(parts)
      await deps.factsLearned()
      return explainCombo(combo, request, headers, deps)
    },
    trySend: (input) => {
      const tryId = newId('try')
      sendTry(tryId, input, tryTarget(), (chunk) => pushes.emit('try:chunk', () => chunk))
      return tryId
    },
  })

  return {
    status,
    operations,
    pushes,
    secrets: {
      clientKey: (keyId) => parts?.keys.plainOf(keyId) ?? null,
      snippet: (tool, keyId, model) =>
        parts === null
          ? null
          : (snippets({ url }, parts, keyId, model, true).find((known) => known.tool === tool)?.text ?? null),
    },
    mayOpen: (url) => parts?.signIns.mayOpen(url) ?? false,
    parts: () => parts,
    open,
    start,
    stop,
    onSuspend: () => log.info({}, 'the system goes to sleep'),
    onResume: () => {
      log.info({}, 'the system woke up')
      // Sockets from before the sleep may be dead without knowing it.
      parts?.renewTransport()
      parts?.logins.look()
      if (parts !== null && listener === null && !stopping) void start()
    },
  }
}

const stoppingError = (): GatewayError =>
  new GatewayError('gateway_stopping', 503, 'The gateway was stopped before the answer was complete.')
