import { describe, expect, it } from 'vitest'
import { renameModel } from '../../../../core/dialects/anthropic/rename-model'

const rename = (text: string, name = 'fast/claude "x"'): string => renameModel(Buffer.from(text), name).toString('utf8')
const NAME = '"fast/claude \\"x\\""'

describe('the model’s name in an answer, without which Claude Code drops its thinking', () => {
  it('is the client’s in the first event of a stream, and nothing else is touched', () => {
    const before = 'event: message_start\ndata: {"type":"message_start","message":{"id":"m1","model":'
    const after =
      ',"usage":{"input_tokens":1}}}\n\nevent: content_block_start\ndata: {"content_block":{"type":"tool_use","input":{"model":"mine"}}}\n\n'
    expect(rename(`${before}"claude"${after}`)).toBe(before + NAME + after)
  })

  it('is the client’s in a whole answer, wherever it stands', () => {
    const content = '"content":[{"type":"tool_use","input":{"model":"mine"}}]'
    expect(rename(`{"id":"m1",${content},"model":"claude"}`)).toBe(`{"id":"m1",${content},"model":${NAME}}`)
    expect(rename(`{"model": "claude", ${content}}`)).toBe(`{"model": ${NAME}, ${content}}`)
  })

  it.each([
    ['a ping before the start', ': ping\r\n\r\ndata:{"type":"message_start","message":{"model":"c"}}\r\n\r\n'],
    ['a start without its line’s end', 'data: {"type":"message_start","message":{"model":"c"}}'],
  ])('is found behind %s', (_what, text) => {
    expect(rename(text, 'n')).toBe(text.replace('"c"', '"n"'))
  })

  it.each([
    ['an answer that names none', '{"id":"m1"}'],
    ['a name that is no text', '{"model":null}'],
    ['broken JSON', '{"model":"c"'],
    ['a cut start', 'data: {"type":"message_start","message":{"model":"c'],
  ])('%s stays as it came', (_what, text) => {
    expect(rename(text)).toBe(text)
  })
})
