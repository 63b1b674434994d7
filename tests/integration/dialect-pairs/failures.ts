// What a client sees when the upstream fails, and the upstream when the client goes away.
import { expect, test } from 'vitest'
import type { Fault } from './clients/client'
import { bareModel, type Meeting } from './meeting'

/** What an upstream may answer, in its own words; with the status that the client shall see. */
export interface Expected {
  readonly said: number
  readonly seen: number
  readonly words: string
}

export const DIRECTLY: readonly Expected[] = [
  { said: 400, seen: 400, words: 'something impossible' },
  { said: 401, seen: 401, words: 'The key is not valid' },
  { said: 404, seen: 404, words: 'There is no such model' },
  { said: 429, seen: 429, words: 'Too many requests' },
  { said: 500, seen: 500, words: 'Something broke' },
]

export function testFailures(meeting: Meeting, expected: readonly Expected[]): void {
  const { kind, stream, client, fake, model } = meeting
  const fault = async (scenario: string, onText = (_: string): void => {}): Promise<Fault> => {
    const asked = client().ask({ model: model(scenario), prompt: 'Hi', stream, onText })
    return asked.then(
      ({ text }) => {
        throw new Error(`it was answered: ${text}`)
      },
      (error: unknown) => kind.faultOf(error),
    )
  }

  for (const { said, seen, words } of expected) {
    test(`sees the upstream’s ${said} as its own kind of error`, async () => {
      const seenFault = await fault(`error-${said}`)
      expect(seenFault).toMatchObject({ class: kind.errorClass[seen], status: seen })
      expect(seenFault.message).toContain(words)
      if (said === 429 && kind.dialect !== 'gemini') expect(seenFault.retryAfter).toBe('7')
    })
  }

  if (stream) {
    test('sees an error in the middle of an answer, after the text before it', async () => {
      const pieces: string[] = []
      await fault('error-after', (piece) => pieces.push(piece))
      expect(pieces.join('')).toBe('Broken o')
    })
  }

  test('leaves, and the upstream’s connection is closed', async () => {
    const name = model('slow')
    const leaving = new AbortController()
    if (!stream) await fake().answer('*', bareModel(name), { steps: [{ kind: 'hang' }] })
    const onText = (): void => leaving.abort()
    const asked = client().ask({ model: name, prompt: 'Hi', stream, signal: leaving.signal, onText })
    const ended = expect(asked).rejects.toThrow()
    const { id } = await fake().arrival(bareModel(name))
    if (!stream) leaving.abort()
    await ended
    expect((await fake().closed(id)).aborted).toBe(true)
    expect(await fake().seen(bareModel(name))).toHaveLength(1)
  })
}
