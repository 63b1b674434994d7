import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readBody } from '../../../../../core/resilience/verdict/read-body'
import { type StatedWait, statedWait, waitInWords } from '../../../../../core/resilience/verdict/wait/stated-wait'
import type { ReadContext } from '../../../../../core/resilience/verdict/wait/values'

/** Monday, 02:50 in UTC, 10:50 in Beijing, 21:50 on Sunday in New York. */
const NOW = Date.parse('2026-11-30T02:50:00Z')
const CONTEXT: ReadContext = { now: NOW, zones: { server: 'UTC', person: 'America/New_York' } }
const HOUR = 3_600_000

function waitOf(headers: Record<string, string>, body: string | object = '', context = CONTEXT): StatedWait | null {
  const { json, messages } = readBody(typeof body === 'string' ? body : JSON.stringify(body))
  return statedWait({ headers, json, words: waitInWords(messages, context), refusedByLimit: true }, context)
}
const msOf = (...given: Parameters<typeof waitOf>): number | null => waitOf(...given)?.ms ?? null

describe('Retry-After', () => {
  it.each<[string, number | null]>([
    ['20', 20_000],
    ['1.5', 1_500],
    [' 12 ', 12_000],
    ['0', 0],
    ['86400', 86_400_000],
    ['1796007045', 45_000],
    ['1796007045000', 45_000],
    ['Mon, 30 Nov 2026 02:50:45 GMT', 45_000],
    ['Monday, 30-Nov-26 02:52:00 GMT', 120_000],
    ['Mon Nov 30 02:51:00 2026', 60_000],
    ['Mon Dec  7 02:50:00 2026', 7 * 24 * HOUR],
    ['Wed, 21 Oct 2015 07:28:00 GMT', 0],
    ['Saturday, 30-Nov-96 02:52:00 GMT', 0],
    ['', null],
    ['soon', null],
    ['-5', null],
    ['+5', null],
    ['5s', null],
    ['1e3', null],
    ['Infinity', null],
    ['NaN', null],
    ['20, 20', null],
    ['99999999999999999999', null],
    ['Mon, 31 Feb 2026 02:50:45 GMT', null],
    ['Mon, 30 Nov 2026 25:50:45 GMT', null],
    ['2026-11-30T02:51:00Z', null],
  ])('"%s" is %s', (value, ms) => {
    expect(msOf({ 'retry-after': value })).toBe(ms)
  })
})

describe('the order of trust', () => {
  const words = { error: { message: 'Please try again in 9s.' } }
  const window = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '8' }
  const field = { error: { message: 'Please try again in 9s.', retry_after: 7 } }

  it.each<[string, Record<string, string>, object, StatedWait]>([
    [
      'exact milliseconds',
      { 'retry-after-ms': '6', 'retry-after': '5', ...window },
      field,
      { ms: 6, source: 'retry-after-ms' },
    ],
    [
      'Azure’s own',
      { 'x-ms-retry-after-ms': '2600', 'retry-after': '3' },
      words,
      { ms: 2_600, source: 'retry-after-ms' },
    ],
    ['Retry-After', { 'retry-after': '5', ...window }, field, { ms: 5_000, source: 'retry-after' }],
    ['zero is stated', { 'retry-after': '0', ...window }, field, { ms: 0, source: 'retry-after' }],
    ['a field', window, field, { ms: 7_000, source: 'body-field' }],
    ['a spent window', window, words, { ms: 8_000, source: 'window' }],
    ['words', {}, words, { ms: 9_000, source: 'text' }],
    [
      'one that cannot be read is not there',
      { 'retry-after-ms': 'x', 'retry-after': 'soon' },
      words,
      { ms: 9_000, source: 'text' },
    ],
  ])('%s', (_what, headers, body, stated) => {
    expect(waitOf(headers, body)).toEqual(stated)
  })

  it('the same wait, said more precisely in words, is the longer one', () => {
    expect(msOf({}, { message: 'Please retry in 26.660853464s.', retryDelay: '26s' })).toBe(26_661)
    expect(msOf({}, { message: 'Please retry in 50s.', retryDelay: '26s' })).toBe(26_000)
  })
})

