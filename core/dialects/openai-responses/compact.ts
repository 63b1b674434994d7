// POST /responses/compact: shortens a conversation into an encrypted summary. Only the upstream that will read the
// summary can write it, so the call is passed on and never translated.
import type { DialectModule } from '../dialect'
import { openAiResponses } from './openai-responses'

export const compact: DialectModule = {
  ...openAiResponses,
  path: () => '/responses/compact',
  isEmptyAnswer: () => false,
  translation: null,
}
