import type { IncomingMessage } from 'node:http'
import { PassThrough } from 'node:stream'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { GatewayError } from '../../../core/errors'
import { readJsonBody } from '../../../core/http/read-body'
import type { RequestBody } from '../../../core/http/request-body'
import { ManualClock } from '../../support/manual-clock'

const WANTED = new Set(['model', 'stream', 'messages'])

function begin(headers: Record<string, string> = {}, maxBytes = 1_048_576) {
  const clock = new ManualClock()
  const upload = Object.assign(new PassThrough(), { headers })
  // async: what is refused at once is refused like the rest.
  const read = async (): Promise<RequestBody> =>
    readJsonBody(upload as unknown as IncomingMessage, WANTED, { maxBytes }, clock)
  return { clock, upload, read }
}

/** "413 request_too_large", or the body's text. */
async function outcome(reading: Promise<RequestBody>): Promise<string> {
  try {
    return Buffer.concat((await reading).chunks).toString('utf8')
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    return `${error.httpStatus} ${error.code}`
  }
}

async function send(parts: readonly (string | Buffer)[], headers?: Record<string, string>, maxBytes?: number) {
  const { upload, read, clock } = begin(headers, maxBytes)
  const reading = outcome(read())
  for (const part of parts) upload.write(part)
  upload.end()
  const text = await reading
  expect(clock.waiting).toBe(0)
  return text
}

const text = '{"model":"practice/echo","messages":[{"role":"user","content":"é漢😀"}],"stream":true}'

describe('an upload', () => {
  it('is kept as it came, wherever it was cut', async () => {
    const bytes = Buffer.from(text)
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length), fc.nat(bytes.length), async (a, b) => {
        const [from, to] = a < b ? [a, b] : [b, a]
        const parts = [bytes.subarray(0, from), bytes.subarray(from, to), bytes.subarray(to)]
        expect(await send(parts.filter((part) => part.length > 0))).toBe(text)
      }),
    )
  })

  it('has its members noted', async () => {
    const { upload, read } = begin()
    const reading = read()
    upload.end(text)
    const body = await reading
    expect(body.string('model')).toBe('practice/echo')
    expect(body.isTrue('stream')).toBe(true)
  })

  it('may begin with a byte order mark, which is taken off', async () => {
    expect(await send([`\ufeff${text}`])).toBe(text)
  })

  it.each<[string, (bytes: string) => Buffer]>([
    ['gzip', gzipSync],
    ['x-gzip', gzipSync],
    [' GZIP ', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
    ['identity', Buffer.from],
    ['', Buffer.from],
  ])('in the coding %j is unpacked', async (coding, pack) => {
    expect(await send([pack(text)], { 'content-encoding': coding })).toBe(text)
  })
})

describe('an upload that is refused', () => {
  it.each<[string, string, string]>([
    ['nothing', '', '400 bad_request'],
    ['half of its JSON', text.slice(0, -1), '400 bad_request'],
    ['more than its JSON', `${text}x`, '400 bad_request'],
    ['a form', 'model=x', '400 bad_request'],
  ])('for %s', async (_what, body, expected) => {
    expect(await send(body === '' ? [] : [body])).toBe(expected)
  })

  it('for a coding that is not known, whatever that is', async () => {
    expect(await send([text], { 'content-encoding': 'compress' })).toBe('415 unsupported_encoding')
    expect(await send([text], { 'content-encoding': 'gzip, gzip' })).toBe('415 unsupported_encoding')
  })

  it('for being said to be packed when it is not', async () => {
    expect(await send([text], { 'content-encoding': 'gzip' })).toBe('400 bad_request')
  })

  it('for its size: announced, arriving, or unpacked from little', async () => {
    const { read, upload } = begin({ 'content-length': '101' }, 100)
    expect(await outcome(read())).toBe('413 request_too_large')
    expect(upload.readableFlowing).toBeNull()
    expect(await send(['{"model":"', 'x'.repeat(100), '"}'], {}, 100)).toBe('413 request_too_large')
    const bomb = gzipSync(`{"model":"${'x'.repeat(1_000_000)}"}`)
    expect(bomb.length).toBeLessThan(2_000)
    expect(await send([bomb], { 'content-encoding': 'gzip' }, 10_000)).toBe('413 request_too_large')
  })

  it('of exactly the size that is allowed, not', async () => {
    const bytes = Buffer.byteLength(text)
    expect(await send([text], { 'content-length': String(bytes) }, bytes)).toBe(text)
    expect(await send([text], {}, bytes - 1)).toBe('413 request_too_large')
  })

  it('for silence, but only for silence', async () => {
    const { clock, upload, read } = begin()
    const reading = outcome(read())
    upload.write('{"model":"')
    await new Promise(setImmediate)
    clock.advance(59_999)
    upload.write('x')
    await new Promise(setImmediate)
    clock.advance(59_999)
    expect(clock.waiting).toBe(1)
    clock.advance(1)
    expect(await reading).toBe('408 request_timeout')
  })

  it('for a client that left', async () => {
    const { clock, upload, read } = begin()
    const reading = outcome(read())
    await Promise.resolve()
    upload.emit('aborted')
    expect(await reading).toBe('499 client_disconnected')
    expect(clock.waiting).toBe(0)
  })

  it('for a client that left before anything of it was read', async () => {
    const { clock, upload, read } = begin()
    const reading = outcome(read())
    upload.destroy()
    expect(await reading).toBe('499 client_disconnected')
    expect(clock.waiting).toBe(0)
  })

  it('with the place of the fault, not with what was sent', async () => {
    const { upload, read } = begin()
    const reading = read()
    upload.end('{"secret":}')
    await expect(reading).rejects.toThrow('The request body is not valid JSON: ')
    await expect(reading).rejects.not.toThrow('secret')
  })
})
