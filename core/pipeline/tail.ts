// The last bytes of a relayed stream, kept by reference: what they prove is read once, when the stream has ended.

/** Enough for the closing events of any dialect. */
const KEEP = 8192

export class Tail {
  private chunks: Buffer[] = []
  private length = 0

  push(chunk: Buffer): void {
    this.chunks.push(chunk)
    this.length += chunk.length
    while (this.chunks.length > 1 && this.length - (this.chunks[0] as Buffer).length >= KEEP) {
      this.length -= (this.chunks.shift() as Buffer).length
    }
  }

  /** latin1: only ASCII marks are looked for, and no byte is lost to a cut character. */
  text(): string {
    return Buffer.concat(this.chunks)
      .toString('latin1')
      .slice(-2 * KEEP)
  }
}
