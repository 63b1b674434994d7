import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bypasses, parseNoProxy } from '../../../core/pipeline/no-proxy'

const without = (list: string, url: string): boolean => {
  const { hostname, port, protocol } = new URL(url)
  return bypasses(parseNoProxy(list), hostname, port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port))
}

describe('a host is reached without a proxy', () => {
  it.each([
    ['localhost,127.0.0.1,.corp.example', 'https://x.corp.example'],
    ['.corp.example', 'https://corp.example'],
    ['.corp.example', 'https://a.b.CORP.example'],
    ['corp.example', 'https://x.corp.example'],
    ['*.corp.example', 'https://x.corp.example'],
    ['CORP.example', 'https://corp.example.'],
    ['corp.example.', 'https://corp.example'],
    ['a.example  b.example', 'https://b.example'],
    [' a.example ,, b.example ', 'https://b.example'],
    ['*', 'https://anything.example'],
    ['a.example, *', 'https://anything.example'],
    ['corp.example:8443', 'https://x.corp.example:8443'],
    ['corp.example:443', 'https://corp.example'],
    ['corp.example:80', 'http://corp.example'],
    ['*:8080', 'http://anything.example:8080'],
    ['192.168.1.5', 'http://192.168.1.5:11434'],
    ['192.168.0.0/16', 'http://192.168.1.5:11434'],
    ['10.0.0.0/8:8080', 'http://10.1.2.3:8080'],
    ['2001:db8::1', 'http://[2001:db8::1]'],
    ['[2001:db8::1]', 'http://[2001:db8:0:0::1]'],
    ['[2001:db8::1]:8080', 'http://[2001:db8::1]:8080'],
    ['2001:db8::/32', 'http://[2001:db8:1::7]'],
  ])('%s: %s', (list, url) => expect(without(list, url)).toBe(true))
})

describe('a host goes through the proxy', () => {
  it.each([
    ['', 'https://api.example.com'],
    [' , ', 'https://api.example.com'],
    ['localhost,127.0.0.1,.corp.example', 'https://api.example.com'],
    ['corp.example', 'https://notcorp.example'],
    ['.corp.example', 'https://notcorp.example'],
    ['corp.example', 'https://corp.example.org'],
    ['corp.example:8443', 'https://corp.example'],
    ['corp.example:80', 'https://corp.example'],
    ['192.168.1.5', 'http://192.168.1.50'],
    ['1.5', 'http://192.168.1.5'],
    ['.5', 'http://192.168.1.5'],
    ['192.168.0.0/16', 'http://192.169.0.1'],
    ['192.168.0.0/99', 'http://192.168.0.1'],
    ['[2001:db8::1]:8080', 'http://[2001:db8::1]:8081'],
    ['http://corp.example', 'https://corp.example'],
    ['/', 'https://corp.example'],
  ])('%s: %s', (list, url) => expect(without(list, url)).toBe(false))
})

/** The rule for names in one line each, label by label. */
function expected(entries: readonly { name: string[]; port: number | null }[], host: string[], port: number): boolean {
  return entries.some(
    (entry) =>
      (entry.port === null || entry.port === port) &&
      entry.name.length <= host.length &&
      entry.name.every((label, i) => label === host[host.length - entry.name.length + i]),
  )
}

it('names match label by label from the end, whatever is written before and behind them', () => {
  const label = fc.constantFrom('a', 'b', 'ab', 'corp', 'x-y')
  const name = fc.array(label, { minLength: 1, maxLength: 4 })
  const port = fc.constantFrom(80, 443, 8080)
  const entry = fc.record({
    name,
    port: fc.option(port),
    front: fc.constantFrom('', '.', '*.'),
    back: fc.constantFrom('', '.'),
    upper: fc.boolean(),
  })
  fc.assert(
    fc.property(
      fc.array(entry, { maxLength: 4 }),
      fc.constantFrom(',', ' ', ', '),
      name,
      port,
      (all, comma, host, at) => {
        const text = all
          .map(({ name: labels, port: only, front, back, upper }) => {
            const written = front + labels.join('.') + back + (only === null ? '' : `:${only}`)
            return upper ? written.toUpperCase() : written
          })
          .join(comma)
        expect(bypasses(parseNoProxy(text), host.join('.'), at)).toBe(expected(all, host, at))
      },
    ),
  )
})

it('no text makes it fail', () => {
  fc.assert(
    fc.property(fc.string(), fc.domain(), (text, host) => {
      bypasses(parseNoProxy(text), host, 443)
    }),
  )
})
