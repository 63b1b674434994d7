// Names of tools that an upstream refuses: what is sent in their place, and that the client never sees it.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DIALECTS, type Dialect } from '../../../core/contract/kinds'
import type { AnswerEvent, CanonicalRequest, Part } from '../../../core/dialects/canonical'
import { dialectModules } from '../../../core/dialects/dialects'
import { type RenamedTools, renameTools, withClientNames } from '../../../core/dialects/tool-names'
import { translateRequest } from '../../../core/dialects/translate'
import type { BuildTarget, Translation } from '../../../core/dialects/translation'
import { createAnswerSource } from '../../../core/pipeline/answer-source'
import { plainRequest, writeContext } from '../../support/answer-events'

const TARGET: BuildTarget = {
  model: 'm1',
  stream: false,
  maxTokensField: 'max_completion_tokens',
  reportsUsageOnRequest: false,
  maxOutputTokens: null,
}
const translationOf = (dialect: Dialect): Translation => dialectModules[dialect].translation as Translation

const tool = (name: string) => ({ name, description: null, schema: null, strict: null, freeForm: false })
const call = (id: string, name: string): Part => ({ kind: 'tool-call', id, name, arguments: '{}', freeForm: false })
const result = (callId: string, name: string): Part => ({
  kind: 'tool-result',
  callId,
  name,
  isError: false,
  content: [{ kind: 'text', text: 'ok' }],
})

/** A conversation in which each tool is offered, was called, and the last must be called. */
const requestWith = (names: readonly string[]): CanonicalRequest => ({
  ...plainRequest,
  tools: names.map(tool),
  toolChoice: { kind: 'tool', name: names.at(-1) ?? '' },
  turns: [
    ...plainRequest.turns,
    { role: 'assistant', parts: names.map((name, i) => call(`c${i}`, name)) },
    { role: 'user', parts: names.map((name, i) => result(`c${i}`, name)) },
  ],
})

const namesOf = ({ tools }: CanonicalRequest): readonly string[] => tools.map(({ name }) => name)
const sent = (dialect: Dialect, ...names: string[]): readonly string[] =>
  namesOf(renameTools(requestWith(names), translationOf(dialect).toolNames).request)

const LONG = `mcp__github-enterprise__${'a'.repeat(104)}`

describe('names of tools', () => {
  it.each<[Dialect, string, string | RegExp]>([
    ['openai-chat', 'mcp__github__get-issue', 'mcp__github__get-issue'],
    ['openai-chat', '1look', '1look'],
    ['openai-chat', 'a.b:c d', 'a_b_c_d'],
    ['openai-responses', 'größe🌍', 'gr__e_'],
    ['openai-chat', LONG, /^mcp__github-enterprise__a+_[a-z0-9]+$/],
    ['openai-responses', LONG, /^mcp__github-enterprise__a+_[a-z0-9]+$/],
    ['gemini', LONG, /^mcp__github-enterprise__a+_[a-z0-9]+$/],
    ['anthropic', LONG, LONG],
    ['anthropic', 'mcp.read', 'mcp_read'],
    ['gemini', 'a.b:c-d', 'a.b:c-d'],
    ['gemini', '1look', '_1look'],
    ['gemini', '-look', '_-look'],
    ['gemini', 'a/b', 'a_b'],
    ['gemini', `1${'a'.repeat(63)}`, /^_1a+_[a-z0-9]+$/],
    ['anthropic', '', '_'],
  ])('to %s: %s goes as %s', (dialect, name, expected) => {
    const [given] = sent(dialect, name)
    if (typeof expected === 'string') expect(given).toBe(expected)
    else expect(given).toMatch(expected)
    expect(given).toMatch(translationOf(dialect).toolNames.pattern)
  })

  it('stay apart where two would become the same', () => {
    expect(sent('openai-chat', 'a.b', 'a_b', 'a:b')).toEqual(['a_b_2', 'a_b', 'a_b_3'])
    const [first, second] = sent('gemini', LONG, `${LONG}b`)
    expect(first).not.toBe(second)
  })

  it('leave a request as it is where all are allowed', () => {
    const request = requestWith(['look', 'read'])
    const { request: same, renamed } = renameTools(request, translationOf('openai-chat').toolNames)
    expect(same).toBe(request)
    expect(renamed.size).toBe(0)
  })

  it('of documents are not names of tools', () => {
    const media = { kind: 'base64', mediaType: 'application/pdf', data: 'AA==' } as const
    const document: Part = { kind: 'document', media, name: 'my file.pdf' }
    const request: CanonicalRequest = {
      ...requestWith(['a.b']),
      turns: [{ role: 'user', parts: [document] }],
    }
    const { request: changed } = renameTools(request, translationOf('openai-chat').toolNames)
    expect(changed.turns[0]?.parts[0]).toBe(document)
  })

  const name = fc.oneof(
    fc.stringMatching(/^[a-c.:]{1,4}$/),
    fc.string({ unit: 'grapheme', maxLength: 140 }),
    fc.stringMatching(/^a{60,68}[bc.]?$/),
  )
  it.each(DIALECTS)('to %s are allowed, different, alike in the whole request, and come back', (dialect) => {
    const rule = translationOf(dialect).toolNames
    fc.assert(
      fc.property(fc.uniqueArray(name, { minLength: 1, maxLength: 8 }), (names) => {
        const request = requestWith(names)
        const before = structuredClone(request)
        const { request: changed, renamed } = renameTools(request, rule)
        const given = namesOf(changed)
        for (const one of given) expect(one).toMatch(rule.pattern)
        expect(new Set(given).size).toBe(names.length)
        expect(changed.toolChoice).toEqual({ kind: 'tool', name: given.at(-1) })
        const inTurns = changed.turns.slice(1).map(({ parts }) => parts.map((part) => 'name' in part && part.name))
        expect(inTurns).toEqual([given, given])
        expect(withClientNames(given.map(called), renamed)).toEqual(names.map(called))
        expect(request).toEqual(before)
        expect(renameTools(request, rule)).toEqual({ request: changed, renamed })
      }),
    )
  })
})

