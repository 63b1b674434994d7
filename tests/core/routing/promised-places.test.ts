import { expect, test } from 'vitest'
import { PromisedPlaces } from '../../../core/routing/promised-places'

test('a promised place counts until a call takes it, it is given back, or its time is over', () => {
  const places = new PromisedPlaces()
  const [first, second] = [places.promise('a', 100), places.promise('a', 200)]
  places.promise('b', 100)
  expect([places.count('a', 0), places.count('b', 0), places.count('c', 0)]).toEqual([2, 1, 0])
  expect(places.count('a', 100)).toBe(1)
  places.taken('a')
  expect(places.count('a', 0)).toBe(1)
  places.giveBack(first)
  expect(places.count('a', 0)).toBe(1)
  places.giveBack(second)
  places.taken('a')
  expect([places.count('a', 0), places.count('b', 0)]).toEqual([0, 1])
})
