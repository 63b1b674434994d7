// Where server-sent events end in a run of bytes (WHATWG HTML 9.2: a blank line, with LF or CRLF).

const LF2 = Buffer.from('\n\n')
const CRLF2 = Buffer.from('\r\n\r\n')

/** Index just behind the last complete event; 0 when there is none. */
export function lastEventEnd(bytes: Buffer): number {
  const length = bytes.length
  if (length >= 2 && bytes[length - 1] === 0x0a && (bytes[length - 2] === 0x0a || endsWithCrlf2(bytes))) return length
  const lf = bytes.lastIndexOf(LF2)
  const crlf = bytes.lastIndexOf(CRLF2)
  return Math.max(lf < 0 ? 0 : lf + 2, crlf < 0 ? 0 : crlf + 4)
}

/** Index just behind the first event that ends at or after `from`; -1 when none does. */
export function nextEventEnd(bytes: Buffer, from: number): number {
  const lf = bytes.indexOf(LF2, from)
  const crlf = bytes.indexOf(CRLF2, from)
  if (lf < 0) return crlf < 0 ? -1 : crlf + 4
  return crlf < 0 || lf < crlf ? lf + 2 : crlf + 4
}

const endsWithCrlf2 = (bytes: Buffer): boolean =>
  bytes.length >= 4 &&
  bytes[bytes.length - 2] === 0x0d &&
  bytes[bytes.length - 3] === 0x0a &&
  bytes[bytes.length - 4] === 0x0d

const NAME = Buffer.from('event: ')
const DATA = Buffer.from('data: ')
const LF = 0x0a

export interface PlainEvent {
  readonly name: string | undefined
  readonly data: string
  /** Index just behind it. */
  readonly end: number
}

/** The event at `at` if it is whole and written as nearly all are: a name or none, one line of data, LF. Else null. */
export function plainEvent(bytes: Buffer, at: number): PlainEvent | null {
  const isNamed = startsWith(bytes, NAME, at)
  const dataAt = isNamed ? bytes.indexOf(LF, at) + 1 : at
  if (dataAt < at || !startsWith(bytes, DATA, dataAt)) return null
  const end = bytes.indexOf(LF, dataAt)
  if (end < 0 || bytes[end + 1] !== LF) return null
  const name = isNamed ? bytes.toString('utf8', at + NAME.length, dataAt - 1) : undefined
  const data = bytes.toString('utf8', dataAt + DATA.length, end)
  // A lone CR ends a line, too.
  return data.includes('\r') || name?.includes('\r') === true ? null : { name, data, end: end + 2 }
}

function startsWith(bytes: Buffer, mark: Buffer, at: number): boolean {
  for (let i = 0; i < mark.length; i++) if (bytes[at + i] !== mark[i]) return false
  return true
}

export function endsWithOne(bytes: Buffer, marks: readonly Buffer[]): boolean {
  for (const mark of marks) if (endsWith(bytes, mark)) return true
  return false
}

/** From the end: other events differ there at once. */
function endsWith(bytes: Buffer, mark: Buffer): boolean {
  if (bytes.length < mark.length) return false
  for (let i = 1; i <= mark.length; i++) if (bytes[bytes.length - i] !== mark[mark.length - i]) return false
  return true
}
