// One small GET of a provider, read whole: for lists of models, tests of keys and looking for servers. Never part of a
// client's request.
import type { Clock } from '../clock'
import { networkOutcome } from '../pipeline/network-outcome'
import type { Outcome } from '../pipeline/outcome'
import type { Through } from '../pipeline/proxy-choice'
import type { Transport } from '../pipeline/transport'

export interface GetCall {
  readonly origin: string
  /** With its query. */
  readonly path: string
  /** A flat list of names and values. */
  readonly headers: readonly string[]
  /** The connection's own proxy. */
  readonly proxy?: Through
}

export interface Got {
  /** null: no answer came. */
  readonly status: number | null
  readonly text: string
  /** null: a 2xx answer, read to its end. */
  readonly outcome: Outcome | null
}

const MAX_BYTES = 4 * 1_048_576
/** In place of a network error's code. */
export const TOO_LONG = 'TOO_LONG'
/** Of a refusal, for the verdict. */
const MAX_TEXT = 4096

/** Never throws. Given up after `limitMs`, or when the answer is longer than 4 MiB. */
export function getText(transport: Transport, call: GetCall, clock: Clock, limitMs: number): Promise<Got> {
  const { origin, path, proxy = null } = call
  return new Promise((resolve) => {
    let status: number | null = null
    let length = 0
    const chunks: Buffer[] = []
    const done = (outcome: Outcome | null): void => {
      timer.cancel()
      resolve({ status, text: Buffer.concat(chunks).toString('utf8'), outcome })
    }
    let abort = (): void => {}
    const timer = clock.after(limitMs, () => {
      done({ kind: 'timeout', phase: status === null ? 'first byte' : 'idle' })
      abort()
    })
    transport.dispatcher(origin, proxy).dispatch(
      { origin, path, method: 'GET', headers: [...call.headers] },
      {
        onRequestStart(controller) {
          abort = () => controller.abort(new Error('no longer wanted'))
        },
        onResponseStart(_controller, code) {
          status = code
        },
        onResponseData(controller, chunk) {
          length += chunk.length
          if (length > MAX_BYTES) controller.abort(Object.assign(new Error('too long'), { code: TOO_LONG }))
          else chunks.push(chunk)
        },
        onResponseEnd() {
          const text = Buffer.concat(chunks).toString('utf8', 0, MAX_TEXT)
          done(status !== null && status < 300 ? null : { kind: 'http', status: status ?? 0, headers: {}, text })
        },
        onResponseError(_controller, error) {
          done(networkOutcome(error))
        },
      },
    )
  })
}
