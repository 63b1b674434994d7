import { describe, expect, it } from 'vitest'
import { ContextRelays } from '../../../core/routing/context-relays'

const summary = { text: 'so far', connectionId: 'c1', madeAt: 0 }
const MINUTES = 60_000

describe('conversations that may change accounts', () => {
  it('know who answered before', () => {
    const relays = new ContextRelays()
    expect(relays.answered('talk', 'c1')).toBeNull()
    expect(relays.answered('talk', 'c2')).toBe('c1')
    expect(relays.answered('another', 'c2')).toBeNull()
  })

  it('get one summary at a time', () => {
    const relays = new ContextRelays()
    expect(relays.begin('talk', 0)).toBe(true)
    expect(relays.begin('talk', 0)).toBe(false)
    expect(relays.begin('another', 0)).toBe(true)
    relays.made('talk', summary, 1)
    expect(relays.summaryOf('talk')).toBe(summary)
    expect(relays.begin('talk', 1)).toBe(true)
  })

  it('are left alone for ten minutes when none could be made', () => {
    const relays = new ContextRelays()
    relays.begin('talk', 0)
    relays.made('talk', null, 5)
    expect(relays.begin('talk', 4 + 10 * MINUTES)).toBe(false)
    expect(relays.begin('talk', 5 + 10 * MINUTES)).toBe(true)
  })

  it('keep the summary they have when no other could be made', () => {
    const relays = new ContextRelays()
    relays.made('talk', summary, 0)
    relays.made('talk', null, 0)
    expect(relays.summaryOf('talk')).toBe(summary)
  })

  it('are empty until there is a summary, and again when those are forgotten', () => {
    const relays = new ContextRelays()
    relays.answered('talk', 'c1')
    expect(relays.isEmpty).toBe(true)
    relays.made('talk', summary, 0)
    expect(relays.isEmpty).toBe(false)
    for (let i = 0; i < 500; i++) relays.answered(`talk ${i}`, 'c1')
    expect(relays.summaryOf('talk')).toBeNull()
    expect(relays.isEmpty).toBe(true)
  })

  it('are not forgotten while a summary is made', () => {
    const relays = new ContextRelays()
    relays.begin('talk', 0)
    for (let i = 0; i < 600; i++) relays.answered(`talk ${i}`, 'c1')
    expect(relays.begin('talk', 0)).toBe(false)
  })
})
