import { describe, expect, it } from 'vitest'
import { type Egress, egressIdentity, egressLimited, egressSiblings } from '../../../core/resilience/egress-lock'

const NOW = 1_000_000_000
const DAY = 86_400_000
const egress = (part: Partial<Egress> = {}): Egress => ({
  ...{ connectionId: 'a', providerId: 'opencode', proxy: null, rotating: false, seen: null, disableCooling: false },
  ...part,
})

describe('the door a connection leaves by', () => {
  it.each<[string, Partial<Egress>, string | null]>([
    ['no proxy', {}, 'direct'],
    [
      'a proxy, without its password',
      { proxy: 'http://me:secret@proxy.example:8080/' },
      'http://me@proxy.example:8080',
    ],
    ['a proxy without a user', { proxy: 'socks5://10.0.0.1:1080' }, 'socks5://10.0.0.1:1080'],
    ['a proxy that cannot be read', { proxy: 'proxy' }, null],
    ['a rotating proxy', { proxy: 'http://p:1', rotating: true, seen: { ip: '1.2.3.4', at: NOW } }, null],
    ['an address seen today', { seen: { ip: '1.2.3.4', at: NOW - DAY } }, 'ip 1.2.3.4'],
    ['an address seen longer ago', { seen: { ip: '1.2.3.4', at: NOW - DAY - 1 } }, 'direct'],
    ['an address seen in the future', { seen: { ip: '1.2.3.4', at: NOW + 1 } }, 'direct'],
  ])('%s', (_what, part, door) => {
    expect(egressIdentity(egress(part), NOW)).toBe(door)
  })
})

describe('who rests together', () => {
  const limited = new Set(['opencode', 'opencode-go'])
  const all = [
    egress(),
    egress({ connectionId: 'b', providerId: 'opencode-go' }),
    egress({ connectionId: 'c', proxy: 'http://p.example:1' }),
    egress({ connectionId: 'd', providerId: 'openai' }),
    egress({ connectionId: 'e', disableCooling: true }),
    egress({ connectionId: 'f', rotating: true }),
  ]

  it('are those of limited providers behind the same door', () => {
    expect(egressSiblings('a', all, limited, NOW)).toEqual(['b'])
    expect(egressSiblings('c', all, limited, NOW)).toEqual([])
  })

  it('are none where the door is unknown', () => {
    expect(egressSiblings('f', all, limited, NOW)).toEqual([])
    expect(egressSiblings('gone', all, limited, NOW)).toEqual([])
  })
})

it.each([
  [undefined, ['opencode']],
  ['', []],
  ['none', []],
  ['OFF', []],
  ['false', []],
  ['0', []],
  [' groq, openai ,', ['groq', 'openai']],
])('OMNIROUTE_EGRESS_IP_LOCK_PROVIDERS=%s limits %j by address', (value, ids) => {
  expect([...egressLimited(value, ['opencode'])]).toEqual(ids)
})
