import { describe, expect, it } from 'vitest'
import { Redactor } from '../../../core/node/redact'

const withSecrets = (...secrets: string[]): Redactor => {
  const redactor = new Redactor()
  for (const secret of secrets) redactor.add(secret)
  return redactor
}

describe('a known secret', () => {
  it('is masked wherever it stands, as often as it stands there', () => {
    const redactor = withSecrets('hunter2-hunter2')
    expect(redactor.clean('hunter2-hunter2,xhunter2-hunter2y')).toBe('•••,x•••y')
    expect(redactor.clean('nothing of it')).toBe('nothing of it')
  })

  it('is masked in an address and in JSON too', () => {
    const secret = 'a/b+c "quoted"\\end'
    const redactor = withSecrets(secret)
    for (const text of [secret, encodeURIComponent(secret), JSON.stringify({ secret })]) {
      const clean = redactor.clean(`before ${text} after`)
      expect(clean).toContain('•••')
      expect(clean).not.toContain('quoted')
    }
  })

  it('is taken by the letter, whatever it means in a pattern', () => {
    const redactor = withSecrets('a.c*(d)[e]^$|', '((((((((')
    expect(redactor.clean('a.c*(d)[e]^$| abcd(d)e')).toBe('••• abcd(d)e')
    expect(redactor.clean('x((((((((x')).toBe('x•••x')
  })

  it('that begins with another is masked whole', () => {
    const redactor = withSecrets('secret-1', 'secret-1-and-more')
    expect(redactor.clean('secret-1-and-more secret-1')).toBe('••• •••')
  })

  it('too short to be one is not masked: ordinary words would be', () => {
    expect(withSecrets('', 'a', 'token').clean('a token')).toBe('a token')
  })
})

describe('a line of the log', () => {
  const redactor = new Redactor()
  it.each([
    ['Authorization: Bearer abcdefgh12345', 'abcdefgh12345'],
    ['bearer abc.def-ghi_jkl~mno+p/q=', 'abc.def'],
    ['key sk-ant-api03-abcdefghij', 'abcdefghij'],
    ['key bw-0123456789abcdef', '0123456789'],
    ['key gsk_abcdefghijkl and xai-abcdefghijkl', 'abcdefghijkl'],
    ['key AIzaSyAbcdefghij', 'SyAbcdefghij'],
    ['https://x.example/v1?key=abcdef&alt=sse', 'abcdef'],
    ['https://x.example/v1?a=1&access_token=abcdef', 'abcdef'],
    ['http://person:pass123@proxy.example:8080', 'pass123'],
    ['{"authorization":"Basic abcdef"}', 'abcdef'],
    ['{"X-Api-Key": "abcdef"}', 'abcdef'],
    ['{"set-cookie":"session=abcdef"}', 'abcdef'],
  ])('%s is written without %s', (line, secret) => {
    expect(redactor.cleanLine(line)).not.toContain(secret)
    expect(redactor.cleanLine(line)).toContain('•••')
  })

  it.each([
    'a task-list of sk-1',
    'GET /v1/models?limit=20',
    'http://127.0.0.1:4517/v1',
    'the bearer was late',
    '{"key":"listenPort"}',
  ])('%s is written as it is', (line) => {
    expect(redactor.cleanLine(line)).toBe(line)
  })

  it('stays one line of JSON', () => {
    const line = JSON.stringify({
      headers: { authorization: 'Bearer abcdefghijk', cookie: 'a=b' },
      url: 'http://a:b@c/',
    })
    const clean = redactor.cleanLine(line)
    expect(JSON.parse(clean)).toMatchObject({ url: 'http://•••@c/' })
    for (const secret of ['abcdefghijk', 'a=b', 'a:b']) expect(clean).not.toContain(secret)
  })

  it('is cleaned of known secrets too, but text for a client is cleaned of nothing else', () => {
    const known = withSecrets('odd secret')
    expect(known.cleanLine('odd secret, sk-abcdefghijkl')).toBe('•••, sk-•••')
    expect(known.clean('odd secret, sk-abcdefghijkl')).toBe('•••, sk-abcdefghijkl')
  })
})