const called = (name: string, index = 0): AnswerEvent => ({
  kind: 'tool-call',
  index,
  id: `call_${index}`,
  name,
  freeForm: false,
})

const pairs = DIALECTS.flatMap((from) => DIALECTS.filter((to) => to !== from).map((to) => [from, to] as const))

describe.each(pairs)('a %s client whose tools have names that %s may refuse', (from, to) => {
  const names = [LONG, '1look', 'a.b', 'look']
  const body = translationOf(from).buildRequest(requestWith(names), TARGET, { dropped: () => {} })
  const upstream = { name: to, translation: translationOf(to) }
  const { body: built, renamedTools } = translateRequest(body, translationOf(from), upstream, TARGET)
  const offered = namesOf(upstream.translation.parseRequest(built, { dropped: () => {} }))

  it('has them all sent under allowed names', () => {
    expect(offered).toHaveLength(names.length)
    for (const name of offered) expect(name).toMatch(upstream.translation.toolNames.pattern)
  })

  const answer: readonly AnswerEvent[] = [
    { kind: 'start', id: 'x', model: 'm' },
    ...offered.flatMap((name, index): AnswerEvent[] => [
      called(name, index),
      { kind: 'tool-arguments', index, piece: '{}' },
      { kind: 'tool-end', index },
    ]),
    { kind: 'stop', reason: 'tool-calls', sequence: null },
    { kind: 'end' },
  ]

  it('gets its own names back in a whole answer', () => {
    const text = upstream.translation.writeAnswer(answer, writeContext())
    expect(calledIn(text, to, renamedTools)).toEqual(names)
  })

  it('gets its own names back in a stream', () => {
    const writer = upstream.translation.createStreamWriter(writeContext())
    const text = answer.map((event) => writer.write(event)).join('')
    expect(calledIn(text, to, renamedTools)).toEqual(names)
  })
})

/** Names in an upstream's answer as the client's writer gets them. */
function calledIn(text: string, upstream: Dialect, renamedTools: RenamedTools): readonly string[] {
  const source = createAnswerSource(translationOf(upstream), { ...writeContext(), renamedTools })
  const events = [...source.feed(Buffer.from(text)), ...source.end()]
  return events.flatMap((event) => (event.kind === 'tool-call' ? [event.name] : []))
}
