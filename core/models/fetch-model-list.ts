// Asks one provider for its models, page by page, within bounds of size, number and time. What fails here is said and
// forgotten: it never counts against anyone's health.
import type { Clock } from '../clock'
import type { Transport } from '../pipeline/transport'
import { type ListedModel, parseModelList } from './parse-model-list'

export interface ModelsCall {
  readonly origin: string
  /** With its query, where it has one. */
  readonly path: string
  readonly headers: readonly string[]
}

export type FetchedList =
  | { readonly ok: true; readonly models: readonly ListedModel[] }
  /** `why`: "it answered 401", in words for a person. */
  | { readonly ok: false; readonly why: string }

/** For all pages together. */
const LIMIT_MS = 30_000
const MAX_PAGE_BYTES = 8 * 1_048_576
const MAX_PAGES = 20
export const MAX_MODELS = 5_000

export async function fetchModelList(call: ModelsCall, transport: Transport, clock: Clock): Promise<FetchedList> {
  const endsAt = clock.elapsed() + LIMIT_MS
  const found = new Map<string, ListedModel>()
  let query: string | null = ''
  for (let page = 0; query !== null && page < MAX_PAGES && found.size < MAX_MODELS; page++) {
    const answer = await get(call, withQuery(call.path, query), transport, clock, endsAt - clock.elapsed())
    if (!answer.ok) return answer
    const list = parseModelList(answer.text)
    if (list === null) return { ok: false, why: `${call.origin} answers, but not with a list of models` }
    const before = found.size
    for (const model of list.models) if (found.size < MAX_MODELS && !found.has(model.id)) found.set(model.id, model)
    // A server that ignores the page it is asked for gives the first one for ever.
    query = found.size === before ? null : list.next
  }
  return { ok: true, models: [...found.values()] }
}

const withQuery = (path: string, query: string): string =>
  query === '' ? path : `${path}${path.includes('?') ? '&' : '?'}${query}`

type Answer = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly why: string }

function get(call: ModelsCall, path: string, transport: Transport, clock: Clock, ms: number): Promise<Answer> {
  const { origin, headers } = call
  return new Promise((resolve) => {
    let status = 0
    let length = 0
    const chunks: Buffer[] = []
    let abort = (): void => {}
    const done = (answer: Answer): void => {
      timer.cancel()
      resolve(answer)
    }
    const timer = clock.after(Math.max(ms, 0), () => {
      done({ ok: false, why: `${origin} did not answer within ${LIMIT_MS / 1000} seconds` })
      abort()
    })
    transport.dispatcher(origin).dispatch(
      { origin, path, method: 'GET', headers: [...headers] },
      {
        onRequestStart(controller) {
          abort = () => controller.abort(new Error('no longer wanted'))
        },
        onResponseStart(_controller, code) {
          status = code
        },
        onResponseData(controller, chunk) {
          length += chunk.length
          if (length <= MAX_PAGE_BYTES) {
            chunks.push(chunk)
            return
          }
          done({ ok: false, why: `the list of ${origin} is longer than ${MAX_PAGE_BYTES / 1_048_576} MB` })
          controller.abort(new Error('too long'))
        },
        onResponseEnd() {
          if (status >= 200 && status < 300) done({ ok: true, text: Buffer.concat(chunks).toString('utf8') })
          else done({ ok: false, why: `${origin} answered ${status}` })
        },
        onResponseError(_controller, error) {
          const code = (error as NodeJS.ErrnoException).code ?? error.name
          done({ ok: false, why: `${origin} could not be reached (${code})` })
        },
      },
    )
  })
}
