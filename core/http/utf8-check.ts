// Whether bytes that arrive in chunks are UTF-8. A character may be cut by a chunk's end: up to three bytes are kept
// back and checked with the next chunk.
import { isUtf8 } from 'node:buffer'

const NOTHING = new Uint8Array(0)

export class Utf8Check {
  private carry: Uint8Array = NOTHING

  /** False as soon as the bytes cannot be UTF-8, whatever follows. */
  feed(chunk: Uint8Array): boolean {
    let from = 0
    if (this.carry.length > 0) {
      const need = sequenceLength(this.carry[0] as number) - this.carry.length
      from = Math.min(need, chunk.length)
      const joined = new Uint8Array(this.carry.length + from)
      joined.set(this.carry)
      joined.set(chunk.subarray(0, from), this.carry.length)
      if (from < need) {
        this.carry = joined
        return true
      }
      if (!isUtf8(joined)) return false
      this.carry = NOTHING
    }
    const cut = incompleteTail(chunk, from)
    if (!isUtf8(from === 0 && cut === chunk.length ? chunk : chunk.subarray(from, cut))) return false
    if (cut < chunk.length) this.carry = chunk.slice(cut)
    return true
  }

  /** No character is cut off where the bytes end. */
  get isWhole(): boolean {
    return this.carry.length === 0
  }
}

const sequenceLength = (lead: number): number => (lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1)

/** Index from which the chunk's last character is incomplete; the chunk's length when it is whole. */
function incompleteTail(chunk: Uint8Array, from: number): number {
  for (let back = 1; back <= 3 && chunk.length - back >= from; back++) {
    const byte = chunk[chunk.length - back] as number
    if (byte < 0x80) break
    if (byte >= 0xc0) return sequenceLength(byte) > back ? chunk.length - back : chunk.length
  }
  return chunk.length
}
