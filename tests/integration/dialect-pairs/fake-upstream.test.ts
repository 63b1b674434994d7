// The fake upstream is what the other tests here stand on: every official client must get along with it without a
// gateway between them.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type FakeUpstream, startFakeUpstream } from '../../support/fake-upstream'
import { CLIENTS } from './clients/all'
import { DIRECTLY, testFailures } from './failures'
import { MODES } from './meeting'
import { testAnswers } from './questions'

let fake: FakeUpstream
beforeAll(async () => {
  fake = await startFakeUpstream()
})
afterAll(() => fake.stop())

let count = 0
const model = (scenario: string): string => `strict-${scenario}.${++count}`

describe.each(CLIENTS)('$name at the fake upstream itself', (kind) => {
  const client = () => kind.open({ origin: fake.origin, key: 'sk-direct' })

  describe.each(MODES)('$mode', ({ stream }) => {
    const meeting = { kind, upstream: kind.dialect, stream, client, fake: () => fake, model }
    testAnswers(meeting)
    testFailures(meeting, DIRECTLY)
  })

  test('sees an error event that comes before any text', async () => {
    await expect(client().ask({ model: model('error-inside'), prompt: 'Hi', stream: true })).rejects.toThrow()
  })
})
