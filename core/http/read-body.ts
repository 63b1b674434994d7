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
export function readJsonBody(
  request: IncomingMessage,
  wanted: ReadonlySet<string>,
  limits: ReadLimits,
  clock: Clock,
): Promise<RequestBody> {
  const announced = Number(request.headers['content-length'] ?? 0)
  if (announced > limits.maxBytes) return Promise.reject(tooLarge(limits.maxBytes))
  const unpack = unpacker(request.headers['content-encoding'])
  const source = unpack === null ? request : request.pipe(unpack)
  return new Promise<RequestBody>((resolve, reject) => {
    const scanner = new JsonScanner(wanted)
    const chunks: Buffer[] = []
    let length = 0
    const silence = clock.after(UPLOAD_SILENCE_MS, () => fail(silentUpload()))
    const fail = (error: unknown): void => {
      silence.cancel()
      source.off('data', onData).off('end', onEnd)
      request.unpipe()
      unpack?.destroy()
      reject(error instanceof JsonSyntaxError ? malformed(error) : error)
    }
    const onData = (raw: Buffer): void => {
      silence.restart()
      const chunk = length === 0 ? withoutByteOrderMark(raw) : raw
      length += chunk.length
      if (length > limits.maxBytes) return fail(tooLarge(limits.maxBytes))
      try {
        scanner.feed(chunk)
      } catch (error) {
        return fail(error)
      }
      chunks.push(chunk)
    }
    const onEnd = (): void => {
      silence.cancel()
      try {
        if (length === 0) throw new GatewayError('bad_request', 400, 'The request has no body. Send a JSON object.')
        resolve(new RequestBody(chunks, scanner.end()))
      } catch (error) {
        fail(error)
      }
    }
    source.on('data', onData).on('end', onEnd)
    request.on('error', fail)
    request.on('aborted', () => fail(new GatewayError('client_disconnected', 499, 'The client closed the connection.')))
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

const silentUpload = (): GatewayError =>
  new GatewayError('request_timeout', 408, 'The request body stopped arriving for 60 seconds.')

const malformed = (error: JsonSyntaxError): GatewayError =>
  new GatewayError('bad_request', 400, `The request body is not valid JSON: ${error.message}.`, {}, { cause: error })
