import { describe, expect, it } from 'vitest'
import { fetchModelList, MAX_MODELS } from '../../../core/models/fetch-model-list'
import type { GetCall } from '../../../core/providers/get-text'
import { ManualClock } from '../../support/manual-clock'
import { type Answer, json, listOf, startListServer } from './fake-lists'

async function fetchFrom(answer: Answer, path = '/v1/models') {
  const server = await startListServer(answer)
  const call: GetCall = { origin: server.origin, path, headers: ['authorization', 'Bearer sk-list'] }
  return { server, result: await fetchModelList(call, server.transport, new ManualClock()) }
}

const idsOf = (result: Awaited<ReturnType<typeof fetchModelList>>): readonly string[] =>
  result.ok ? result.models.map(({ id }) => id) : [result.why]

describe('fetching a list', () => {
  it('sends the key, and takes each name once', async () => {
    let seen = ''
    const { result, server } = await fetchFrom((url, key, response) => {
      seen = key
      listOf('a', 'b', 'a')(url, key, response)
    })
    expect(seen).toBe('sk-list')
    expect(server.asked).toEqual(['/v1/models'])
    expect(idsOf(result)).toEqual(['a', 'b'])
  })

  it('goes through Anthropic’s pages', async () => {
    const { result, server } = await fetchFrom((url, key, response) => {
      const after = url.searchParams.get('after_id')
      const body =
        after === null
          ? { data: [{ id: 'a' }, { id: 'b' }], has_more: true, last_id: 'b' }
          : { data: [{ id: 'c' }], has_more: false, last_id: 'c' }
      json(body)(url, key, response)
    })
    expect(idsOf(result)).toEqual(['a', 'b', 'c'])
    expect(server.asked).toEqual(['/v1/models', '/v1/models?limit=1000&after_id=b'])
  })

  it('goes through Gemini’s pages, behind a query that is there already', async () => {
    const { result, server } = await fetchFrom((url, key, response) => {
      const next = url.searchParams.get('pageToken') === null ? { nextPageToken: 't' } : {}
      json({ models: [{ name: `models/${url.searchParams.get('pageToken') ?? 'first'}` }], ...next })(
        url,
        key,
        response,
      )
    }, '/v1beta/models?x=1')
    expect(idsOf(result)).toEqual(['first', 't'])
    expect(server.asked[1]).toBe('/v1beta/models?x=1&pageSize=1000&pageToken=t')
  })

  it('stops where a server gives the same page for ever', async () => {
    const { result, server } = await fetchFrom(json({ data: [{ id: 'a' }], has_more: true, last_id: 'a' }))
    expect(idsOf(result)).toEqual(['a'])
    expect(server.asked).toHaveLength(2)
  })

  it('stops at a bound of pages and of models', async () => {
    let page = 0
    const { result, server } = await fetchFrom((url, key, response) => {
      page++
      const data = Array.from({ length: 400 }, (_, i) => ({ id: `m${page}-${i}` }))
      json({ data, has_more: true, last_id: `m${page}` })(url, key, response)
    })
    expect(idsOf(result)).toHaveLength(MAX_MODELS)
    expect(server.asked.length).toBeLessThanOrEqual(20)
  })

  it.each<[string, Answer, RegExp]>([
    ['a refused key', json({ error: { message: 'no' } }, 401), /^http:\S+ answered 401$/],
    ['a redirect', json({}, 302), / answered 302$/],
    ['a page for people', (_url, _key, response) => void response.end('<html>'), /not with a list of models$/],
    ['a connection that breaks', (_url, _key, response) => void response.destroy(), /could not be reached \(/],
    [
      'a list without end',
      (_url, _key, response) => void response.end(`["${'x'.repeat(9 * 1_048_576)}"]`),
      /^the list of \S+ is too long$/,
    ],
  ])('%s is said in words', async (_what, answer, words) => {
    const { result } = await fetchFrom(answer)
    expect(result.ok ? '' : result.why).toMatch(words)
  })

  it('gives up after half a minute', async () => {
    const clock = new ManualClock()
    const server = await startListServer(() => clock.advance(30_000))
    const call = { origin: server.origin, path: '/v1/models', headers: [] }
    const result = await fetchModelList(call, server.transport, clock)
    expect(result.ok ? '' : result.why).toMatch(/did not answer in time$/)
    expect(clock.waiting).toBe(0)
  })
})
