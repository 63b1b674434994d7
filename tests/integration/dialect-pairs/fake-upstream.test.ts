// The fake upstream is what the other tests here stand on: every official client must get along with it without a
// gateway between them.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type FakeUpstream, startFakeUpstream } from '../../support/fake-upstream'
import { CLIENTS } from './clients/all'
import { describeMeeting } from './questions'

let fake: FakeUpstream
beforeAll(async () => {
  fake = await startFakeUpstream()
})
afterAll(() => fake.stop())

let count = 0
const model = (scenario: string): string => `strict-${scenario}.${++count}`

describe.each(CLIENTS)('$name', (kind) => {
  const client = () => kind.open({ origin: fake.origin, key: 'sk-direct' })
  describeMeeting({ kind, upstream: kind.dialect, client, fake: () => fake, model })

  test.each([400, 401, 404, 429, 500])('sees an error %i as its own kind of error', async (status) => {
    for (const stream of [false, true]) {
      const error = await client()
        .ask({ model: model(`error-${status}`), prompt: 'Hi', stream })
        .catch((one: unknown) => one)
      expect(kind.faultOf(error)).toMatchObject({ class: kind.errorClass[status], status })
    }
  })

  test.each(['error-inside', 'error-after'])('sees %s a stream', async (scenario) => {
    const asked = client().ask({ model: model(scenario), prompt: 'Hi', stream: true })
    await expect(asked).rejects.toThrow()
  })
})
