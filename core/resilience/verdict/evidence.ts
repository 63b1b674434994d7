// An error answer made ready for rules: read once, restated where a provider is known to misreport, in one shape.

import type { OperatorRules } from '../../contract/error-rules'
import { statusOfErrorType } from '../../dialects/error-type'
import type { Restatement } from '../../providers/rules'
import { restatementOf } from '../rules/provider-rules'
import type { Evidence } from '../rules/rule'
import { type BodyFacts, MAX_BODY, readBody } from './read-body'
import type { FailureSignal } from './signal'
import { waitInWords } from './wait/stated-wait'
import type { ReadContext } from './wait/values'
import { limitWindows } from './wait/window-headers'

export interface Prepared {
  readonly evidence: Evidence
  readonly restatement: Restatement | null
  readonly context: ReadContext
}

export function prepare(signal: FailureSignal, operator: OperatorRules): Prepared {
  const { provider: row, model, now } = signal
  const facts = readBody(signal.body)
  const headers = Object.fromEntries(Object.entries(signal.headers).map(([name, value]) => [name.toLowerCase(), value]))
  const wholeText = unescaped(signal.body.slice(0, MAX_BODY)).toLowerCase()
  const given = signal.status >= 400 ? signal.status : statusInside(signal.status, facts)
  const restatement = signal.status >= 400 ? restatementOf(row, signal.status, wholeText) : null
  const zone = row.quotaTimeZone
  const context = { now, zones: { server: zone ?? 'UTC', person: zone ?? signal.timeZone } }
  const evidence: Evidence = {
    ...facts,
    ...{ row, model, headers, wholeText, operator },
    codes: withHeaderCode(facts.codes, headers['x-amzn-errortype']),
    status: restatement?.to ?? given,
    rawStatus: signal.status,
    text: facts.messages.join('\n').toLowerCase().replaceAll('’', "'"),
    windows: limitWindows(headers, context),
    wordsMs: waitInWords(facts.messages, context),
  }
  return { evidence, restatement, context }
}

/** JSON may write any letter as \uXXXX, and markers are words. */
const unescaped = (text: string): string =>
  text.replace(/\\u([0-9a-f]{4})/gi, (_whole, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))

/** Amazon names the error in a header: "ThrottlingException:http://…". */
function withHeaderCode(codes: ReadonlySet<string>, header: string | undefined): ReadonlySet<string> {
  const name = header?.split(':')[0]?.trim().toLowerCase()
  return name === undefined || name === '' ? codes : new Set([...codes, name])
}

/** The status that an error inside a 2xx stands for: as its code says, else 502. A redirect stays one. */
function statusInside(status: number, { codes }: BodyFacts): number {
  if (status >= 300) return status
  for (const code of codes) if (/^[45]\d\d$/.test(code)) return Number(code)
  for (const code of codes) if (statusOfErrorType(code) !== 502) return statusOfErrorType(code)
  return 502
}
