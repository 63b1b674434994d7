// Nothing answered: what the client is told (docs/resilience.md, "Final answers"). Pure.
import type { Dialect } from '../contract/kinds'
import { GatewayError } from '../errors'
import type { Verdict } from '../resilience/classify'
import type { Target } from '../routing/resolve-model'
import type { UpstreamError } from './answer-reader'
import { headerText } from './headers'

export interface FailedAttempt {
  readonly connection: string
  readonly verdict: Verdict
  readonly error: UpstreamError | null
  /** The error has the caller's own form, and can be relayed as it came. */
  readonly sameDialect: boolean
}

export interface Exclusion {
  readonly connection: string
  readonly because: string
}

export type FinalAnswer =
  /** In the caller's own dialect, as it came. */
  { readonly kind: 'relay'; readonly error: UpstreamError } | { readonly kind: 'own'; readonly error: GatewayError }

export function finalAnswer(
  target: Target,
  dialect: Dialect,
  failed: readonly FailedAttempt[],
  excluded: readonly Exclusion[],
): FinalAnswer {
  const { row } = target.provider
  const diagnostics = {
    target: `${row.id}/${target.model}`,
    attempts: failed.map(({ connection, verdict }) => ({
      connection,
      reason: verdict.reason,
      message: verdict.message,
    })),
    excluded,
  }
  const own = (code: string, status: number, message: string): FinalAnswer => ({
    kind: 'own',
    error: new GatewayError(code, status, message, { diagnostics }),
  })
  const last = failed.at(-1)
  if (last === undefined) return own('no_usable_connection', 503, withoutConnection(target, dialect, excluded))

  // 401 is only ever about the client's own key: one about ours is never passed on.
  const speaking = failed.filter(({ error, verdict }) => isRelayable(error) && verdict.reason !== 'auth_error').at(-1)
  if (speaking !== undefined && speaking.error !== null) {
    return speaking.sameDialect
      ? { kind: 'relay', error: speaking.error }
      : translatedError(row.label, speaking, diagnostics)
  }
  if (failed.every(({ verdict }) => verdict.reason === 'auth_error' || verdict.reason === 'forbidden')) {
    return own(
      'no_usable_connection',
      503,
      `${row.label} refused the key of every connection (${names(failed)}). Enter a valid key under Connections.`,
    )
  }
  const said = `${row.label}, connection "${last.connection}": ${last.verdict.message}`
  return last.verdict.reason === 'timeout'
    ? own('gateway_timeout', 504, `No answer in time. ${said}.`)
    : own('bad_gateway', 502, `No connection could answer. ${said}.`)
}

/** The other dialect's error in the caller's own shape: its status, its words. */
function translatedError(
  label: string,
  { verdict, error, connection }: FailedAttempt,
  diagnostics: object,
): FinalAnswer {
  const status = error?.status ?? 502
  const seconds = Number(headerText(error?.headers['retry-after']))
  const retryAfterS = seconds > 0 ? Math.ceil(seconds) : undefined
  return {
    kind: 'own',
    error: new GatewayError(verdict.reason, status, `${label}, connection "${connection}": ${verdict.message}`, {
      diagnostics,
      ...(retryAfterS === undefined ? {} : { retryAfterS }),
    }),
  }
}

function isRelayable(error: UpstreamError | null): boolean {
  return error !== null && error.status >= 400 && error.body.length > 0 && error.body[0] === 0x7b
}

const names = (failed: readonly FailedAttempt[]): string => failed.map(({ connection }) => connection).join(', ')

function withoutConnection(target: Target, dialect: Dialect, excluded: readonly Exclusion[]): string {
  const { row, connections } = target.provider
  if (connections.length === 0) return `${row.label} has no connection yet. Add one under Connections.`
  if (row.endpoints[dialect] === undefined) {
    return `${row.label} does not speak ${dialect}, the format of this request. Use a provider that does.`
  }
  return `${row.label} has no usable connection: ${excluded.map(({ connection, because }) => `${connection}: ${because}`).join('; ')}.`
}
