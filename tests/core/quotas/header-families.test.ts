import { describe, expect, it, test } from 'vitest'
import { familiesIn, windowsIn } from '../../../core/quotas/read-headers'
import type { ReadWindow } from '../../../core/quotas/windows'

const NOW = Date.parse('2026-11-30T10:00:00Z')
const SECOND = 1_000
const MINUTE = 60_000
const HOUR = 3_600_000
type Headers = Readonly<Record<string, string>>

function read(headers: Headers, requestLimitSpan: 'minute' | 'daily' = 'minute'): ReadWindow[] {
  const call = { model: 'm', requestLimitSpan }
  return familiesIn(headers).flatMap((family) => windowsIn(family, headers, call, NOW))
}

const three = (name: string, limit: string, left: string, reset: string): Headers => ({
  [`x-ratelimit-limit-${name}`]: limit,
  [`x-ratelimit-remaining-${name}`]: left,
  [`x-ratelimit-reset-${name}`]: reset,
})

type Expected = readonly [
  span: ReadWindow['span'],
  counts: ReadWindow['counts'],
  usedPercent: number | null,
  resetInMs: number | null,
]
const shown = (windows: readonly ReadWindow[]): Expected[] =>
  windows.map(({ span, counts, usedPercent, resetAt }) => [
    ...([span, counts] as const),
    usedPercent === null ? null : Math.round(usedPercent * 10) / 10,
    resetAt === null ? null : resetAt - NOW,
  ])

const CASES: readonly (readonly [name: string, headers: Headers, expected: readonly Expected[]])[] = [
  [
    'OpenAI: a minute’s requests and tokens, with Go’s durations',
    { ...three('requests', '5000', '4999', '12ms'), ...three('tokens', '800000', '400000', '6m0s') },
    [
      ['minute', 'requests', 0, 12],
      ['minute', 'tokens', 50, 6 * MINUTE],
    ],
  ],
  ['OpenAI: a reset with a fraction', three('requests', '60', '30', '7.66s'), [['minute', 'requests', 50, 7_660]]],
  [
    'Anthropic: a minute’s, with ISO dates',
    {
      'anthropic-ratelimit-requests-limit': '50',
      'anthropic-ratelimit-requests-remaining': '49',
      'anthropic-ratelimit-requests-reset': '2026-11-30T10:00:01Z',
      'anthropic-ratelimit-input-tokens-limit': '40000',
      'anthropic-ratelimit-input-tokens-remaining': '10000',
      'anthropic-ratelimit-input-tokens-reset': '2026-11-30T10:00:45Z',
      'anthropic-ratelimit-output-tokens-limit': '8000',
      'anthropic-ratelimit-output-tokens-remaining': '8000',
      'anthropic-ratelimit-output-tokens-reset': '2026-11-30T10:00:00Z',
    },
    [
      ['minute', 'requests', 2, SECOND],
      ['minute', 'input tokens', 75, 45 * SECOND],
      ['minute', 'output tokens', 0, 0],
    ],
  ],
  [
    'Claude subscriptions: five hours and a week, epoch seconds',
    {
      'anthropic-ratelimit-unified-status': 'allowed_warning',
      'anthropic-ratelimit-unified-5h-utilization': '0.98',
      'anthropic-ratelimit-unified-5h-reset': String(NOW / 1000 + 3600),
      'anthropic-ratelimit-unified-7d-utilization': '0.2',
      'anthropic-ratelimit-unified-7d-reset': String(NOW / 1000 + 86_400),
    },
    [
      ['5h', null, 98, HOUR],
      ['7d', null, 20, 24 * HOUR],
    ],
  ],
  [
    'Codex: by the length of its windows, the reset as a length or as a moment',
    {
      'x-codex-primary-used-percent': '37.5',
      'x-codex-primary-window-minutes': '300',
      'x-codex-primary-reset-at': String(NOW / 1000 + 60),
      'x-codex-secondary-used-percent': '11',
      'x-codex-secondary-window-minutes': '10080',
      'x-codex-secondary-reset-after-seconds': '7200',
    },
    [
      ['5h', null, 37.5, MINUTE],
      ['7d', null, 11, 2 * HOUR],
    ],
  ],
  [
    'Cerebras: a day’s requests, a minute’s tokens, seconds with a fraction',
    { ...three('requests-day', '14400', '7200', '33011.382867'), ...three('tokens-minute', '60000', '0', '11.38') },
    [
      ['daily', 'requests', 50, 33_011_383],
      ['minute', 'tokens', 100, 11_380],
    ],
  ],
  [
    'SambaNova: a minute’s and a day’s requests, epoch seconds',
    {
      ...three('requests', '60', '59', String(NOW / 1000 + 30)),
      ...three('requests-day', '12000', '3000', String(NOW / 1000 + 7200)),
    },
    [
      ['minute', 'requests', 1.7, 30 * SECOND],
      ['daily', 'requests', 75, 2 * HOUR],
    ],
  ],
  [
    'Mistral: a minute’s and a month’s, without a reset',
    {
      'x-ratelimit-limit-req-minute': '720',
      'x-ratelimit-remaining-req-minute': '180',
      'x-ratelimit-limit-tokens-month': '1000000',
      'x-ratelimit-remaining-tokens-month': '900000',
      'x-ratelimit-tokens-query-cost': '52',
    },
    [
      ['monthly', 'tokens', 10, null],
      ['minute', 'requests', 75, null],
    ],
  ],
  [
    'DigitalOcean: a bucket that fills all the while has no moment at which it is full',
    three('tokens-per-day', '1000', '250', String(NOW / 1000 + 5)),
    [['daily', 'tokens', 75, null]],
  ],
  [
    'OpenRouter’s free models: a day’s, epoch milliseconds',
    {
      'x-ratelimit-limit': '50',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': String(NOW + 14 * HOUR),
    },
    [['daily', 'requests', 100, 14 * HOUR]],
  ],
  [
    'the same, of a minute',
    { 'x-ratelimit-limit': '20', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(NOW + 40 * SECOND) },
    [['minute', 'requests', 100, 40 * SECOND]],
  ],
  [
    'RateLimit: several policies, each by its length',
    {
      'ratelimit-policy': '"burst";q=100;w=60,"daily";q=1000;w=86400',
      ratelimit: '"burst";r=25;t=30, "daily";r=900;t=36000',
    },
    [
      ['minute', 'requests', 75, 30 * SECOND],
      ['daily', 'requests', 10, 10 * HOUR],
    ],
  ],
  [
    'RateLimit: the older list',
    { ratelimit: 'limit=100, remaining=50, reset=50', 'ratelimit-policy': '100;w=60' },
    [['minute', 'requests', 50, 50 * SECOND]],
  ],
  [
    'RateLimit-Limit and its like, the oldest',
    { 'ratelimit-limit': '1000', 'ratelimit-remaining': '100', 'ratelimit-reset': '7200' },
    [['daily', 'requests', 90, 2 * HOUR]],
  ],
]

