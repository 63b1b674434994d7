import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PRACTICE_MODELS } from '../../../core/practice/practice-models'
import { type PracticeServer, startPracticeServer } from '../../../core/practice/practice-server'
import { ManualClock } from '../../support/manual-clock'

describe('the practice models', () => {
  let server: PracticeServer
  const clock = new ManualClock()

  beforeAll(async () => {
    server = await startPracticeServer(clock)
  })
  afterAll(() => server.close())

  const ask = (model: string, key: string, path = '/chat/completions') =>
    fetch(server.baseUrl + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello' }] }),
    })
  /** "503", "200", or "cut". */
  const statusOf = async (model: string, key: string): Promise<string> => {
    try {
      return String((await ask(model, key)).status)
    } catch {
      return 'cut'
    }
  }

  it('have names and words of their own', () => {
    expect(new Set(PRACTICE_MODELS.map(({ id }) => id)).size).toBe(PRACTICE_MODELS.length)
    expect(PRACTICE_MODELS.every(({ shows }) => shows.endsWith('.'))).toBe(true)
  })

  it.each([
    ['echo', '200', '200'],
    ['rate-limited', '429', '200'],
    ['down', '503', '200'],
    ['outage', '503', '503'],
    ['cut', 'cut', '200'],
    ['nobody', '404', '404'],
  ])('%s answers %s on the first connection and %s on the second', async (model, first, second) => {
    expect(await statusOf(model, server.keys[0])).toBe(first)
    expect(await statusOf(model, server.keys[1])).toBe(second)
  })

  it('flaky fails every second time, on the first connection only', async () => {
    const seen: string[] = []
    for (let i = 0; i < 4; i++) seen.push(await statusOf('flaky', server.keys[0]))
    expect(seen).toEqual(['500', '200', '500', '200'])
    expect(await statusOf('flaky', server.keys[1])).toBe('200')
  })

  it('rate-limited says when to come back', async () => {
    expect((await ask('rate-limited', server.keys[0])).headers.get('retry-after')).toBe('30')
  })

  it('are listed, all of them', async () => {
    const response = await fetch(`${server.baseUrl}/models`, { headers: { 'x-api-key': server.keys[0] } })
    const { data } = (await response.json()) as { data: { id: string }[] }
    expect(data.map(({ id }) => id)).toEqual(PRACTICE_MODELS.map(({ id }) => id))
  })

  it('answer nobody without one of the two keys', async () => {
    expect(server.keys[0]).not.toBe(server.keys[1])
    expect(await statusOf('echo', 'bw-guess')).toBe('401')
    expect((await fetch(`${server.baseUrl}/models`)).status).toBe(401)
  })
})
