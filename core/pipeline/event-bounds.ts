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
