import { expect, test } from 'vitest'
import { ComboSessions } from '../../../core/routing/combo-sessions'

test('a conversation is known for a quarter of an hour after its last answer, in its own combo', () => {
  const sessions = new ComboSessions()
  sessions.remember('one', 'talk', 'a', 0)
  expect(sessions.find('one', 'talk', 899_999)).toMatchObject({ executionKey: 'a', until: 900_000 })
  expect(sessions.find('one', 'talk', 900_000)).toBeNull()
  expect(sessions.find('two', 'talk', 1)).toBeNull()
  sessions.remember('one', 'talk', 'b', 899_000)
  expect(sessions.find('one', 'talk', 1_000_000)?.executionKey).toBe('b')
})

test('the oldest of more than 500 are forgotten', () => {
  const sessions = new ComboSessions()
  for (let i = 0; i < 501; i++) sessions.remember('one', `talk ${i}`, 'a', 0)
  expect(sessions.find('one', 'talk 0', 1)).toBeNull()
  expect(sessions.find('one', 'talk 1', 1)?.executionKey).toBe('a')
})

test('of a combo are all its conversations that have not ended', () => {
  const sessions = new ComboSessions()
  sessions.remember('one', 'old', 'a', 0)
  sessions.remember('two', 'talk', 'a', 500_000)
  sessions.remember('one', 'new', 'b', 500_000)
  expect(sessions.of('one', 600_000).map(({ executionKey }) => executionKey)).toEqual(['a', 'b'])
  expect(sessions.of('one', 900_000)).toEqual([{ combo: 'one', executionKey: 'b', until: 1_400_000 }])
})
