import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readDeviceCode } from '../../../core/oauth/device-code'
import { afterDeviceAnswer, type DeviceState } from '../../../core/oauth/device-decision'
import type { TokenAnswer } from '../../../core/oauth/token-answer'

const NOW = 1_750_000_000_000
const STATE: DeviceState = { intervalMs: 5_000, deadline: NOW + 600_000 }
const error = (code: string): TokenAnswer => ({ kind: 'error', code, why: code })
const failed = (retryAfterMs: number | null = null): TokenAnswer => ({
  kind: 'failed',
  why: 'no answer',
  lost: true,
  retryAfterMs,
})

describe('a device sign-in', () => {
  it.each([
    ['pending: the same interval', error('authorization_pending'), 5_000, 5_000],
    ['slow_down: five seconds more from now on', error('slow_down'), 10_000, 10_000],
    ['no answer: twice as long', failed(), 10_000, 10_000],
    ['no answer, with a stated wait', failed(60_000), 60_000, 10_000],
  ])('asks again after %s', (_case, answer, afterMs, intervalMs) => {
    expect(afterDeviceAnswer(STATE, answer, NOW)).toEqual({
      kind: 'ask-again',
      afterMs,
      state: { ...STATE, intervalMs },
    })
  })

  it.each([
    ['access_denied', 'declined'],
    ['expired_token', 'expired'],
    ['invalid_client', 'invalid_client'],
  ])('ends with %s', (code, word) => {
    const step = afterDeviceAnswer(STATE, error(code), NOW)
    expect(step.kind === 'failed' && step.message).toContain(word)
  })

  it('ends when the code would have expired before the next question', () => {
    const late = afterDeviceAnswer(STATE, error('authorization_pending'), STATE.deadline - 5_000)
    expect(late).toMatchObject({ kind: 'failed', message: expect.stringContaining('expired') })
  })

  it('always ends, and never asks sooner than it was told to', () => {
    const anyAnswer = fc.constantFrom(error('authorization_pending'), error('slow_down'), failed(), failed(90_000))
    fc.assert(
      fc.property(fc.array(anyAnswer, { minLength: 200, maxLength: 200 }), (answers) => {
        let state = STATE
        let now = NOW
        for (const answer of answers) {
          const step = afterDeviceAnswer(state, answer, now)
          if (step.kind !== 'ask-again') return
          expect(step.afterMs).toBeGreaterThanOrEqual(state.intervalMs)
          expect(step.state.intervalMs).toBeGreaterThanOrEqual(state.intervalMs)
          state = step.state
          now += step.afterMs
        }
        throw new Error('it never ended')
      }),
    )
  })
})

describe('the code a server gives', () => {
  const body = { device_code: 'dc', user_code: 'WDJB-MJHT', verification_uri: 'https://id.example/device' }

  it('has the usual interval and lifetime where nothing is said', () => {
    expect(readDeviceCode(200, JSON.stringify(body))).toEqual({
      deviceCode: 'dc',
      userCode: 'WDJB-MJHT',
      verificationUri: 'https://id.example/device',
      verificationUriComplete: null,
      expiresInMs: 900_000,
      intervalMs: 5_000,
    })
  })

  it('has those that are said, within bounds, and the other name of the page', () => {
    const { verification_uri, ...rest } = body
    const other = { ...rest, verification_url: verification_uri, interval: 9_999, expires_in: '1800' }
    expect(readDeviceCode(200, JSON.stringify(other))).toMatchObject({ intervalMs: 300_000, expiresInMs: 1_800_000 })
  })

  it.each([
    [
      'an error',
      400,
      JSON.stringify({ error: 'invalid_client', error_description: 'unknown' }),
      'invalid_client (unknown)',
    ],
    ['a failing server', 503, '', '503'],
    ['no code', 200, '{}', 'no code'],
    [
      'a page that is no safe address',
      200,
      JSON.stringify({ ...body, verification_uri: 'javascript:alert(1)' }),
      'no page',
    ],
    [
      'a page in clear on another machine',
      200,
      JSON.stringify({ ...body, verification_uri: 'http://id.example' }),
      'no page',
    ],
  ])('is refused when it is %s', (_case, status, text, word) => {
    const read = readDeviceCode(status, text)
    expect('message' in read && read.message).toContain(word)
  })
})