describe('fields of the body', () => {
  it.each<[object, number | null]>([
    [{ error: { details: [{ '@type': 'x/google.rpc.RetryInfo', retryDelay: '34.07s' }] } }, 34_070],
    [[{ error: { details: [{ retryDelay: '1500ms' }] } }], 1_500],
    [{ retryDelay: '2m' }, 120_000],
    [{ retryDelay: { seconds: 3, nanos: 500_000_000 } }, 3_500],
    [{ metadata: { quotaResetDelay: '2h37m22.776060443s' } }, 9_442_777],
    [{ quotaResetTimeStamp: '2026-11-30T05:27:22Z' }, 9_442_000],
    [{ error: { resets_in_seconds: 602_705, resets_at: 1_796_609_705 } }, 602_705_000],
    [{ resets_at: 1_796_014_800 }, 7_800_000],
    [{ resets_at: 1_796_014_800_000 }, 7_800_000],
    [{ resets_at: '1796014800' }, 7_800_000],
    [{ resetAt: '2026-11-30T03:50:00+00:00' }, HOUR],
    [{ retry_after: 10 }, 10_000],
    [{ retryAfter: '2026-11-30T02:51:00.500Z' }, 60_500],
    [{ retry_after_ms: 250 }, 250],
    [{ retryAfterMs: 1_700_000_000 }, 1_700_000_000],
    [
      { error: { metadata: { headers: { 'X-RateLimit-Remaining': '0', 'X-RateLimit-Reset': '1796083200000' } } } },
      76_200_000,
    ],
    [{ error: { metadata: { headers: { 'Retry-After': 4 } } } }, 4_000],
    [
      {
        windows: [
          { used_percent: 100, reset_after_seconds: 60 },
          { used_percent: 40, reset_after_seconds: 9_999 },
        ],
      },
      60_000,
    ],
    [{ windows: [{ remaining: 3, reset_at: 1_796_014_800 }] }, null],
    [{ resets_at: 1_000_000_000 }, 0],
    [{ retry_after: -1 }, null],
    [{ retry_after: 'soon' }, null],
    [{ retry_after: null }, null],
    [{ retry_after: true }, null],
    [{ retry_after: 123_456_789_012 }, null],
    [{ limit: 60, max_tokens: 30, created: 1_796_014_800 }, null],
  ])('%j is %s', (body, ms) => {
    expect(msOf({}, body)).toBe(ms)
  })

  it('Google’s typed delay is known as such', () => {
    const details = [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '40s' }]
    expect(waitOf({}, { error: { details } })?.source).toBe('retry-info')
    expect(waitOf({}, { retryDelay: '40s' })?.source).toBe('body-field')
  })
})

