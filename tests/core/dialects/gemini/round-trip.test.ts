import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CanonicalRequest, JsonObject } from '../../../../core/dialects/canonical'
import { buildRequest } from '../../../../core/dialects/gemini/build-request'
import { createNotes, parsed, target } from './helpers'

const words = fc.string({ minLength: 1, maxLength: 8 })
const base64 = fc.base64String({ minLength: 4, maxLength: 8 }).filter((text) => !text.startsWith('YncxO'))
const name = fc.constantFrom('read', 'write', 'list')
const maybe = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(arbitrary, { nil: undefined })
const args = fc.dictionary(fc.constantFrom('p', 'q', '__proto__'), fc.oneof(fc.string(), fc.integer(), fc.boolean()))

const call = fc.record({ functionCall: fc.record({ name, args }), thoughtSignature: maybe(base64) })
const modelPart = fc.oneof(
  fc.record({ text: words }),
  fc.record({ text: words, thought: fc.constant(true), thoughtSignature: maybe(base64) }),
  call,
)
const image = fc.record({
  inlineData: fc.record({ mimeType: fc.constantFrom('image/png', 'application/pdf'), data: base64 }),
})
const link = fc.record({ fileData: fc.record({ mimeType: fc.constant('image/png'), fileUri: fc.webUrl() }) })
const userPart = fc.oneof(fc.record({ text: words }), image, link)
const outcome = fc.oneof(fc.record({ output: fc.string() }), fc.record({ error: words }))

/** What the model says, and what the user answers: a result for every call, then anything else. */
const exchange = fc
  .tuple(
    fc.array(modelPart, { minLength: 1, maxLength: 4 }),
    fc.array(userPart, { minLength: 1, maxLength: 2 }),
    fc.array(outcome, { minLength: 4, maxLength: 4 }),
  )
  .map(([said, asked, outcomes]): JsonObject[] => {
    const results = said.flatMap((part, at) =>
      'functionCall' in part ? [{ functionResponse: { name: part.functionCall.name, response: outcomes[at] } }] : [],
    )
    return [
      { role: 'model', parts: said },
      { role: 'user', parts: [...results, ...asked] },
    ]
  })

const body: fc.Arbitrary<JsonObject> = fc
  .record({
    first: fc.array(userPart, { minLength: 1, maxLength: 2 }),
    exchanges: fc.array(exchange, { maxLength: 3 }),
    system: maybe(words),
    schema: maybe(fc.constantFrom('STRING', 'NUMBER', 'INTEGER', 'BOOLEAN')),
    mode: maybe(fc.constantFrom('AUTO', 'ANY', 'NONE')),
    config: fc.record(
      {
        temperature: fc.double({ min: 0, max: 2, noNaN: true }).map((value) => value + 0),
        topP: fc.double({ min: 0, max: 1, noNaN: true }),
        topK: fc.integer({ min: 1, max: 100 }),
        maxOutputTokens: fc.integer({ min: 1, max: 60_000 }),
        stopSequences: fc.array(words, { minLength: 1, maxLength: 5 }),
        seed: fc.integer(),
        presencePenalty: fc.double({ min: 0.1, max: 1.9, noNaN: true }),
        frequencyPenalty: fc.double({ min: -1.9, max: -0.1, noNaN: true }),
        responseMimeType: fc.constant('application/json'),
        thinkingConfig: fc.record({
          thinkingBudget: fc.oneof(fc.constantFrom(-1, 0), fc.integer({ min: 512, max: 24_576 })),
          includeThoughts: fc.constant(true),
        }),
      },
      { requiredKeys: [] },
    ),
  })
  .map(({ first, exchanges, system, schema, mode, config }) => ({
    contents: [{ role: 'user', parts: first }, ...exchanges.flat()],
    ...(system === undefined ? {} : { systemInstruction: { parts: [{ text: system }] } }),
    ...(schema === undefined
      ? {}
      : {
          tools: [
            {
              functionDeclarations: [
                {
                  name: 'read',
                  description: 'd',
                  parameters: { type: 'OBJECT', properties: { p: { type: schema, nullable: true } }, required: ['p'] },
                },
              ],
            },
          ],
          ...(mode === undefined ? {} : { toolConfig: { functionCallingConfig: { mode } } }),
        }),
    generationConfig: config,
  }))

const build = (request: CanonicalRequest): JsonObject => buildRequest(request, target(), createNotes())

describe('a Gemini request that goes through the canonical form and back', () => {
  it('says the same, and changes nothing it was given', () => {
    fc.assert(
      fc.property(body, (given) => {
        const before = JSON.stringify(given)
        const once = parsed(given)
        expect(once.dropped).toEqual([])
        const again = parsed(JSON.parse(JSON.stringify(build(once.request))) as JsonObject)
        expect(again.request).toEqual(once.request)
        expect(JSON.stringify(given)).toBe(before)
      }),
      { numRuns: 500 },
    )
  })

  it('says the same in either spelling', () => {
    const snake = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(snake)
      if (typeof value !== 'object' || value === null) return value
      return Object.fromEntries(
        Object.entries(value).map(([key, member]) => {
          const isOwn = key === 'args' || key === 'response' || key === 'properties'
          return [key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), isOwn ? member : snake(member)]
        }),
      )
    }
    fc.assert(
      fc.property(body, (given) => {
        expect(parsed(snake(given) as JsonObject)).toEqual(parsed(given))
      }),
    )
  })
})
