import fc from 'fast-check'
import { expect, it } from 'vitest'
import { openAiChat } from '../../../core/dialects/openai-chat/openai-chat'
import { ClientAnswer } from '../../../core/pipeline/client-answer'
import { RunningAnswers } from '../../../core/pipeline/running-answers'
import { FakeResponse } from '../../support/fake-response'
import { ManualClock } from '../../support/manual-clock'

const anAnswer = (): ClientAnswer => new ClientAnswer(new FakeResponse().real, openAiChat, 'req_1', new ManualClock())

it('holds exactly those that were added and not removed, whatever the order', () => {
  const steps = fc.array(fc.record({ adds: fc.boolean(), which: fc.nat({ max: 7 }) }), { maxLength: 60 })
  fc.assert(
    fc.property(steps, (all) => {
      const known = Array.from({ length: 8 }, anAnswer)
      const running = new RunningAnswers()
      const expected = new Set<ClientAnswer>()
      for (const { adds, which } of all) {
        const answer = known[which] as ClientAnswer
        if (adds && !expected.has(answer)) running.add(answer)
        if (!adds) running.remove(answer)
        if (adds) expected.add(answer)
        else expected.delete(answer)
      }
      expect(running.count).toBe(expected.size)
      expect(new Set(running.all())).toEqual(expected)
    }),
  )
})

it('may be emptied while all are gone through', () => {
  const running = new RunningAnswers()
  for (let i = 0; i < 5; i++) running.add(anAnswer())
  const seen = running.all()
  for (const answer of seen) running.remove(answer)
  expect([seen.length, running.count]).toEqual([5, 0])
})