describe('the headers of one answer', () => {
  test.each(CASES)('%s', (_name, headers, expected) => {
    expect(shown(read(headers))).toEqual(expected)
  })

  it('Groq counts requests by the day, as its row says', () => {
    const headers = { ...three('requests', '14400', '7200', '2m59.56s'), ...three('tokens', '18000', '9000', '7.66s') }
    expect(shown(read(headers, 'daily'))).toEqual([
      ['daily', 'requests', 50, 179_560],
      ['minute', 'tokens', 50, 7_660],
    ])
  })

  it('limits of keys are their model’s, those of subscriptions the account’s', () => {
    const [family] = CASES.map(([, headers]) => read(headers))
    expect(family?.map(({ model }) => model)).toEqual(['m', 'm'])
    const subscription = read(CASES[3]?.[1] ?? {})
    expect(subscription.map(({ model }) => model)).toEqual([null, null])
  })
})

describe('what cannot be read', () => {
  test.each<[string, Headers]>([
    ['no limits at all', { 'content-type': 'application/json', 'x-request-id': '1' }],
    ['numbers that are none', three('requests', 'many', 'some', 'soon')],
    ['a limit of nothing', three('requests', '0', '0', '1s')],
    ['what is left without what there was', { 'x-ratelimit-remaining-requests': '3' }],
    ['one window that nobody says the length of', { 'x-ratelimit-limit': '50', 'x-ratelimit-remaining': '1' }],
    ['a field that is far too long', { ratelimit: `"a";r=1,${'x'.repeat(2_000)}` }],
    ['a field that is no list', { ratelimit: ';;;==,,', 'ratelimit-policy': '=' }],
  ])('%s is unknown', (_name, headers) => {
    expect(read(headers)).toEqual([])
  })

  it('more left than there is, as after an upgrade, is none used', () => {
    expect(shown(read(three('requests-day', '100', '150', '60')))).toEqual([['daily', 'requests', 0, MINUTE]])
  })
})
