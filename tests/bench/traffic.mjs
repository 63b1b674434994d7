// What is sent and what is answered: shared by the load, the fake upstream and the gateway's configuration.

export const CLIENT_KEY = 'bw-bench-0000000000000000000001'
export const PRIMARY_KEY = 'sk-bench-primary-0001'
export const SECONDARY_KEY = 'sk-bench-secondary-0002'
export const PATH = '/v1/chat/completions'

/** The upstream does what the model's name says. */
export const MODELS = {
  /** A short whole answer. */
  plain: 'plain',
  /** 503 for the primary connection's key, a short answer for any other. */
  failing: 'failing',
  /** A stream, one chunk every PACE_MS. */
  paced: 'paced',
  /** A stream, chunks as fast as they are taken. */
  fast: 'fast',
}

export const PACE_MS = 10
export const CHUNKS = 200

const SENTENCE = 'The tide comes in twice a day, and a "breakwater" keeps the boats behind it quiet.\n'

/** The configuration file of the gateway under test: one provider, two connections. */
export const gatewayConfig = (upstreamUrl) => ({
  version: 1,
  clientKeys: [{ name: 'bench', key: CLIENT_KEY }],
  providers: [{ id: 'fake', label: 'Fake', class: 'apikey', dialect: 'openai-chat', baseUrl: `${upstreamUrl}/v1` }],
  connections: [
    { provider: 'fake', name: 'primary', apiKey: PRIMARY_KEY, priority: 1 },
    { provider: 'fake', name: 'secondary', apiKey: SECONDARY_KEY, priority: 2 },
  ],
})

/** The bytes of one request; `promptBytes` is about how long the conversation is. */
export function requestBytes({ port, model, promptBytes = 300 }) {
  const stream = model === MODELS.paced || model === MODELS.fast
  const body = Buffer.from(
    JSON.stringify({
      model: `fake/${model}`,
      messages: conversation(promptBytes),
      temperature: 0.7,
      max_tokens: 1024,
      ...(stream ? { stream: true } : {}),
    }),
  )
  const head = [
    `POST ${PATH} HTTP/1.1`,
    `host: 127.0.0.1:${port}`,
    `authorization: Bearer ${CLIENT_KEY}`,
    'content-type: application/json',
    'accept: application/json',
    'user-agent: bench/1.0',
    `content-length: ${body.length}`,
  ]
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body])
}

/** Turns of up to 4 kB, as a chat has them. */
function conversation(bytes) {
  const messages = [{ role: 'system', content: 'You answer briefly.' }]
  for (let left = bytes; left > 0; left -= 4096) {
    const content = SENTENCE.repeat(Math.ceil(Math.min(left, 4096) / SENTENCE.length))
    messages.push({ role: messages.length % 2 === 1 ? 'user' : 'assistant', content })
  }
  return messages
}

const ID = 'chatcmpl-bench000000000000000000000001'

export const WHOLE_ANSWER = JSON.stringify({
  id: ID,
  object: 'chat.completion',
  created: 1_760_000_000,
  model: 'plain',
  choices: [
    {
      index: 0,
      message: { role: 'assistant', content: SENTENCE, refusal: null },
      logprobs: null,
      finish_reason: 'stop',
    },
  ],
  usage: { prompt_tokens: 64, completion_tokens: 21, total_tokens: 85 },
})

export const UNAVAILABLE = JSON.stringify({
  error: { message: 'The service is overloaded.', type: 'server_error', param: null, code: 'overloaded' },
})

const event = (delta, finish) =>
  `data: ${JSON.stringify({
    id: ID,
    object: 'chat.completion.chunk',
    created: 1_760_000_000,
    model: 'fast',
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
  })}\n\n`

export const CONTENT_EVENT = event({ content: ' breakwater' }, null)
export const LAST_EVENTS = `${event({}, 'stop')}data: [DONE]\n\n`
/** How many events stand in LAST_EVENTS. */
export const LAST_COUNT = 2
