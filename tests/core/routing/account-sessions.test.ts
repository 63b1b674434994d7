import { describe, expect, it } from 'vitest'
import { AccountSessions, sessionOf } from '../../../core/routing/account-sessions'

const NOW = 1_800_000_000_000
const MINUTE = 60_000

describe('the other sessions of an account', () => {
  it('are those of the last quarter of an hour, without the one that asks', () => {
    const sessions = new AccountSessions()
    sessions.note('a', 'mine', NOW)
    sessions.note('a', 'yours', NOW + MINUTE)
    sessions.note('a', 'yours', NOW + 2 * MINUTE)
    sessions.note('b', 'theirs', NOW)
    expect(sessions.others('a', 'mine', NOW + 2 * MINUTE)).toBe(1)
    expect(sessions.others('a', 'new', NOW + 2 * MINUTE)).toBe(2)
    expect(sessions.others('a', 'new', NOW + 15 * MINUTE)).toBe(1)
    expect(sessions.others('a', 'new', NOW + 17 * MINUTE)).toBe(0)
    expect(sessions.others('nobody', 'mine', NOW)).toBe(0)
  })

  it('are bounded, and none lasts under a clock that is set back', () => {
    const sessions = new AccountSessions()
    for (let i = 0; i < 600; i++) sessions.note('a', `${i}`, NOW)
    expect(sessions.others('a', 'new', NOW)).toBe(500)
    expect(sessions.others('a', 'new', NOW - 60 * MINUTE)).toBe(0)
  })
})

describe('which session a request belongs to', () => {
  it.each(['x-session-id', 'x-omniroute-session', 'x-codex-session-id', 'x-claude-code-session-id', 'session_id'])(
    'is said by %s',
    (name) => {
      expect(sessionOf({ [name]: '1' }, 'key')).toBe(sessionOf({ [name]: '1', 'user-agent': 'x' }, 'another key'))
      expect(sessionOf({ [name]: '1' }, 'key')).not.toBe(sessionOf({ [name]: '2' }, 'key'))
    },
  )

  it('is that of its key and tool where nobody says, and never what a client sent', () => {
    const tool = { 'user-agent': 'claude-cli/2.1' }
    expect(sessionOf(tool, 'key')).toBe(sessionOf({ ...tool }, 'key'))
    expect(sessionOf(tool, 'key')).not.toBe(sessionOf(tool, 'other'))
    expect(sessionOf(tool, 'key')).not.toBe(sessionOf({}, 'key'))
    expect(sessionOf({ 'x-session-id': 'secret words '.repeat(1000) }, null)).toHaveLength(22)
  })
})
