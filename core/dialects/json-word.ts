// OpenAI refuses to answer in "any JSON" (JSON mode) where no message holds the word, for a model that does not know
// of it may write white space without end. Other dialects have no such rule.
import type { Part, Turn } from './canonical'

/** Said where the client did not say the word. */
export const JSON_INSTRUCTION = 'Respond with one valid JSON object.'

/** Whether a message holds the word, in capital letters or not. */
export const hasJsonWord = (turns: readonly Pick<Turn, 'parts'>[]): boolean =>
  turns.some(({ parts }) => parts.some(saysJson))

const saysJson = (part: Part): boolean => part.kind === 'text' && /json/i.test(part.text)
