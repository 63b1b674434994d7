// An answer that was asked for aside becomes the client's: whole as it came, or as the stream the client wanted.
import type { AnswerEvent, JsonObject } from '../dialects/canonical'
import { isObject } from '../dialects/json'
import { wantsStoring } from '../dialects/openai-responses/continue-stored'
import { openAiResponses } from '../dialects/openai-responses/openai-responses'
import { NOT_RENAMED } from '../dialects/tool-names'
import type { StreamWriter } from '../dialects/translation'
import type { Aside } from './asking'
import { STREAM_HEADERS } from './client-answer'
import type { PipelineDeps } from './handle-request'
import type { Running } from './outgoing'

/** Said anew, of the answer as the client gets it. */
const NOT_KEPT: ReadonlySet<string> = new Set(['content-length', 'x-breakwater-attempts'])
const NOT_KEPT_OF_STREAM: ReadonlySet<string> = new Set([...NOT_KEPT, 'content-type'])

/** @param events what the answer says, complete */
export function answerWith(aside: Aside, events: readonly AnswerEvent[], running: Running, deps: PipelineDeps): void {
  const { answer, client, record } = running
  const { response } = aside
  const own = ['x-breakwater-attempts', String(record.attempts)]
  aside.adopted()
  const writer = client.asked.stream ? streamWriter(running, deps) : null
  if (writer === null) {
    answer.sendWhole(200, [...response.headersWithout(NOT_KEPT), ...own], response.body)
    const json = response.json()
    keep(isObject(json) ? json : null, running, deps)
    return
  }
  const form = answer.framing?.headers ?? STREAM_HEADERS
  answer.commit(200, [...response.headersWithout(NOT_KEPT_OF_STREAM), ...own, ...form], true)
  answer.end(events.map((event) => writer.write(event)).join(''))
  keep(writer.response?.() ?? null, running, deps)
}

function streamWriter({ caller, client, repeated }: Running, { clock, newId }: PipelineDeps): StreamWriter | null {
  const { translation } = caller.call
  if (translation === null) return null
  return translation.createStreamWriter({
    requestId: caller.requestId,
    model: client.asked.model,
    now: clock.now(),
    request: translation.parseRequest(client.json(), { dropped: () => {} }),
    body: { ...client.json(), ...repeated },
    renamedTools: NOT_RENAMED,
    newId,
  })
}

/** So that it can be continued by its id. */
function keep(told: JsonObject | null, { client, kept = client }: Running, { responses }: PipelineDeps): void {
  if (told === null || kept.call !== openAiResponses) return
  const body = kept.json()
  if (wantsStoring(body)) responses.save(body.input, told)
}
