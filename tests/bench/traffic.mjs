// What is sent and what is answered: shared by the load, the fake upstream and the gateway's configuration.

export const CLIENT_KEY = 'bw-bench-0000000000000000000001'
export const PRIMARY_KEY = 'sk-bench-primary-0001'
export const SECONDARY_KEY = 'sk-bench-secondary-0002'

/** What the load can speak: the upstream's own dialect, or another that the gateway has to carry over. */
const INSTRUCTIONS = 'You answer briefly.'
const CLIENTS = {
  chat: {
    path: '/v1/chat/completions',
    body: (messages) => ({ messages: [{ role: 'system', content: INSTRUCTIONS }, ...messages] }),
    events: 2,
  },
  anthropic: {
    path: '/v1/messages',
    body: (messages) => ({ system: INSTRUCTIONS, messages }),
    events: 5,
  },
}

/** How many events a whole stream of CHUNKS chunks has for a client: those that begin and end it are its dialect's. */
export const eventsFor = (client = 'chat') => CHUNKS + CLIENTS[client].events

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
  /** A stream of SHORT_CHUNKS chunks, at once. */
  short: 'short',
}
const STREAMED = new Set([MODELS.paced, MODELS.fast, MODELS.short])

export const PACE_MS = 10
export const CHUNKS = 200
export const SHORT_CHUNKS = 8

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
export function requestBytes({ port, model, promptBytes = 300, client = 'chat' }) {
  const { path, body } = CLIENTS[client]
  const call = {
    model: `fake/${model}`,
    ...body(conversation(promptBytes)),
    temperature: 0.7,
    max_tokens: 1024,
    ...(STREAMED.has(model) ? { stream: true } : {}),
  }
  const bytes = Buffer.from(JSON.stringify(call))
  const head = [
    `POST ${path} HTTP/1.1`,
    `host: 127.0.0.1:${port}`,
    `authorization: Bearer ${CLIENT_KEY}`,
    'content-type: application/json',
    'accept: application/json',
    'user-agent: bench/1.0',
    `content-length: ${bytes.length}`,
  ]
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), bytes])
}

/** Turns of up to 4 kB, as a chat has them. */
function conversation(bytes) {
  const messages = []
  for (let left = bytes; left > 0; left -= 4096) {
    const content = SENTENCE.repeat(Math.ceil(Math.min(left, 4096) / SENTENCE.length))
    messages.push({ role: messages.length % 2 === 0 ? 'user' : 'assistant', content })
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
