import { expect, it } from 'vitest'
import { mergeProviders, ownChanged } from '../../renderer/app/merge-providers'
import { aConnection, aProvider } from '../electron/samples'

const unused = aProvider({ id: 'groq', state: 'off', why: 'no connection yet' })
const used = aProvider({ connections: [aConnection()] })
const own = aProvider({ id: 'lab', builtIn: false })

it('puts what was pushed in its place, and leaves alone what nobody uses', () => {
  const resting = { ...used, state: 'resting' as const }
  const merged = mergeProviders([unused, used, own], [resting, own])
  expect(merged).toEqual([unused, resting, own])
  expect(merged[0]).toBe(unused)
})

it('takes the last connection away from a row of the catalogue that is not pushed any more', () => {
  expect(mergeProviders([used], [])).toEqual([{ ...used, state: 'off', why: 'no connection yet', connections: [] }])
})

it('follows the user’s own providers as they come and go, and says that the whole is to be asked for', () => {
  expect(mergeProviders([used, own], [used])).toEqual([used])
  expect(mergeProviders([used], [used, own])).toEqual([used, own])
  expect([ownChanged([used, own], [used]), ownChanged([used], [own])]).toEqual([true, true])
  expect(ownChanged([unused, used, own], [own, used])).toBe(false)
})
