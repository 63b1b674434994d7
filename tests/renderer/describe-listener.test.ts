import { describe, expect, it } from 'vitest'
import type { ListenerState } from '../../core/contract/views'
import { addressOf, describeListener, hidesEverything, shortAddress } from '../../renderer/app/describe-listener'

const STATES: readonly ListenerState[] = [
  { kind: 'starting' },
  { kind: 'port-in-use', port: 4517, holder: 'other', freePort: 4518 },
  { kind: 'port-in-use', port: 4517, holder: 'breakwater', freePort: null },
  { kind: 'port-forbidden', port: 80, freePort: 4517 },
  { kind: 'listen-failed', port: 4517, message: 'No such address.' },
  { kind: 'database-refused', file: '/d/breakwater.db', message: 'It is newer.', wayOut: 'Install the newer version.' },
  { kind: 'data-folder-in-use', folder: '/d', pid: 12 },
  { kind: 'stopped' },
]
const listening: ListenerState = { kind: 'listening', url: 'http://127.0.0.1:4517', port: 4517, since: 0 }

describe('the gateway in words', () => {
  it('says nothing but the address while it listens', () => {
    expect(describeListener(listening)).toBeNull()
    expect(addressOf(listening)).toBe('http://127.0.0.1:4517')
    expect(shortAddress('http://127.0.0.1:4517/')).toBe('127.0.0.1:4517')
  })

  it.each(STATES)('says the fact of $kind, calmly', (state) => {
    const words = describeListener(state)
    expect(words?.title).not.toBe('')
    expect(words?.fact).toMatch(/\.$/)
    expect(`${words?.title}${words?.fact}${words?.wayOut}`).not.toMatch(/!|went wrong/)
    expect(addressOf(state)).toBeNull()
  })

  it('offers a way out of every state but starting', () => {
    for (const state of STATES) {
      const words = describeListener(state)
      expect((words?.actions.length ?? 0) > 0).toBe(state.kind !== 'starting')
    }
  })

  it('names who holds the port, and offers the free one only where there is one', () => {
    const other = describeListener({ kind: 'port-in-use', port: 4517, holder: 'other', freePort: 4518 })
    expect(other?.fact).toContain('Another program')
    expect(other?.actions).toContainEqual({ kind: 'use-port', port: 4518 })
    const own = describeListener({ kind: 'port-in-use', port: 4517, holder: 'breakwater', freePort: null })
    expect(own?.fact).toContain('Another Breakwater')
    expect(own?.actions.map(({ kind }) => kind)).toEqual(['retry', 'change-port'])
  })

  it('hides the rest of the page only where there is no data behind it', () => {
    expect(STATES.filter(hidesEverything).map(({ kind }) => kind)).toEqual(['database-refused', 'data-folder-in-use'])
  })
})
