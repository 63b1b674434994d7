// What every client is put through at every upstream. The fake upstream checks each request as the real API would and
// plays the scenario its model is named after.
import { expect, test } from 'vitest'
import { CITIES, FULL_USAGE, THOUGHT } from '../../support/scenarios'
import {
  type Call,
  PICTURE,
  PICTURE_BYTES,
  PICTURE_URL,
  type Question,
  type Reply,
  type Result,
} from './clients/client'
import { type Meeting, telling } from './meeting'

const SYSTEM = 'Be brief – 简短。'
const PROMPT = 'Grüße an "alle" \\ 🌍\nund 你好'
const forecast = (city: string): string => `"Sunny" in ${city}\n19 °C – 晴`
const forecasts = (_call: Call, index: number): string => forecast(CITIES[index] as string)
const said = (city: string): string => `weather({"city":"${city}"}) = ${forecast(city)}`
const image = `image/png, ${PICTURE_BYTES} bytes`

export function testAnswers(meeting: Meeting): void {
  const { kind, upstream, stream, client, fake, model } = meeting
  const { stops, dialect } = kind
  const ask = (scenario: string, more: Partial<Question> = {}): Promise<Reply> =>
    telling(fake(), () => client().ask({ model: model(scenario), prompt: PROMPT, stream, ...more }))
  const goOn = (reply: Reply, result: (call: Call, index: number) => Result): Promise<Reply> =>
    telling(fake(), () => reply.goOn(result))

  test('gets text, and its instructions arrive', async () => {
    const pieces: string[] = []
    const reply = await ask('text', { system: SYSTEM, onText: (piece) => pieces.push(piece) })
    expect(reply).toMatchObject({ text: `${SYSTEM} | ${PROMPT}`, thought: '', calls: [], stop: stops.stop })
    if (!stream) return
    expect(pieces.join('')).toBe(reply.text)
    expect(pieces.length).toBeGreaterThan(1)
  })

  test('gets parallel tool calls, and their results arrive', async () => {
    const first = await ask('tools', { tools: true })
    expect(first).toMatchObject({ text: 'Let me look.', stop: stops.calls })
    expect(first.calls).toMatchObject(CITIES.map((city) => ({ name: 'weather', arguments: { city } })))
    if (dialect !== 'gemini') expect(new Set(first.calls.map(({ id }) => id)).size).toBe(2)
    const second = await goOn(first, forecasts)
    expect(second).toMatchObject({ text: CITIES.map(said).join('; '), calls: [], stop: stops.stop })
  })

  test('shows a picture', async () => {
    expect((await ask('image', { picture: PICTURE })).text).toBe(`image in message: ${image}`)
  })

  if (kind.pictureAddresses) {
    test('shows a picture by its address', async () => {
      expect((await ask('image', { picture: PICTURE_URL })).text).toBe(`image in message: ${PICTURE_URL}`)
    })
  }

  if (kind.toolPictures) {
    test('gives pictures as tool results', async () => {
      const first = await ask('tool-image', { tools: true })
      const { text } = await goOn(first, () => PICTURE)
      expect(text.replaceAll('tool result', 'message')).toBe(`image in message: ${image}; image in message: ${image}`)
    })
  }

  test('gets an answer that fits its schema', async () => {
    const { text } = await ask('structured', { structured: true })
    expect(JSON.parse(text)).toEqual({ city: 'words', degrees: 7, winds: [{ strong: true }] })
  })

  test('sees thoughts', async () => {
    const reply = await ask('thinking', { think: true })
    expect(reply.text).toBe('Thought it over.')
    if (kind.showsThoughts) expect(reply.thought).toBe(THOUGHT)
  })

  test('gives thoughts back as they came, between tool calls', async () => {
    const first = await ask('thinking', { think: true, tools: true })
    expect(first.calls).toHaveLength(2)
    const { text } = await goOn(first, forecasts)
    expect(text).toContain(CITIES.map(said).join('; '))
    // Chat upstreams sign nothing.
    if (upstream !== 'openai-chat') expect(text).toContain(`(thoughts: ${kind.keepsThoughts ? 'kept' : 'lost'})`)
  })

  test('sees what the answer cost', async () => {
    const { usage } = await ask('usage')
    const { reasoning, ...others } = FULL_USAGE
    expect(usage).toMatchObject(others)
    if (dialect !== 'anthropic') expect(usage.reasoning).toBe(reasoning)
  })

  test('sees that an answer was cut off by its limit', async () => {
    expect(await ask('stop-length')).toMatchObject({ text: 'Cut off here', stop: stops.length })
  })

  test('sees that an answer was stopped by a filter', async () => {
    expect((await ask('stop-filter')).stop).toBe(stops.filter)
  })
}
