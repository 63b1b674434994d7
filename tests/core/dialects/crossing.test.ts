// Conversations that go from one dialect to another and back: nothing a user would miss may be lost on the way.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DIALECTS, type Dialect } from '../../../core/contract/kinds'
import type { CanonicalRequest, JsonObject, Part, Turn } from '../../../core/dialects/canonical'
import { dialectModules } from '../../../core/dialects/dialects'
import { translateRequest } from '../../../core/dialects/translate'
import type { BuildTarget, Translation } from '../../../core/dialects/translation'
import { plainRequest } from '../../support/answer-events'

const NOTHING = { dropped: () => {} }
const TARGET: BuildTarget = {
  model: 'm1',
  stream: false,
  maxTokensField: 'max_completion_tokens',
  reportsUsageOnRequest: false,
  maxOutputTokens: null,
}
const translationOf = (dialect: Dialect): Translation => dialectModules[dialect].translation as Translation

const build = (dialect: Dialect, request: CanonicalRequest): JsonObject =>
  translationOf(dialect).buildRequest(request, TARGET, NOTHING)
const parse = (dialect: Dialect, body: JsonObject): CanonicalRequest =>
  translationOf(dialect).parseRequest(body, NOTHING)
const cross = (from: Dialect, to: Dialect, body: JsonObject): JsonObject =>
  translateRequest(body, translationOf(from), { name: to, translation: translationOf(to) }, TARGET).body

const word = fc.stringMatching(/^[A-Za-zäß漢🌍][A-Za-z äß漢🌍.,!?'"\\/]{0,20}[A-Za-zäß漢🌍]$/u)
const text = word.map((words): Part => ({ kind: 'text', text: words }))
const image = fc.constant<Part>({
  kind: 'image',
  media: { kind: 'base64', mediaType: 'image/png', data: 'iVBORw0KGgo=' },
  name: null,
})
const userTurn = fc.array(fc.oneof({ weight: 3, arbitrary: text }, image), { minLength: 1, maxLength: 3 })
const toolName = fc.stringMatching(/^[a-z][a-z_]{0,10}$/)
const input = fc.dictionary(fc.stringMatching(/^[a-z]{1,5}$/), word, { maxKeys: 3 })
/** An assistant's turn, and the results of its calls. */
const exchange = fc.record({
  said: fc.option(text, { nil: null }),
  calls: fc.array(fc.record({ name: toolName, input, result: word, isError: fc.boolean() }), { maxLength: 3 }),
  next: userTurn,
})

const conversation = fc
  .record({
    system: fc.array(word, { maxLength: 2 }),
    first: userTurn,
    exchanges: fc.array(exchange, { maxLength: 3 }),
    maxTokens: fc.option(fc.integer({ min: 16, max: 8000 }), { nil: null }),
    temperature: fc.option(fc.constantFrom(0, 0.5, 1), { nil: null }),
    tool: toolName,
    choice: fc.constantFrom('auto', 'none', 'required', null),
  })
  .map(({ system, first, exchanges, maxTokens, temperature, tool, choice }): CanonicalRequest => {
    const turns: Turn[] = [{ role: 'user', parts: first }]
    const names = new Set([tool])
    exchanges.forEach(({ said, calls, next }, turn) => {
      const parts: Part[] = said === null && calls.length > 0 ? [] : [said ?? { kind: 'text', text: 'Yes' }]
      const results: Part[] = []
      calls.forEach(({ name, input, result, isError }, n) => {
        const id = `call_${turn}_${n}`
        names.add(name)
        parts.push({ kind: 'tool-call', id, name, arguments: JSON.stringify(input), freeForm: false })
        results.push({ kind: 'tool-result', callId: id, name, isError, content: [{ kind: 'text', text: result }] })
      })
      turns.push({ role: 'assistant', parts }, { role: 'user', parts: [...results, ...next] })
    })
    return {
      ...plainRequest,
      system: system.map((words) => ({ kind: 'text', text: words })),
      turns,
      tools: [...names].map((name) => ({
        name,
        description: `Does ${name}.`,
        schema: { type: 'object', properties: { p: { type: 'string' } } },
        strict: null,
        freeForm: false,
      })),
      toolChoice: choice === null ? null : { kind: choice },
      maxTokens,
      temperature,
    }
  })

/**
 * What a user would miss, in the order it was said. Turns of one side that follow each other count as one, and so do
 * texts: Chat servers take a plain text everywhere, and a list of them not.
 */
function told({ system, turns, tools, maxTokens, temperature }: CanonicalRequest) {
  const names = new Map(
    turns.flatMap(({ parts }) =>
      parts.flatMap((part) => (part.kind === 'tool-call' ? [[part.id, part.name]] : [])),
    ) as [string, string][],
  )
  const said: string[] = []
  for (const { role, parts } of turns) {
    for (const part of parts) {
      const last = said.at(-1) ?? ''
      if (part.kind === 'text' && last.startsWith(`${role}: `)) said[said.length - 1] = `${last}\n\n${part.text}`
      else if (part.kind === 'text') said.push(`${role}: ${part.text}`)
      if (part.kind === 'image') said.push(`image ${JSON.stringify(part.media)}`)
      if (part.kind === 'tool-call') said.push(`call ${part.name} ${JSON.stringify(JSON.parse(part.arguments))}`)
      if (part.kind === 'tool-result') {
        const words = part.content.map((inner) => (inner.kind === 'text' ? inner.text : inner.kind)).join('')
        said.push(`result of ${names.get(part.callId)}: ${words.replace(/^Error: /, '')}`)
      }
    }
  }
  return {
    system: system.map((part) => part.text).join('\n\n'),
    said,
    tools: tools.map(({ name, description, schema }) => ({ name, description, schema })),
    maxTokens,
    temperature,
  }
}

const pairs = DIALECTS.flatMap((from) => DIALECTS.filter((to) => to !== from).map((to) => [from, to] as const))

describe.each(pairs)('a conversation from %s to %s and back', (from, to) => {
  it('keeps every word, image, call, result and tool', () => {
    fc.assert(
      fc.property(conversation, (request) => {
        const first = build(from, request)
        const there = cross(from, to, first)
        const back = cross(to, from, there)
        const expected = told(parse(from, first))
        const limited = expected.maxTokens ?? told(parse(to, there)).maxTokens
        expect(told(parse(from, back))).toEqual({ ...expected, maxTokens: limited })
      }),
      { numRuns: 60 },
    )
  })

  it('does not change what it was given', () => {
    fc.assert(
      fc.property(conversation, (request) => {
        const body = build(from, request)
        const before = structuredClone(body)
        cross(from, to, body)
        expect(body).toEqual(before)
      }),
      { numRuns: 30 },
    )
  })
})
