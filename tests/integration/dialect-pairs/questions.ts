// What every client is put through at every upstream, whole and streamed. The fake upstream checks each request as the
// real API would and plays the scenario its model is named after.
import { describe, expect, test } from 'vitest'
import type { Dialect } from '../../../core/contract/kinds'
import type { FakeUpstream } from '../../support/fake-upstream'
import { CITIES, FULL_USAGE, THOUGHT } from '../../support/scenarios'
import {
  type Client,
  type ClientKind,
  PICTURE,
  PICTURE_BYTES,
  PICTURE_URL,
  type Question,
  type Reply,
} from './clients/client'

/** A client before an upstream, with or without a gateway between them. */
export interface Meeting {
  readonly kind: ClientKind
  readonly upstream: Dialect
  client(): Client
  fake(): FakeUpstream
  /** The name to ask for: a strict model of the upstream, of its own for every test. */
  model(scenario: string): string
}

/** "strict-text.17" of "gemini-up/strict-text.17". */
const bare = (model: string): string => model.slice(model.indexOf('strict-'))

const SYSTEM = 'Be brief – 简短。'
const PROMPT = 'Grüße an "alle" \\ 🌍\nund 你好'
const forecast = (city: string): string => `"Sunny" in ${city}\n19 °C – 晴`

export function describeMeeting(meeting: Meeting): void {
  for (const stream of [false, true]) {
    describe(stream ? 'streamed' : 'whole', () => {
      askAll(meeting, stream)
      stopAll(meeting, stream)
    })
  }
}

function askAll({ kind, upstream, client, fake, model }: Meeting, stream: boolean): void {
  const ask = async (scenario: string, more: Partial<Question>): Promise<Reply> => {
    const name = model(scenario)
    try {
      return await client().ask({ model: name, prompt: PROMPT, stream, ...more })
    } catch (error) {
      const refusals = (await fake().refusals()).filter((one) => one.startsWith(`${bare(name)}:`))
      throw refusals.length === 0 ? error : new Error(`the upstream refused ${refusals.join('; ')}`, { cause: error })
    }
  }
  const goOn = async (reply: Reply, scenario: string, ...given: Parameters<Reply['goOn']>): Promise<Reply> => {
    const before = (await fake().refusals()).length
    try {
      return await reply.goOn(...given)
    } catch (error) {
      const refusals = (await fake().refusals()).slice(before)
      throw refusals.length === 0 ? error : new Error(`${scenario}: the upstream refused ${refusals.join('; ')}`)
    }
  }

  test('text, with instructions', async () => {
    const pieces: string[] = []
    const reply = await ask('text', { system: SYSTEM, onText: (piece) => pieces.push(piece) })
    expect(reply.text).toBe(`${SYSTEM} | ${PROMPT}`)
    expect(reply.stop).toBe(kind.stops.stop)
    if (stream) expect(pieces.join('')).toBe(reply.text)
    if (stream) expect(pieces.length).toBeGreaterThan(1)
  })

  test('parallel tool calls, over two turns', async () => {
    const first = await ask('tools', { tools: true })
    expect(first.text).toBe('Let me look.')
    expect(first.calls.map(({ name, arguments: given }) => ({ name, given }))).toEqual(
      CITIES.map((city) => ({ name: 'weather', given: { city } })),
    )
    if (kind.dialect !== 'gemini') expect(new Set(first.calls.map(({ id }) => id)).size).toBe(2)
    expect(first.stop).toBe(kind.stops.calls)
    const second = await goOn(first, 'tools', (_call, i) => forecast(CITIES[i] as string))
    expect(second.text).toBe(CITIES.map((city) => `weather({"city":"${city}"}) = ${forecast(city)}`).join('; '))
    expect(second.calls).toEqual([])
    expect(second.stop).toBe(kind.stops.stop)
  })

  test('a picture', async () => {
    const reply = await ask('image', { picture: PICTURE })
    expect(reply.text).toBe(`image in message: image/png, ${PICTURE_BYTES} bytes`)
  })

  test.runIf(kind.pictureAddresses)('the address of a picture', async () => {
    const reply = await ask('image', { picture: PICTURE_URL })
    expect(reply.text).toBe(`image in message: ${PICTURE_URL}`)
  })

  test.runIf(kind.toolPictures)('pictures in tool results', async () => {
    const first = await ask('tool-image', { tools: true })
    const second = await goOn(first, 'tool-image', () => PICTURE)
    const one = `image in (message|tool result): image/png, ${PICTURE_BYTES} bytes`
    expect(second.text).toMatch(new RegExp(`^${one}; ${one}$`))
  })

  test('an answer that fits a schema', async () => {
    const reply = await ask('structured', { structured: true })
    expect(JSON.parse(reply.text)).toEqual({ city: 'words', degrees: 7, winds: [{ strong: true }] })
  })

  test('thoughts', async () => {
    const reply = await ask('thinking', { think: true })
    expect(reply.text).toBe('Thought it over.')
    if (kind.dialect !== 'openai-chat' || kind.keepsThoughts) expect(reply.thought).toBe(THOUGHT)
  })

  test('thoughts between tool calls, which go back as they came', async () => {
    const first = await ask('thinking', { think: true, tools: true })
    expect(first.calls).toHaveLength(2)
    const second = await goOn(first, 'thinking', (_call, i) => forecast(CITIES[i] as string))
    expect(second.text).toContain(`weather({"city":"Paris"}) = ${forecast('Paris')}`)
    if (upstream === 'openai-chat') return
    expect(second.text).toContain(kind.keepsThoughts ? '(thoughts: kept)' : '(thoughts: lost)')
  })

  test('what it cost', async () => {
    const { usage } = await ask('usage', {})
    const { input, cached, output, reasoning } = FULL_USAGE
    expect(usage).toMatchObject({ input, cached, output })
    if (kind.dialect !== 'anthropic') expect(usage.reasoning).toBe(reasoning)
  })
}

function stopAll({ kind, client, fake, model }: Meeting, stream: boolean): void {
  test('an answer that was cut off by its limit', async () => {
    const reply = await client().ask({ model: model('stop-length'), prompt: 'Hi', stream })
    expect(reply).toMatchObject({ text: 'Cut off here', stop: kind.stops.length })
  })

  test('an answer that was stopped by a filter', async () => {
    const reply = await client().ask({ model: model('stop-filter'), prompt: 'Hi', stream })
    expect(reply.stop).toBe(kind.stops.filter)
  })

  test('leaving in the middle closes the upstream’s connection', async () => {
    const name = model('slow')
    const leaving = new AbortController()
    if (!stream) await fake().answer('*', bare(name), { headers: {}, steps: [{ kind: 'hang' }] })
    const onText = (): void => leaving.abort()
    const asked = client().ask({ model: name, prompt: 'Hi', stream, signal: leaving.signal, onText })
    const ended = expect(asked).rejects.toThrow()
    const { id } = await fake().arrival(bare(name))
    if (!stream) leaving.abort()
    await ended
    expect((await fake().closed(id)).aborted).toBe(true)
    expect(await fake().seen(bare(name))).toHaveLength(1)
  })
}