describe('headers of windows', () => {
  it.each<[string, Record<string, string>, number | null]>([
    [
      'only the spent one counts',
      {
        'x-ratelimit-remaining-requests': '4999',
        'x-ratelimit-reset-requests': '12ms',
        'x-ratelimit-remaining-tokens': '0',
        'x-ratelimit-reset-tokens': '6m0s',
      },
      360_000,
    ],
    ['none is spent', { 'x-ratelimit-remaining-requests': '4999', 'x-ratelimit-reset-requests': '1h' }, null],
    [
      'several are spent: the latest',
      {
        'x-ratelimit-remaining-a': '0',
        'x-ratelimit-reset-a': '5',
        'x-ratelimit-remaining-b': '0',
        'x-ratelimit-reset-b': '9',
      },
      9_000,
    ],
    [
      'bare seconds with a fraction',
      { 'x-ratelimit-remaining-tokens-minute': '0', 'x-ratelimit-reset-tokens-minute': '11.382867' },
      11_383,
    ],
    ['epoch seconds', { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1796014800' }, 7_800_000],
    ['ISO', { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '2026-11-30T02:55:30.500Z' }, 330_500],
    [
      'Anthropic',
      {
        'anthropic-ratelimit-input-tokens-remaining': '0',
        'anthropic-ratelimit-input-tokens-reset': '2026-11-30T02:50:38Z',
      },
      38_000,
    ],
    [
      'unified: the rejected window',
      {
        'anthropic-ratelimit-unified-status': 'rejected',
        'anthropic-ratelimit-unified-reset': '1796245200',
        'anthropic-ratelimit-unified-5h-status': 'rejected',
        'anthropic-ratelimit-unified-5h-reset': '1796014800',
        'anthropic-ratelimit-unified-7d-status': 'allowed',
        'anthropic-ratelimit-unified-7d-reset': '1796245200',
      },
      7_800_000,
    ],
    [
      'unified: overage is not the plan',
      {
        'anthropic-ratelimit-unified-status': 'rejected',
        'anthropic-ratelimit-unified-reset': '1796014800',
        'anthropic-ratelimit-unified-overage-status': 'rejected',
        'anthropic-ratelimit-unified-overage-reset': '1798761600',
      },
      7_800_000,
    ],
    [
      'unified: allowed',
      { 'anthropic-ratelimit-unified-status': 'allowed', 'anthropic-ratelimit-unified-reset': '1796014800' },
      null,
    ],
    [
      'Codex',
      {
        'x-codex-primary-used-percent': '12',
        'x-codex-primary-reset-after-seconds': '60',
        'x-codex-secondary-used-percent': '100',
        'x-codex-secondary-reset-at': '1796014800',
      },
      7_800_000,
    ],
    [
      'utilization',
      { 'anthropic-ratelimit-unified-5h-utilization': '1.0', 'anthropic-ratelimit-unified-5h-reset': '1796014800' },
      7_800_000,
    ],
    ['the draft standard', { 'ratelimit-remaining': '0', 'ratelimit-reset': '30' }, 30_000],
    ['its one header', { ratelimit: 'limit=100, remaining=0, reset=50' }, 50_000],
    ['its structured form', { ratelimit: '"burst";r=0;t=3, "daily";r=500;t=9000' }, 3_000],
    ['a reset alone is the one that refused', { 'x-ratelimit-reset': '1796007030' }, 30_000],
    [
      'two resets alone: nobody knows which',
      { 'x-ratelimit-reset-requests': '1s', 'x-ratelimit-reset-tokens': '9s' },
      null,
    ],
    ['a reset that is past', { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1796000000' }, 0],
    ['a reset that is nothing', { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': 'NaN' }, null],
    ['remaining that is nothing', { 'x-ratelimit-remaining': '', 'x-ratelimit-reset-a': 'x' }, null],
    ['other headers', { 'x-request-reset': '9', 'content-length': '0', date: 'Mon, 30 Nov 2026 03:50:00 GMT' }, null],
  ])('%s', (_what, headers, ms) => {
    expect(msOf(headers)).toBe(ms)
  })
})

describe('words', () => {
  it.each<[string, number]>([
    ['Please try again in 20ms.', 20],
    ['Please try again in 17.28s.', 17_280],
    ['Please try again in 7m12.5s. Visit https://example.test', 432_500],
    ['Please retry in 26.660853464s.', 26_661],
    ['Please retry after 26 seconds.', 26_000],
    ['Retry your request after 1 minute', 60_000],
    ['please try again after 1 seconds', 1_000],
    ['Please wait 0 seconds before retrying.', 0],
    ['Please wait for at least 30s', 30_000],
    ['You must wait 1,200 seconds', 1_200_000],
    ['Your quota will reset after 2h7m23s.', 7_643_000],
    ['Resets in 5 days', 5 * 24 * HOUR],
    [
      'resets in 6 days, 23 hours and 10 minutes',
      602_400 * 1_000 - 0 + 600 * 1_000 - 600 * 1_000 + (6 * 86_400 + 23 * 3_600 + 600 - 602_400) * 1_000,
    ],
    ['Try again in about 3 hours', 3 * HOUR],
    ['try again in ~45 min', 45 * 60_000],
    ['It is available again in 2 weeks', 14 * 24 * HOUR],
    ['Please try again in 58 hours.', 58 * HOUR],
    ['30 seconds remaining until reset', 30_000],
    ['retry_after: 26', 26_000],
    ['Retry-After: 1.5', 1_500],
    ['limit resets at: 2026-11-30T10:13:01+0000', 26_581_000],
    ['Try again at 2026-11-30T02:51:00Z', 60_000],
    ['Wait until 2026-11-30 02:51:00 UTC', 60_000],
    ['It will reset at 2026-11-30 15:20:00 +0800 CST.', 16_200_000],
    ['You will regain access on 2026-12-01 at 00:00 UTC.', 76_200_000],
    ['available at 2026-12-01', 76_200_000],
    ['Your limit will reset at 3am (America/New_York).', 5 * HOUR + 600_000],
    ['resets 9:50pm', 24 * HOUR],
    ['resets 13:20 UTC', 10 * HOUR + 1_800_000],
    ['resets at midnight UTC', 76_200_000],
    ['try again at Nov 30th, 2026 11:50 AM.', 14 * HOUR],
    ['resets Dec 1, 12am (UTC)', 76_200_000],
    ['usage limit reached|1796014800', 7_800_000],
    ['reset at 1796014800', 7_800_000],
    ['Quota will be replenished in 01:02:03.', 3_723_000],
    ['Quota will be replenished in 2.01:02:03.', 176_523_000],
    ['请在 30 秒后重试', 30_000],
    ['请等待5分钟', 300_000],
    ['额度将于 2 小时 30 分钟后恢复', 2.5 * HOUR],
    ['3天后重置', 3 * 24 * HOUR],
    ['您的限额将在 2026-11-30 13:20:00 重置。', 10 * HOUR + 1_800_000],
    ['重置时间：2026年11月30日 03:50', HOUR],
    ['請於 10 秒後再試', 10_000],
  ])('"%s" is %i', (text, ms) => {
    expect(msOf({}, { message: text })).toBe(ms)
  })

  it('wall time without a zone is the provider’s', () => {
    const beijing = { now: NOW, zones: { server: 'Asia/Shanghai', person: 'Asia/Shanghai' } }
    expect(msOf({}, { message: '您的限额将在 2026-11-30 13:20:00 重置。' }, beijing)).toBe(9_000_000)
    expect(msOf({}, { message: '将在 2026-11-30 13:20:00 UTC 重置。' }, beijing)).toBe(10 * HOUR + 1_800_000)
  })

  it.each([
    'Too many requests',
    'Please try again later.',
    'Please try again in a moment.',
    'Rate limit of 15 per 60s exceeded for UserByModelByMinute.',
    'Limit 200000, Used 199990, Requested 77.',
    'Limits: 20 requests per 1 minute, 50 per 1 day',
    'Please reduce your message size and try again. The limit is 30 seconds of audio.',
    'Retry with at most 5 messages',
    'retry 3 times',
    'Please try again in -5s.',
    'wait, there are 5 more requests',
    'The limit resets every 24 hours',
    'The session of 5 hours is used up',
    '已达到 5 小时的使用上限',
    '3分钟内最多请求10次',
    'under API version 2025-01-01 have exceeded the limit',
    'Retry at your own pace with gpt-4-2025-01-01',
    'resets at 2026-13-45T99:99:99Z',
    'resets at 25:99',
    'error code 1308, request 2026113010500000',
  ])('"%s" states none', (text) => {
    expect(msOf({}, { message: text })).toBeNull()
  })
})

describe('any headers and body', () => {
  const name = fc.constantFrom(
    ...['retry-after', 'retry-after-ms', 'x-ms-retry-after-ms', 'x-ratelimit-reset', 'x-ratelimit-remaining'],
    ...[
      'anthropic-ratelimit-unified-status',
      'anthropic-ratelimit-unified-reset',
      'ratelimit',
      'x-codex-primary-reset-at',
    ],
    ...['x-codex-primary-used-percent', 'x-ratelimit-reset-tokens', 'x-ratelimit-remaining-tokens'],
  )
  const value = fc.oneof(
    fc.string(),
    fc.double().map(String),
    fc.integer().map(String),
    fc.date({ noInvalidDate: true }).map((date) => date.toUTCString()),
    fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
    fc.constantFrom('0', 'rejected', '6m0s', '"a";r=0;t=99999999999', '1e400', '-0', 'Infinity'),
  )
  const words = fc
    .tuple(
      fc.constantFrom('try again in ', 'resets at ', 'wait ', '请等待', 'retry after '),
      value,
      fc.constantFrom('', 's', ' hours', '秒后', ' UTC'),
    )
    .map((parts) => parts.join(''))
  const field = fc.constantFrom(
    'retry_after',
    'resets_at',
    'retryDelay',
    'retry_after_ms',
    'headers',
    'error',
    'message',
    'details',
  )
  const json = fc.letrec<{ json: unknown }>((tie) => ({
    json: fc.oneof(
      { depthSize: 'small' },
      value,
      words,
      fc.double(),
      fc.constant(null),
      fc.array(tie('json'), { maxLength: 3 }),
      fc.dictionary(field, tie('json'), { maxKeys: 4 }),
    ),
  })).json
  const body = fc.oneof(
    json.map((given) => JSON.stringify(given) ?? ''),
    fc.string(),
    words,
  )

  it('give null or a finite number of whole milliseconds, never less than zero', () => {
    fc.assert(
      fc.property(fc.dictionary(name, value), body, (headers, text) => {
        const stated = waitOf(headers, text)
        expect(stated === null || (Number.isSafeInteger(stated.ms) && stated.ms >= 0)).toBe(true)
      }),
      { numRuns: 3_000 },
    )
  })
})
