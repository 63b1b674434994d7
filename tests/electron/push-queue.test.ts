import { describe, expect, it } from 'vitest'
import type { PushData, PushName } from '../../core/contract/events'
import { PushQueue } from '../../electron/push-queue'
import { ManualClock } from '../support/manual-clock'
import { aStatus } from './samples'

function setUp(visible = true) {
  const clock = new ManualClock()
  const sent: [PushName, PushData<PushName>][] = []
  const queue = new PushQueue(clock, (name, data) => void sent.push([name, data]))
  queue.setVisible(visible)
  return { clock, sent, queue }
}
const chunk = (tryId: string, text: string, done = false): PushData<'try:chunk'> => ({
  tryId,
  text,
  done,
  error: null,
  requestId: null,
})
const row = (id: string) => ({ id }) as unknown as PushData<'log:appended'>[number]

describe('pushes to the window', () => {
  it('send the first at once, then the latest at most ten times a second', () => {
    const { clock, sent, queue } = setUp()
    for (let running = 1; running <= 50; running++) {
      queue.add('gateway:changed', aStatus({ running }))
      clock.advance(10)
    }
    clock.advance(100)
    expect(sent.length).toBeLessThanOrEqual(7)
    expect(sent[0]?.[1]).toMatchObject({ running: 1 })
    expect(sent.at(-1)?.[1]).toMatchObject({ running: 50 })
  })

  it('join what adds up, and lose nothing of it', () => {
    const { clock, sent, queue } = setUp()
    queue.add('try:chunk', chunk('a', 'one '))
    queue.add('try:chunk', chunk('a', 'two '))
    queue.add('try:chunk', chunk('b', 'other'))
    queue.add('try:chunk', chunk('a', 'three', true))
    queue.add('log:appended', [row('1')])
    queue.add('log:appended', [row('2'), row('3')])
    clock.advance(100)
    const chunks = sent.flatMap(([name, data]) => (name === 'try:chunk' ? [data as PushData<'try:chunk'>] : []))
    const textOf = (id: string): string =>
      chunks
        .filter(({ tryId }) => tryId === id)
        .map(({ text }) => text)
        .join('')
    expect(textOf('a')).toBe('one two three')
    expect(textOf('b')).toBe('other')
    expect(chunks.at(-1)?.done || chunks.some(({ tryId, done }) => tryId === 'a' && done)).toBe(true)
    const rows = sent.flatMap(([name, data]) => (name === 'log:appended' ? (data as { id: string }[]) : []))
    expect(rows.map(({ id }) => id)).toEqual(['1', '2', '3'])
  })

  it('rest while nobody looks, and come whole when somebody does', () => {
    const { clock, sent, queue } = setUp()
    queue.add('gateway:changed', aStatus({ running: 1 }))
    queue.setVisible(false)
    sent.length = 0
    queue.add('gateway:changed', aStatus({ running: 2 }))
    queue.add('log:appended', [row('1')])
    clock.advance(60_000)
    expect(sent).toEqual([])
    queue.add('gateway:changed', aStatus({ running: 3 }))
    queue.setVisible(true)
    expect(sent.map(([name]) => name).sort()).toEqual(['gateway:changed', 'log:appended'])
    expect(sent.find(([name]) => name === 'gateway:changed')?.[1]).toMatchObject({ running: 3 })
  })

  it('send the whole again when shown, even if nothing changed meanwhile', () => {
    const { clock, sent, queue } = setUp()
    queue.add('gateway:changed', aStatus({ running: 1 }))
    queue.setVisible(false)
    clock.advance(1_000)
    sent.length = 0
    queue.setVisible(true)
    expect(sent).toHaveLength(1)
  })

  it('keep a limited number of log rows while hidden', () => {
    const { sent, queue } = setUp(false)
    for (let n = 0; n < 2_000; n++) queue.add('log:appended', [row(String(n))])
    queue.setVisible(true)
    const rows = sent[0]?.[1] as { id: string }[]
    expect(rows).toHaveLength(500)
    expect(rows.at(-1)?.id).toBe('1999')
  })

  it('hidden between arming and sending: nothing is sent', () => {
    const { clock, sent, queue } = setUp()
    queue.add('gateway:changed', aStatus({ running: 1 }))
    queue.add('gateway:changed', aStatus({ running: 2 }))
    queue.setVisible(false)
    clock.advance(1_000)
    expect(sent).toHaveLength(1)
  })
})
