// The side of a ServerResponse that an answer is written to, kept in memory: what the client would have got.
import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'

export class FakeResponse extends EventEmitter {
  readonly req = { complete: true, resume: () => {} }
  readonly socketEnds: string[] = []
  readonly socket = { setTimeout: () => {}, end: () => void this.socketEnds.push('end') }
  readonly writes: Buffer[] = []
  status: number | null = null
  headers: string[] = []
  ended = false
  destroyed = false
  writableNeedDrain = false
  writableFinished = false
  /** False: the client does not read, so every write asks to wait. */
  takes = true

  get real(): ServerResponse {
    return this as unknown as ServerResponse
  }

  get body(): Buffer {
    return Buffer.concat(this.writes)
  }

  get text(): string {
    return this.body.toString('utf8')
  }

  header(name: string): string | undefined {
    const at = this.headers.findIndex((entry, i) => i % 2 === 0 && entry.toLowerCase() === name)
    return at < 0 ? undefined : this.headers[at + 1]
  }

  writeHead(status: number, headers: string[]): this {
    if (this.status !== null) throw new Error('the head was written twice')
    this.status = status
    this.headers = [...headers]
    return this
  }

  write(chunk: Buffer | string, encoding: BufferEncoding = 'utf8'): boolean {
    if (this.status === null) throw new Error('a body before its head')
    if (this.ended) throw new Error('written after the end')
    this.writes.push(typeof chunk === 'string' ? Buffer.from(chunk, encoding) : Buffer.from(chunk))
    this.writableNeedDrain = !this.takes
    return this.takes
  }

  end(chunk?: Buffer | string, encoding?: BufferEncoding): this {
    if (chunk !== undefined) this.write(chunk, encoding)
    if (this.ended) throw new Error('ended twice')
    this.ended = true
    this.writableFinished = true
    this.emit('finish')
    this.emit('close')
    return this
  }

  destroy(): this {
    this.destroyed = true
    this.emit('close')
    return this
  }

  /** The client goes away. */
  leave(): void {
    this.emit('close')
  }

  drain(): void {
    this.takes = true
    this.writableNeedDrain = false
    this.emit('drain')
  }
}
