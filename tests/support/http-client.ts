// A plain HTTP client that hides nothing: exact headers, exact bytes, and each chunk as it comes.
import { once } from 'node:events'
import {
  Agent,
  type ClientRequest,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
} from 'node:http'
import { connect } from 'node:net'

export interface SendOptions {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
}

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly rawHeaders: readonly string[]
  readonly text: string
  json<T = ErrorBody>(): T
}

/** An error in either dialect. */
export interface ErrorBody {
  readonly type?: string
  readonly request_id?: string
  readonly error: {
    readonly type: string
    readonly message: string
    readonly code?: string | null
    readonly param?: string | null
    readonly request_id?: string
  }
}

export interface OpenStream {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** All text so far. */
  soFar(): string
  /** Resolves as soon as the text so far contains `mark`. */
  until(mark: string): Promise<string>
  /** The whole text; rejects when the connection was cut in the middle. */
  rest(): Promise<string>
  /** Hangs up. */
  leave(): void
  /** Stops reading, without hanging up. */
  stopReading(): void
}

const agent = new Agent({ keepAlive: false, maxSockets: Number.POSITIVE_INFINITY })

export function begin(url: string, { method = 'GET', headers = {}, body }: SendOptions = {}): ClientRequest {
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  const type = body === undefined ? {} : { 'content-type': 'application/json' }
  const request = httpRequest(url, { method, agent, headers: { ...type, ...length, ...headers } })
  request.end(body)
  return request
}

const responseOf = async (request: ClientRequest): Promise<IncomingMessage> =>
  (await once(request, 'response'))[0] as IncomingMessage

export async function send(url: string, options?: SendOptions): Promise<Answer> {
  const response = await responseOf(begin(url, options))
  const chunks: Buffer[] = []
  for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk)
  const text = Buffer.concat(chunks).toString('utf8')
  const { statusCode, headers, rawHeaders } = response
  return { status: statusCode ?? 0, headers, rawHeaders, text, json: <T>() => JSON.parse(text) as T }
}

export async function openStream(url: string, options?: SendOptions): Promise<OpenStream> {
  const request = begin(url, options)
  const response = await responseOf(request)
  let text = ''
  let error: Error | null = null
  const ended = Promise.withResolvers<void>()
  response.setEncoding('utf8')
  response.on('data', (chunk: string) => {
    text += chunk
  })
  response.on('error', (reason) => {
    error = reason
  })
  response.on('close', () => ended.resolve())
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    soFar: () => text,
    until: (mark) =>
      new Promise((done, failed) => {
        const look = (): void => {
          if (!text.includes(mark)) return
          response.off('data', look)
          done(text)
        }
        response.on('data', look)
        void ended.promise.then(() => failed(new Error(`the stream ended without ${mark}: ${text}`)))
        look()
      }),
    async rest() {
      await ended.promise
      if (error !== null) throw error
      return text
    },
    leave: () => void request.destroy(),
    stopReading: () => void response.pause(),
  }
}

/** Writes bytes to a socket and gives back all that comes until the other side closes, or `enough` of it came. */
export async function exchange(port: number, bytes: string | Uint8Array, enough?: RegExp): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  await once(socket, 'connect')
  socket.write(bytes)
  let text = ''
  return new Promise((done) => {
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
      if (enough?.test(text) === true) socket.destroy()
    })
    socket.on('close', () => done(text))
  })
}
