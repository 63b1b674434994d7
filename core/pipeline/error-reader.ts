// Collects an error answer, so that it can be judged and, if it is the last word, relayed as it came.

import type { AnswerReader, AttemptResult } from './answer-reader'
import { plainHeaders, type UpstreamHeaders } from './headers'
import type { Outcome } from './outcome'

/** Longer error bodies are cut: no provider's error needs more, and a page of HTML is no error text. */
const MAX_BYTES = 262_144

export function createErrorReader(status: number, headers: UpstreamHeaders): AnswerReader {
  const chunks: Buffer[] = []
  let length = 0
  const result = (): AttemptResult => {
    const body = Buffer.concat(chunks)
    const outcome: Outcome = {
      kind: 'http',
      status,
      headers: plainHeaders(headers),
      text: body.toString('utf8', 0, 16_384),
    }
    return { kind: 'failed', outcome, error: { status, headers, body } }
  }
  return {
    data(chunk) {
      chunks.push(chunk)
      length += chunk.length
      return length > MAX_BYTES ? result() : true
    },
    end: result,
    // The status has said what there is to say, whole body or not.
    broken: result,
  }
}
