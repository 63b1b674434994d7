// The side of a response that an answer is written to, kept in memory: the answer to a question that the gateway asks
// on its own, on the way to the client's.
import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { parseJson } from '../dialects/json'

export class CapturedResponse extends EventEmitter {
  private readonly chunks: Buffer[] = []
  private isBroken = false
  status = 0
  private headers: readonly string[] = []
  writableFinished = false

  // Memory takes everything at once, and there is neither an upload nor a socket.
  readonly writableNeedDrain = false
  readonly req = { complete: true }
  readonly socket = null

  /** As ClientAnswer takes it; of a ServerResponse it uses nothing else. */
  get asResponse(): ServerResponse {
    return this as unknown as ServerResponse
  }

  get isWhole(): boolean {
    return this.writableFinished && !this.isBroken
  }

  get body(): Buffer {
    return Buffer.concat(this.chunks)
  }

  /** The body as JSON; null where it is none, or not whole. */
  json(): unknown {
    return this.isWhole ? parseJson(this.body.toString('utf8')) : null
  }

  /** Names and values in turn. @param names lower case */
  headersWithout(names: ReadonlySet<string>): string[] {
    const kept: string[] = []
    for (let i = 0; i + 1 < this.headers.length; i += 2) {
      const [name, value] = [this.headers[i] as string, this.headers[i + 1] as string]
      if (!names.has(name.toLowerCase())) kept.push(name, value)
    }
    return kept
  }

  writeHead(status: number, headers: readonly string[]): this {
    this.status = status
    this.headers = headers
    return this
  }

  write(chunk: Buffer | string, encoding?: BufferEncoding): boolean {
    this.chunks.push(typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk)
    return true
  }

  end(chunk?: Buffer | string, encoding?: BufferEncoding): this {
    if (chunk !== undefined) this.write(chunk, encoding)
    this.writableFinished = true
    this.emit('finish')
    this.emit('close')
    return this
  }

  /** The answer broke off. */
  destroy(): this {
    this.isBroken = true
    this.emit('close')
    return this
  }

  /** Nobody wants the answer any more: whoever writes it sees a client that has gone away. */
  leave(): void {
    this.emit('close')
  }
}
