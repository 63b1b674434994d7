// Takes an upload off the socket: limits, unpacking, and the scan of its JSON, chunk by chunk as they come.
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import * as zlib from 'node:zlib'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import type { Clock } from '../clock'
import { GatewayError } from '../errors'
import { JsonScanner, JsonSyntaxError } from './json-scanner'
import { RequestBody } from './request-body'

/** An upload that sends nothing for this long is given up. */
const UPLOAD_SILENCE_MS = 60_000

export interface ReadLimits {
  readonly maxBytes: number
}

/**
 * Reads and scans one JSON body.
 * @throws GatewayError 400 malformed, 408 silent upload, 413 too large, 415 unknown content-encoding
 */
export async function readJsonBody(
  request: IncomingMessage,
  wanted: ReadonlySet<string>,
  { maxBytes }: ReadLimits,
  clock: Clock,
): Promise<RequestBody> {
  const announced = Number(request.headers['content-length'] ?? 0)
  if (announced > maxBytes) throw tooLarge(maxBytes)
  const unpack = unpacker(request.headers['content-encoding'])
  const upload = new Upload(wanted, maxBytes)
  // What came in one piece with its headers has been parsed a moment later: it needs no timer and no listeners.
  await null
  if (request.destroyed && !request.complete) throw clientLeft()
  if (unpack === null && request.complete) {
    for (let chunk = next(request); chunk !== null; chunk = next(request)) upload.take(chunk)
  } else {
    await pour(request, unpack, upload, clock)
  }
  return upload.end()
}

const next = (request: IncomingMessage): Buffer | null => request.read() as Buffer | null

class Upload {
  private readonly scanner: JsonScanner
  private readonly chunks: Buffer[] = []
  private length = 0

  constructor(
    wanted: ReadonlySet<string>,
    private readonly maxBytes: number,
  ) {
    this.scanner = new JsonScanner(wanted)
  }

  take(raw: Buffer): void {
    const chunk = this.length === 0 ? withoutByteOrderMark(raw) : raw
    this.length += chunk.length
    if (this.length > this.maxBytes) throw tooLarge(this.maxBytes)
    readable(() => this.scanner.feed(chunk))
    this.chunks.push(chunk)
  }

  end(): RequestBody {
    if (this.length === 0) throw new GatewayError('bad_request', 400, 'The request has no body. Send a JSON object.')
    return new RequestBody(
      this.chunks,
      readable(() => this.scanner.end()),
    )
  }
}

function readable<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw error instanceof JsonSyntaxError ? malformed(error) : error
  }
}

/** Piece by piece, as they come. */
function pour(request: IncomingMessage, unpack: Duplex | null, upload: Upload, clock: Clock): Promise<void> {
  const source = unpack === null ? request : request.pipe(unpack)
  return new Promise<void>((resolve, reject) => {
    const silence = clock.after(UPLOAD_SILENCE_MS, () => fail(silentUpload()))
    const fail = (error: unknown): void => {
      silence.cancel()
      source.off('data', onData).off('end', onEnd)
      request.unpipe()
      unpack?.destroy()
      reject(error)
    }
    const onData = (chunk: Buffer): void => {
      silence.restart()
      try {
        upload.take(chunk)
      } catch (error) {
        fail(error)
      }
    }
    const onEnd = (): void => {
      silence.cancel()
      resolve()
    }
    source.on('data', onData).on('end', onEnd)
    request.on('error', fail)
    request.on('aborted', () => fail(clientLeft()))
    unpack?.on('error', () => fail(new GatewayError('bad_request', 400, 'The compressed body cannot be unpacked.')))
  })
}

function unpacker(encoding: string | undefined): Duplex | null {
  switch (encoding?.trim().toLowerCase()) {
    case undefined:
    case '':
    case 'identity':
      return null
    case 'gzip':
    case 'x-gzip':
      return createGunzip()
    case 'deflate':
      return createInflate()
    case 'br':
      return createBrotliDecompress()
    case 'zstd':
      if ('createZstdDecompress' in zlib) return zlib.createZstdDecompress()
  }
  throw new GatewayError(
    'unsupported_encoding',
    415,
    `The content-encoding "${printable(encoding)}" is not understood. Use gzip, deflate, br or none.`,
  )
}

const printable = (text: string | undefined): string => (text ?? '').replace(/[^\x20-\x7e]/g, '?').slice(0, 40)

const withoutByteOrderMark = (chunk: Buffer): Buffer =>
  chunk.length >= 3 && chunk[0] === 0xef && chunk[1] === 0xbb && chunk[2] === 0xbf ? chunk.subarray(3) : chunk

const tooLarge = (maxBytes: number): GatewayError =>
  new GatewayError(
    'request_too_large',
    413,
    `The request body is larger than ${Math.round(maxBytes / 1_048_576)} MB. Raise "Largest request" in Settings, or send less.`,
  )

const clientLeft = (): GatewayError => new GatewayError('client_disconnected', 499, 'The client closed the connection.')

const silentUpload = (): GatewayError =>
  new GatewayError('request_timeout', 408, 'The request body stopped arriving for 60 seconds.')

const malformed = (error: JsonSyntaxError): GatewayError =>
  new GatewayError('bad_request', 400, `The request body is not valid JSON: ${error.message}.`, {}, { cause: error })
