// Errors as providers write them, to try the explanation with. No account's data is in them.
import type { ExplainDraft } from './explain-draft'

export interface Example extends ExplainDraft {
  readonly label: string
}

const json = (value: object): string => JSON.stringify(value, null, 2)

export const EXAMPLES: readonly Example[] = [
  {
    label: 'A rate limit with a wait',
    provider: 'openai',
    status: '429',
    model: '',
    headers: 'content-type: application/json\nretry-after: 20',
    body: json({
      error: {
        message: 'Rate limit reached for requests per min (RPM): Limit 60, Used 60. Please try again in 20s.',
        type: 'requests',
        code: 'rate_limit_exceeded',
      },
    }),
  },
  {
    label: 'No money, said as 429',
    provider: 'openai',
    status: '429',
    model: '',
    headers: 'content-type: application/json',
    body: json({
      error: {
        message: 'You exceeded your current quota, please check your plan and billing details.',
        type: 'insufficient_quota',
        code: 'insufficient_quota',
      },
    }),
  },
  {
    label: 'A refused key',
    provider: 'anthropic',
    status: '401',
    model: '',
    headers: 'content-type: application/json',
    body: json({ type: 'error', error: { type: 'authentication_error', message: 'invalid x-api-key' } }),
  },
  {
    label: 'Overloaded',
    provider: 'anthropic',
    status: '529',
    model: '',
    headers: 'content-type: application/json',
    body: json({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }),
  },
  {
    label: 'A prompt that is too long',
    provider: 'openai',
    status: '400',
    model: '',
    headers: 'content-type: application/json',
    body: json({
      error: {
        message:
          "This model's maximum context length is 128000 tokens. However, your messages resulted in 140312 tokens.",
        type: 'invalid_request_error',
        code: 'context_length_exceeded',
      },
    }),
  },
  {
    label: 'A gateway in between',
    provider: 'openrouter',
    status: '502',
    model: '',
    headers: 'content-type: text/html\nserver: cloudflare',
    body: '<html><head><title>502 Bad Gateway</title></head><body>cloudflare</body></html>',
  },
]
