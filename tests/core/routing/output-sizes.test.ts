import { expect, it } from 'vitest'
import { OutputSizes } from '../../../core/routing/output-sizes'

it('the usual answer to a name is the mean of its last fifty', () => {
  const sizes = new OutputSizes()
  expect(sizes.usual('combo')).toBeNull()
  sizes.note('combo', 100)
  sizes.note('combo', 201)
  sizes.note('other', 9)
  expect(sizes.usual('combo')).toBe(151)
  for (let i = 0; i < 50; i++) sizes.note('combo', 7)
  expect(sizes.usual('combo')).toBe(7)
})

it('only so many names are kept, those that answered last', () => {
  const sizes = new OutputSizes()
  for (let i = 0; i < 1_001; i++) sizes.note(`name ${i}`, 1)
  expect(sizes.usual('name 0')).toBeNull()
  expect(sizes.usual('name 1')).toBe(1)
})
