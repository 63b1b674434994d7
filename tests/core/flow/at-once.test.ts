import { expect, it } from 'vitest'
import { AtOnce } from '../../../core/flow/at-once'

function held(): { readonly work: () => Promise<void>; end: () => void; fail: () => void; begun: boolean } {
  let end = (): void => {}
  let fail = (): void => {}
  const done = new Promise<void>((resolve, reject) => {
    end = resolve
    fail = () => reject(new Error('failed'))
  })
  const one = {
    begun: false,
    end,
    fail,
    work: () => {
      one.begun = true
      return done
    },
  }
  return one
}
const turn = () => new Promise(setImmediate)

it('so many work at once; the others follow in their order, also after one that failed', async () => {
  const atOnce = new AtOnce(2)
  const all = [held(), held(), held(), held()]
  const ends = all.map(({ work }) => atOnce.run(work).catch((error: Error) => error.message))
  const begun = () => all.map((one) => one.begun)
  await turn()
  expect(begun()).toEqual([true, true, false, false])
  all[1]?.fail()
  await turn()
  expect(begun()).toEqual([true, true, true, false])
  all[0]?.end()
  await turn()
  expect(begun()).toEqual([true, true, true, true])
  all[2]?.end()
  all[3]?.end()
  expect(await Promise.all(ends)).toEqual([undefined, 'failed', undefined, undefined])
})
