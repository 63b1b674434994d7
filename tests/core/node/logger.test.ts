import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { LogLevel } from '../../../core/contract/kinds'
import { createLogger, type NodeLogger } from '../../../core/node/logger'
import { Redactor } from '../../../core/node/redact'
import { ManualClock } from '../../support/manual-clock'
import { folderForTest } from '../../support/memory-databases'

function openLog(level: LogLevel = 'debug'): { log: NodeLogger; text(): string; lines(): Record<string, unknown>[] } {
  const file = join(folderForTest(), 'b.log')
  const log = createLogger({ level, file, clock: new ManualClock(0) })
  onTestFinished(() => log.close())
  const text = (): string => readFileSync(file, 'utf8')
  return {
    log,
    text,
    lines: () =>
      text()
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
  }
}

describe('the log', () => {
  it('is a JSON object a line, with the moment by the injected clock', () => {
    const { log, lines } = openLog()
    log.info({ port: 4517 }, 'listening')
    expect(lines()).toEqual([{ level: 30, time: '1970-01-01T00:00:00.000Z', port: 4517, msg: 'listening' }])
  })

  it('holds what is at or above its level, and a new level counts at once', () => {
    const { log, lines } = openLog('warn')
    for (const level of ['debug', 'info', 'warn', 'error'] as const) log[level]({}, `first ${level}`)
    log.setLevel('debug')
    log.debug({}, 'then debug')
    expect(lines().map(({ msg }) => msg)).toEqual(['first warn', 'first error', 'then debug'])
  })
})

describe('a secret that is known', () => {
  const secret = fc.string({ minLength: 6, maxLength: 60 }).filter((value) => /[^\s•]{6}/.test(value))

  it('is in no line, wherever it stands and however it is written there', () => {
    fc.assert(
      fc.property(secret, fc.string(), fc.string(), (value, before, after) => {
        const redactor = new Redactor()
        redactor.add(value)
        const around = before + value + after
        for (const written of [around, encodeURIComponent(value), JSON.stringify(around), JSON.stringify({ around })]) {
          const line = redactor.cleanLine(JSON.stringify({ msg: written }))
          expect(line).not.toContain(JSON.stringify(value).slice(1, -1))
        }
        expect(redactor.clean(around)).not.toContain(value)
      }),
    )
  })

  it('is masked from the moment it is known, in fields, nested fields and messages', () => {
    const { log, text, lines } = openLog()
    const key = 'plain looking "credential" \\ 0042'
    log.addSecret(key)
    log.error({ error: `at ${key}`, nested: { list: [key] }, url: `/x?q=${encodeURIComponent(key)}` }, `failed: ${key}`)
    expect(text()).not.toMatch(/credential|0042/)
    expect(lines()).toHaveLength(1)
    expect(log.redact(`say ${key}`)).toBe('say •••')
  })

  it('is masked whole where another one begins it', () => {
    const redactor = new Redactor()
    redactor.add('secret')
    redactor.add('secret-and-more')
    expect(redactor.clean('secret-and-more, secret')).toBe('•••, •••')
  })

  it('is not taken for one when it is as short as a word', () => {
    const redactor = new Redactor()
    redactor.add('level')
    expect(redactor.cleanLine('{"level":30}')).toBe('{"level":30}')
  })
})

describe('a secret that nobody named', () => {
  const KEY = 'Zx81Qw77Lm03Pk55'
  it.each([
    `{"authorization":"Bearer ${KEY}"}`,
    `{"headers":{"x-api-key":"${KEY}","model":"m"}}`,
    `{"error":"{\\"x-goog-api-key\\":\\"${KEY}\\"}"}`,
    `{"msg":"sent authorization: Basic ${KEY}"}`,
    `{"msg":"X-Api-Key: ${KEY}"}`,
    `{"set-cookie":"session=${KEY}; Path=/"}`,
    `{"url":"https://api.example.com/v1?alt=sse&key=${KEY}"}`,
    `{"proxy":"http://user:${KEY}@proxy.example:3128"}`,
    `{"msg":"bearer ${KEY} was refused"}`,
    `{"msg":"Incorrect API key provided: sk-${KEY}"}`,
  ])('is masked by where it stands: %s', (line) => {
    const clean = new Redactor().cleanLine(line)
    expect(clean).not.toContain(KEY)
    expect(() => JSON.parse(clean)).not.toThrow()
  })

  it.each([
    '{"level":30,"msg":"listening","url":"http://127.0.0.1:4517"}',
    '{"requestId":"req_0123456789abcdef","model":"openai/gpt-5","status":503}',
  ])('is not seen in what is none: %s', (line) => expect(new Redactor().cleanLine(line)).toBe(line))
})
