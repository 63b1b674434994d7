// A person's live test of a connection: lists the models with its key and says in a sentence what came of it.
import type { Clock } from '../clock'
import type { TestResult } from '../contract/views'
import { dialectModules } from '../dialects/dialects'
import type { Transport } from '../pipeline/transport'
import type { ProviderRow } from '../providers/catalogue'
import { type Connection, unusableBecause } from '../providers/registry'
import { classify, type Outcome, type Verdict } from '../resilience/classify'

const LIMIT_MS = 15_000
const MAX_BYTES = 4 * 1_048_576

export async function testConnection(
  row: ProviderRow,
  connection: Connection,
  transport: Transport,
  clock: Clock,
): Promise<TestResult> {
  const because = unusableBecause(row, { ...connection, enabled: true })
  const endpoint = connection.endpoints[0]
  if (because !== null || endpoint === undefined)
    return failure(null, 0, `Not tested: ${because ?? 'it has no address'}.`, null)
  const dialect = dialectModules[endpoint.dialect]
  const startedAt = clock.elapsed()
  const { status, text, outcome } = await get(
    transport,
    endpoint.origin,
    endpoint.basePath + dialect.modelsPath,
    [...endpoint.headers, ...dialect.defaultHeaders.flat()],
    clock,
  )
  const ms = Math.round(clock.elapsed() - startedAt)
  if (outcome !== null) {
    const verdict = classify(outcome)
    return failure(status, ms, words(row, endpoint.origin, status, verdict), verdict.reason)
  }
  const models = modelIds(text)
  if (models === null) {
    return failure(
      status,
      ms,
      `Something answers at ${endpoint.origin}, but not with a list of models. Check the base URL.`,
      'server_error',
    )
  }
  return {
    ok: true,
    status,
    ms,
    reason: null,
    message: `${row.label} answered in ${ms} ms with ${count(models.length)}.`,
    models,
  }
}

const count = (models: number): string => (models === 1 ? '1 model' : `${models} models`)

const failure = (status: number | null, ms: number, message: string, reason: TestResult['reason']): TestResult => ({
  ok: false,
  status,
  ms,
  reason,
  message,
  models: [],
})

function words(row: ProviderRow, origin: string, status: number | null, verdict: Verdict): string {
  switch (verdict.reason) {
    case 'auth_error':
    case 'forbidden':
      return `${row.label} refused the key (${status}). Enter a valid key.`
    case 'credits_exhausted':
      return `${row.label} says that there is no credit left (${verdict.message}).`
    case 'not_found':
    case 'bad_request':
      return `${origin} has no list of models there (${status}). Check the base URL.`
    default:
      return `${row.label} at ${origin}: ${verdict.message}.`
  }
}

function get(
  transport: Transport,
  origin: string,
  path: string,
  headers: string[],
  clock: Clock,
): Promise<{ status: number | null; text: string; outcome: Outcome | null }> {
  return new Promise((resolve) => {
    let status: number | null = null
    let length = 0
    const chunks: Buffer[] = []
    const done = (outcome: Outcome | null): void => {
      timer.cancel()
      resolve({ status, text: Buffer.concat(chunks).toString('utf8'), outcome })
    }
    let abort = (): void => {}
    const timer = clock.after(LIMIT_MS, () => {
      done({ kind: 'timeout', phase: status === null ? 'first byte' : 'idle' })
      abort()
    })
    transport.dispatcher(origin).dispatch(
      { origin, path, method: 'GET', headers },
      {
        onRequestStart(controller) {
          abort = () => controller.abort(new Error('no longer wanted'))
        },
        onResponseStart(_controller, code) {
          status = code
        },
        onResponseData(controller, chunk) {
          length += chunk.length
          if (length > MAX_BYTES) controller.abort(new Error('too long'))
          else chunks.push(chunk)
        },
        onResponseEnd() {
          const text = Buffer.concat(chunks).toString('utf8', 0, 4096)
          done(
            status !== null && status < 300 ? null : { kind: 'http', status: status ?? 0, retryAfter: undefined, text },
          )
        },
        onResponseError(_controller, error) {
          const code = (error as NodeJS.ErrnoException).code ?? error.name
          done(code === 'UND_ERR_CONNECT_TIMEOUT' ? { kind: 'timeout', phase: 'connect' } : { kind: 'network', code })
        },
      },
    )
  })
}

function modelIds(text: string): string[] | null {
  try {
    const body = JSON.parse(text) as { data?: unknown; models?: unknown }
    const list = body.data ?? body.models
    if (!Array.isArray(list)) return null
    return list.flatMap((model: { id?: unknown; name?: unknown }) => {
      const id = model?.id ?? model?.name
      return typeof id === 'string' ? [id] : []
    })
  } catch {
    return null
  }
}
