// Entries of the request log as a request leaves them.
import type { AttemptView, RequestView } from '../../core/contract/views'

export const attemptRecord = (changed: Partial<AttemptView> = {}): AttemptView => ({
  index: 0,
  provider: 'fake',
  model: 'm1',
  connectionId: 'con_1',
  connectionName: 'a',
  outcome: 'ok',
  status: 200,
  reason: null,
  message: '',
  next: 'answered',
  startedAt: 1_000_000,
  firstByteMs: 12.3,
  totalMs: 45.6,
  ...changed,
})

export const requestRecord = (changed: Partial<RequestView> = {}): RequestView => ({
  id: 'req_1',
  at: 1_000_000,
  clientKey: 'main',
  tool: 'claude-cli/2.1',
  endpoint: '/v1/chat/completions',
  dialect: 'openai-chat',
  model: 'fake/m1',
  target: 'fake/m1',
  stream: true,
  outcome: 'ok',
  status: 200,
  code: null,
  message: '',
  firstByteMs: 12.5,
  totalMs: 46.1,
  inputTokens: 3,
  outputTokens: 5,
  attempts: [attemptRecord()],
  ...changed,
})
