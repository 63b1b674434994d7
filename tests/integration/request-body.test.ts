import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DIALECTS, type GatewayPair, question, ROUTES, startPair } from '../support/gateway-pair'
import { CLIENT_KEY } from '../support/gateway-process'
import { type ErrorBody, exchange } from '../support/http-client'

let pair: GatewayPair
beforeAll(async () => {
  pair = await startPair({ bodyLimitMb: 64 })
})
afterAll(() => pair.stop())

/** Everything a re-serialised body would lose: number forms, order, spaces, escapes, unknown and repeated names. */
const peculiar = (model: string): string =>
  `{ "zeta":1e400 ,"seed": 12345678901234567890,"temperature":0.10,
   "messages" : [ {"content":"caf\\u00e9 ☕ 👩‍🚀 \\ud83d\\ude00 \\/ end","role":"user" , "weight":-0 } ],
   "model"\t:\t"${model}", "10":"ten","2":"two", "x_unknown": {"model":"inner stays","a":[1.0,2E+3,[]], "a":null},
   "__proto__":{"k":1}, "max_tokens":5 }`

describe.each(DIALECTS)('%s', (dialect) => {
  const { path, provider } = ROUTES[dialect]

  test('the body goes up byte for byte, with only the model’s name changed', async () => {
    const answer = await pair.send(path, { method: 'POST', body: peculiar(`${provider}/exact-${dialect}`) })
    expect(answer.status).toBe(200)
    const [seen] = await pair.upstream.seen(`exact-${dialect}`)
    expect(Buffer.from(seen?.body ?? []).toString('utf8')).toBe(peculiar(`exact-${dialect}`))
    expect(seen?.path).toBe(path)
  })

  test('a model name with escapes and slashes reaches the upstream as the same name', async () => {
    const model = `org/quoted "name" — ü ${dialect}`
    const answer = await pair.ask(dialect, model)
    expect(answer.status).toBe(200)
    const [seen] = await pair.upstream.seen(model)
    expect(JSON.parse(Buffer.from(seen?.body ?? []).toString('utf8'))).toMatchObject({ model })
  })

  test('a body that comes in pieces, cut within characters, arrives whole', async () => {
    const model = `pieces-${dialect}`
    const body = Buffer.from(JSON.stringify(question(`${provider}/${model}`, { note: 'é☕👩‍🚀'.repeat(20) })))
    const request = httpRequest(pair.gateway.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${CLIENT_KEY}` },
    })
    const answered = once(request, 'response')
    for (let at = 0; at < body.length; at += 7) {
      await new Promise((written) => request.write(body.subarray(at, at + 7), written))
    }
    request.end()
    const [response] = (await answered) as [IncomingMessage]
    response.resume()
    expect(response.statusCode).toBe(200)
    const [seen] = await pair.upstream.seen(model)
    expect(Buffer.from(seen?.body ?? []).toString()).toBe(body.toString().replace(`${provider}/${model}`, model))
  })

  test('a body with a byte order mark and a gzip-packed one are understood', async () => {
    const text = JSON.stringify(question(`${provider}/packed-${dialect}`))
    const marked = await pair.send(path, { method: 'POST', body: `\uFEFF${text}` })
    expect(marked.status).toBe(200)
    const packed = await pair.send(path, {
      method: 'POST',
      body: gzipSync(text),
      headers: { 'content-encoding': 'gzip' },
    })
    expect(packed.status).toBe(200)
    const seen = await pair.upstream.seen(`packed-${dialect}`)
    const plain = JSON.stringify(question(`packed-${dialect}`))
    expect(seen.map(({ body }) => Buffer.from(body).toString())).toEqual([plain, plain])
    expect(seen[1]?.headers['content-encoding']).toBeUndefined()
  })

  test.each([1.5, 20, 33])('a body of %d MB passes', async (megabytes) => {
    const image = 'A'.repeat(megabytes * 1_048_576)
    const model = `image-${megabytes}-${dialect}`
    const answer = await pair.ask(dialect, model, { image })
    expect(answer.status).toBe(200)
    const [seen] = await pair.upstream.seen(model)
    const expected = JSON.stringify(question(model, { image }))
    expect(seen?.length).toBe(expected.length)
    expect(seen?.sha256).toBe(createHash('sha256').update(expected).digest('hex'))
  })

  test('an upload beyond the limit is refused with 413 before it is read, when its length is known', async () => {
    const head = `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${CLIENT_KEY}\r\ncontent-type: application/json\r\n`
    for (const announced of [200 * 1_048_576, 900_000_000, 2 * 1024 ** 3]) {
      const text = await exchange(pair.gateway.port, `${head}content-length: ${announced}\r\n\r\n`, /\}$/)
      expect(text).toMatch(/^HTTP\/1\.1 413 /)
      const error = JSON.parse(text.slice(text.indexOf('{'))) as ErrorBody
      expect(error.error).toMatchObject({
        code: 'request_too_large',
        type: dialect === 'anthropic' ? 'request_too_large' : 'invalid_request_error',
      })
    }
    expect((await pair.ask(dialect, 'after-413')).status).toBe(200)
  })

  test('an upload of unknown length is refused once it is beyond the limit', async () => {
    const request = httpRequest(pair.gateway.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${CLIENT_KEY}` },
    })
    request.on('error', () => {})
    const answered = once(request, 'response')
    request.write(`{"model":"${provider}/endless","messages":[],"image":"`)
    const block = 'A'.repeat(1_048_576)
    let refused: IncomingMessage | undefined
    void answered.then(([response]) => {
      refused = response as IncomingMessage
    })
    for (let megabytes = 0; megabytes < 80 && refused === undefined; megabytes++) {
      await new Promise((written) => request.write(block, written))
    }
    const [response] = (await answered) as [IncomingMessage]
    expect(response.statusCode).toBe(413)
    request.destroy()
    expect(await pair.upstream.seen('endless')).toEqual([])
  })
})

test('with a limit of 512 MB a body of 200 MB passes, and is held once', async () => {
  const large = await startPair({ bodyLimitMb: 512 })
  try {
    await large.ask('openai-chat', 'warm-up')
    const before = large.gateway.memoryMb()
    const open = JSON.stringify(question('fake/huge', { image: '' })).slice(0, -2)
    const image = Buffer.alloc(200 * 1_048_576, 'A')
    const body = Buffer.concat([Buffer.from(open), image, Buffer.from('"}')])
    let peak = 0
    const watching = setInterval(() => {
      peak = Math.max(peak, large.gateway.memoryMb())
    }, 20)
    const answer = await large.send('/v1/chat/completions', { method: 'POST', body })
    clearInterval(watching)
    expect(answer.status).toBe(200)
    const [seen] = await large.upstream.seen('huge')
    expect(seen?.length).toBe(body.length - 'fake/'.length)
    expect(peak - before).toBeLessThan(400)
  } finally {
    await large.stop()
  }
}, 30_000)
