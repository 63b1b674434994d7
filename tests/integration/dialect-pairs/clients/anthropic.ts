// The @anthropic-ai/sdk package.
import Anthropic from '@anthropic-ai/sdk'
import type { ContentBlockParam, ImageBlockParam, Message, MessageParam } from '@anthropic-ai/sdk/resources/messages'
import { type ClientKind, className, PICTURE, type Question, REPORT, type Reply, WEATHER, words } from './client'

type Body = Anthropic.MessageCreateParamsNonStreaming

export const anthropic: ClientKind = {
  name: 'an Anthropic client',
  dialect: 'anthropic',
  showsThoughts: true,
  keepsThoughts: true,
  toolPictures: true,
  pictureAddresses: true,
  errorClass: {
    400: 'BadRequestError',
    401: 'AuthenticationError',
    404: 'NotFoundError',
    429: 'RateLimitError',
    500: 'InternalServerError',
    503: 'ServiceUnavailableError',
  },
  stops: { stop: 'end_turn', length: 'max_tokens', filter: 'refusal', calls: 'tool_use' },
  open({ origin, key }) {
    const client = new Anthropic({ baseURL: origin, apiKey: key, maxRetries: 0 })
    return { ask: (question) => send(client, question, [{ role: 'user', content: content(question) }]) }
  },
  faultOf: (error) => ({
    class: className(error),
    status: error instanceof Anthropic.APIError ? error.status : undefined,
    message: words(error),
    retryAfter: error instanceof Anthropic.APIError ? error.headers?.get('retry-after') : undefined,
  }),
}

const image = (picture: string): ImageBlockParam => ({
  type: 'image',
  source:
    picture === PICTURE ? { type: 'base64', media_type: 'image/png', data: picture } : { type: 'url', url: picture },
})

const content = ({ prompt, picture }: Question): ContentBlockParam[] => [
  { type: 'text', text: prompt },
  ...(picture === undefined ? [] : [image(picture)]),
]

async function send(client: Anthropic, question: Question, messages: MessageParam[]): Promise<Reply> {
  const body: Body = { model: question.model, max_tokens: 4096, messages, ...extras(question) }
  const options = question.signal === undefined ? {} : { signal: question.signal }
  const answer = question.stream
    ? await streamed(client, question, body, options)
    : await client.messages.create(body, options)
  const calls = answer.content.flatMap((block) =>
    block.type === 'tool_use' ? [{ id: block.id, name: block.name, arguments: block.input }] : [],
  )
  const { usage } = answer
  return {
    text: answer.content.map((block) => (block.type === 'text' ? block.text : '')).join(''),
    thought: answer.content.map((block) => (block.type === 'thinking' ? block.thinking : '')).join(''),
    calls,
    stop: answer.stop_reason ?? '',
    usage: {
      input: usage.input_tokens + (usage.cache_read_input_tokens ?? 0) + (usage.cache_creation_input_tokens ?? 0),
      cached: usage.cache_read_input_tokens ?? undefined,
      output: usage.output_tokens,
      reasoning: undefined,
    },
    goOn: (result) =>
      send(client, question, [
        ...messages,
        { role: 'assistant', content: answer.content as ContentBlockParam[] },
        {
          role: 'user',
          content: calls.map((call, i) => {
            const given = result(call, i)
            const inside = given === PICTURE ? [image(given)] : given
            return { type: 'tool_result', tool_use_id: call.id, content: inside }
          }),
        },
      ]),
  }
}

async function streamed(
  client: Anthropic,
  { onText }: Question,
  body: Body,
  options: Anthropic.RequestOptions,
): Promise<Message> {
  const stream = client.messages.stream(body, options)
  if (onText !== undefined) stream.on('text', onText)
  return stream.finalMessage()
}

function extras({ system, tools, structured, think }: Question): Partial<Body> {
  const { name, description, schema } = WEATHER
  return {
    // Marked for the cache, as agents mark what stays the same.
    ...(system === undefined ? {} : { system: [{ type: 'text', text: system, cache_control: { type: 'ephemeral' } }] }),
    ...(tools === true
      ? { tools: [{ name, description, input_schema: schema as unknown as Anthropic.Tool.InputSchema }] }
      : {}),
    ...(structured === true ? { output_config: { format: { type: 'json_schema', schema: REPORT } } } : {}),
    ...(think === true ? { thinking: { type: 'enabled', budget_tokens: 1024 } } : {}),
  }
}
