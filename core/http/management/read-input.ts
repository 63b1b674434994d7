// The input of a management call off the wire: a small JSON body, and the parameters of the address.
import type { IncomingMessage } from 'node:http'
import type { Clock } from '../../clock'
import { badInput, GatewayError } from '../../errors'
import { readJsonBody } from '../read-body'

const MAX_BYTES = 1_048_576
const NO_FIELDS: ReadonlySet<string> = new Set()

/** undefined: nothing was sent. @throws GatewayError 400, 408, 413, 415 */
export async function readBody(request: IncomingMessage, clock: Clock): Promise<unknown> {
  const { 'content-length': length, 'transfer-encoding': transfer, 'content-type': type = '' } = request.headers
  if ((length === undefined || length === '0') && transfer === undefined) return undefined
  if (!/^application\/json\s*(;|$)/i.test(type.trim())) {
    throw new GatewayError(
      'unsupported_media_type',
      415,
      'A management call takes JSON only: send "Content-Type: application/json".',
    )
  }
  const { chunks } = await readJsonBody(request, NO_FIELDS, { maxBytes: MAX_BYTES }, clock).catch((error: unknown) => {
    throw error instanceof GatewayError && error.httpStatus === 413 ? tooLarge() : error
  })
  return JSON.parse(withoutByteOrderMark(Buffer.concat(chunks).toString('utf8')))
}

const withoutByteOrderMark = (text: string): string => (text.startsWith('\uFEFF') ? text.slice(1) : text)

const tooLarge = (): GatewayError =>
  new GatewayError('request_too_large', 413, 'The body of a management call may have at most 1 MB.')

/** Each parameter once, as text. @throws GatewayError 400 */
export function readQuery(url: string): Record<string, string> {
  const mark = url.indexOf('?')
  const given: Record<string, string> = Object.create(null) as Record<string, string>
  for (const [name, value] of new URLSearchParams(mark < 0 ? '' : url.slice(mark + 1))) {
    if (name in given) throw badInput(name, 'is given twice. Send it once.')
    given[name] = value
  }
  return given
}
