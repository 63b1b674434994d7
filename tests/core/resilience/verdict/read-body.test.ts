import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readBody } from '../../../../core/resilience/verdict/read-body'

describe('an error body', () => {
  it.each<[string, string, string[], string[]]>([
    [
      'of OpenAI',
      '{"error":{"message":"No","type":"tokens","code":"rate_limit_exceeded"}}',
      ['No'],
      ['tokens', 'rate_limit_exceeded'],
    ],
    ['with a plain error', '{"code":"x y","error":"spent"}', ['spent'], ['spent']],
    [
      'in a list',
      '[{"error":{"code":429,"status":"RESOURCE_EXHAUSTED","message":"No"}}]',
      ['No'],
      ['429', 'resource_exhausted'],
    ],
    ['with errors in a list', '{"errors":[{"code":4006,"message":"No"}]}', ['No'], ['4006']],
    ['of MiniMax', '{"base_resp":{"status_code":1008,"status_msg":"empty"}}', ['empty'], ['1008']],
    [
      'with a code in its words',
      '{"message":"insufficient balance (1008)"}',
      ['insufficient balance (1008)'],
      ['1008'],
    ],
    [
      'within a message',
      '{"message":"{\\"error\\":{\\"message\\":\\"inner\\",\\"code\\":\\"c1\\"}}"}',
      ['inner'],
      ['c1'],
    ],
    ['of an event stream', 'event: error\r\ndata:{"type":"error","error":{"message":"No"}}\r\n\r\n', ['No'], ['error']],
    ['in a later event', 'data: {"choices":[]}\n\ndata: {"error":{"message":"No","code":502}}\n\n', ['No'], ['502']],
    ['as a page', '<html><style>a{}</style><h1>502</h1>\n bad   gateway</html>', ['502 bad gateway'], []],
    ['as text', 'error code: 1015', ['error code: 1015'], []],
    ['with a mark of bytes', '\uFEFF{"error":"No"}', ['No'], ['no']],
    ['that was cut off', '{"error":{"message":"No","code":429,"input":"\\"message\\": \\"echo\\"', ['No'], ['429']],
    ['that is empty', '', [''], []],
  ])('%s', (_what, body, messages, codes) => {
    const facts = readBody(body)
    expect(facts.messages).toEqual(messages)
    for (const code of codes) expect(facts.codes).toContain(code)
    expect(facts.codes.size).toBeGreaterThanOrEqual(codes.length)
  })

  it('names the limits that Google says were hit', () => {
    const body = { details: [{ violations: [{ quotaId: 'RequestsPerDay', quotaMetric: 'requests' }] }] }
    expect(readBody(JSON.stringify(body)).limits).toEqual(['requestsperday', 'requests'])
  })

  it('is read to the end of no depth and no size, and never throws', () => {
    expect(readBody('['.repeat(5_000)).messages).toHaveLength(1)
    expect(readBody(JSON.stringify({ error: { message: 'x'.repeat(100_000) } })).messages[0]).toHaveLength(4_096)
    fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (body) => Array.isArray(readBody(body).messages)))
  })
})
