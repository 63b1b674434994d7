// Counting the tokens of a request before it is sent: platform.claude.com/docs/en/api/messages-count-tokens. Only
// passed on to upstreams of the same dialect.
import type { RequestBody } from '../../http/request-body'
import { checkCommonFields } from '../check-request'
import type { DialectModule } from '../dialect'
import { anthropic } from './anthropic'

export const countTokens: DialectModule = {
  ...anthropic,
  path: () => '/messages/count_tokens',
  checkRequest: checkCommonFields,
  readAsked: (body: RequestBody) => ({ model: body.string('model') ?? '', stream: false }),
  isEmptyAnswer: () => false,
  /** The answer is a count itself: nothing was spent. */
  readUsage: () => null,
  canAskForUsage: () => false,
  translation: null,
}
