import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { GatewayError } from '../../../core/errors'
import { checkCaller, type GuardSettings, preflightHeaders } from '../../../core/http/guard'

const STRICT: GuardSettings = { allowedHosts: [], allowedOrigins: [] }
const LOOSER: GuardSettings = { allowedHosts: ['Gateway.Local'], allowedOrigins: ['https://app.example'] }

function verdict(headers: { host?: string; origin?: string }, settings = STRICT): string {
  try {
    checkCaller(headers, settings)
    return 'may'
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    expect(error.httpStatus).toBe(403)
    return error.code
  }
}

describe('the host a caller addresses', () => {
  it.each(['127.0.0.1', '127.0.0.1:4517', 'localhost', 'LocalHost:4517', '[::1]', '[::1]:4517'])(
    '%s is this machine',
    (host) => {
      expect(verdict({ host })).toBe('may')
    },
  )

  it.each([
    ['a rebound name', 'evil.example:4517'],
    ['a name that begins well', '127.0.0.1.evil.example'],
    ['a name that ends well', 'evil.example.localhost'],
    ['a name that is nearly ours', 'localhost.'],
    ['another loopback address', '127.0.0.2'],
    ['the address of all', '0.0.0.0:4517'],
    ['another spelling of the address', '2130706433'],
    ['the network’s address', '192.168.1.5:4517'],
    ['another IPv6 address', '[::2]:4517'],
    ['an unfinished IPv6 address', '[::1'],
    ['an IPv6 address without brackets', '::1'],
    ['a user before the name', 'localhost@evil.example'],
    ['nothing', ''],
  ])('%s is refused: %j', (_what, host) => {
    expect(verdict({ host })).toBe('host_not_allowed')
  })

  it('must be said', () => {
    expect(verdict({})).toBe('host_not_allowed')
  })

  it('may be one the person added, in any case, with any port', () => {
    expect(verdict({ host: 'gateway.LOCAL:8080' }, LOOSER)).toBe('may')
    expect(verdict({ host: 'x.gateway.local' }, LOOSER)).toBe('host_not_allowed')
  })

  it('is no other name, whatever it is', () => {
    const name = fc.domain().filter((domain) => domain !== 'localhost')
    fc.assert(
      fc.property(
        name,
        fc.nat(65_535),
        (domain, port) => verdict({ host: `${domain}:${port}` }) === 'host_not_allowed',
      ),
    )
  })
})

describe('the web page a call comes from', () => {
  const host = '127.0.0.1:4517'

  it.each(['https://evil.example', 'http://localhost:3000', 'http://127.0.0.1:4517', 'null', ''])(
    '%j is refused unless the person added it',
    (origin) => {
      expect(verdict({ host, origin })).toBe('origin_not_allowed')
    },
  )

  it.each([
    ['https://app.example', 'may'],
    ['http://app.example', 'origin_not_allowed'],
    ['https://app.example:8443', 'origin_not_allowed'],
    ['https://app.example.evil', 'origin_not_allowed'],
  ])('%s, where https://app.example is allowed: %s', (origin, expected) => {
    expect(verdict({ host, origin }, LOOSER)).toBe(expected)
  })

  it('does not make up for a wrong host', () => {
    expect(verdict({ host: 'evil.example', origin: 'https://app.example' }, LOOSER)).toBe('host_not_allowed')
  })

  it('is told what it may send, and that the answer is for it alone', () => {
    const headers = preflightHeaders('https://app.example')
    const get = (name: string): string | undefined => headers[headers.indexOf(name) + 1]
    expect(get('access-control-allow-origin')).toBe('https://app.example')
    expect(get('vary')).toBe('origin')
    expect(get('access-control-allow-headers')).toContain('authorization')
    expect(headers).not.toContain('access-control-allow-credentials')
  })
})
