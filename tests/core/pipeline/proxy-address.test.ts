import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { GatewayError } from '../../../core/errors'
import { parseProxy, secretsOf } from '../../../core/pipeline/proxy-address'

describe('the address of a proxy', () => {
  it.each([
    ['http://127.0.0.1:3128', 'http://127.0.0.1:3128'],
    ['http://Proxy.Example/', 'http://proxy.example:80'],
    ['https://proxy.example', 'https://proxy.example:443'],
    [' 127.0.0.1:3128 ', 'http://127.0.0.1:3128'],
    ['proxy.example', 'http://proxy.example:80'],
    ['socks5://127.0.0.1', 'socks5://127.0.0.1:1080'],
    ['SOCKS5H://Proxy.Example:9050', 'socks5://proxy.example:9050'],
    ['socks://127.0.0.1:1080/', 'socks5://127.0.0.1:1080'],
    ['http://[::1]:3128', 'http://[::1]:3128'],
    ['socks5://me:secret@[2001:DB8::1]:1080', 'socks5://[2001:db8::1]:1080'],
    ['http://me:secret@proxy.example:3128', 'http://proxy.example:3128'],
    ['me:secret@proxy.example:3128', 'http://proxy.example:3128'],
  ])('%s is shown as %s', (text, label) => expect(parseProxy(text).label).toBe(label))

  it.each([
    [''],
    ['   '],
    ['http://'],
    ['socks4://127.0.0.1:1080'],
    ['ftp://hunter2-secret@proxy.example'],
    ['http://me:hunter2-secret@proxy.example/path'],
    ['http://me:hunter2-secret@proxy.example?x=1'],
    ['http://me:hunter2-secret#@proxy.example'],
    ['http://me:hunter2-secret%@proxy.example:80'],
    ['http://me:hunter2-secret%ff@proxy.example:80'],
    ['http://me:hunter2-secret@proxy.example:99999'],
    ['http://me:hunter2-secret@proxy.example:0'],
    ['socks5://me:hunter2-secret@pro xy:1080'],
    [`socks5://${'u'.repeat(256)}:hunter2-secret@127.0.0.1`],
  ])('%s is refused without being repeated', (text) => {
    try {
      parseProxy(text, 'connections[1].proxy')
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error
      expect(error.message).toMatch(/^connections\[1\]\.proxy: must /)
      expect(error.message).not.toContain('hunter2')
      return
    }
    throw new Error('it was taken')
  })

  it('takes a user name without a password for a key', () => {
    expect(secretsOf(parseProxy('http://api-key-0815:@proxy.example'))).toContain('api-key-0815')
    expect(secretsOf(parseProxy('http://proxy.example'))).toEqual([])
  })

  it('keeps any user name and password, gives them back from its own spelling, and shows neither', () => {
    const word = fc.string({ unit: 'grapheme', maxLength: 30 })
    fc.assert(
      fc.property(word, word, fc.constantFrom('http', 'https', 'socks5'), (username, password, scheme) => {
        const who = `${encodeURIComponent(username)}:${encodeURIComponent(password)}`
        const proxy = parseProxy(`${scheme}://${who}@proxy.example:3128`)
        expect(proxy).toMatchObject({ username, password, label: `${scheme}://proxy.example:3128` })
        expect(parseProxy(proxy.url)).toEqual(proxy)
        if (password !== '') expect(secretsOf(proxy)).toEqual(expect.arrayContaining([password, proxy.url]))
      }),
    )
  })
})
