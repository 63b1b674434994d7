// The openai package, Chat Completions.
import OpenAI from 'openai'
import type {
  ChatCompletion,
  ChatCompletionContentPart,
  ChatCompletionMessageParam,
} from 'openai/resources/chat/completions'
import { type ClientKind, className, PICTURE, type Question, REPORT, type Reply, WEATHER, words } from './client'

type Body = OpenAI.ChatCompletionCreateParamsNonStreaming

export const openAiErrors = {
  400: 'BadRequestError',
  401: 'AuthenticationError',
  404: 'NotFoundError',
  429: 'RateLimitError',
  500: 'InternalServerError',
  503: 'InternalServerError',
}

export const openAiChat: ClientKind = {
  name: 'an OpenAI client (Chat)',
  dialect: 'openai-chat',
  showsThoughts: true,
  keepsThoughts: true,
  toolPictures: false,
  pictureAddresses: true,
  errorClass: openAiErrors,
  stops: { stop: 'stop', length: 'length', filter: 'content_filter', calls: 'tool_calls' },
  open({ origin, key }) {
    const client = new OpenAI({ baseURL: `${origin}/v1`, apiKey: key, maxRetries: 0 })
    return {
      ask: (question) => send(client, question, [...system(question), { role: 'user', content: content(question) }]),
    }
  },
  faultOf: (error) => ({
    class: className(error),
    status: error instanceof OpenAI.APIError ? error.status : undefined,
    message: words(error),
    retryAfter: error instanceof OpenAI.APIError ? error.headers?.get('retry-after') : undefined,
  }),
}

/** What servers that think add to a message. */
interface Thinking {
  reasoning_content?: string
}

const system = ({ system: text }: Question): ChatCompletionMessageParam[] =>
  text === undefined ? [] : [{ role: 'system', content: text }]

function content({ prompt, picture }: Question): string | ChatCompletionContentPart[] {
  if (picture === undefined) return prompt
  const url = picture === PICTURE ? `data:image/png;base64,${picture}` : picture
  return [
    { type: 'text', text: prompt },
    { type: 'image_url', image_url: { url } },
  ]
}

async function send(client: OpenAI, question: Question, messages: ChatCompletionMessageParam[]): Promise<Reply> {
  const body: Body = { model: question.model, messages, ...extras(question) }
  const options = question.signal === undefined ? {} : { signal: question.signal }
  const answer = question.stream
    ? await streamed(client, question, body, options)
    : await client.chat.completions.create(body, options)
  const choice = answer.choices[0]
  if (choice === undefined) throw new Error(`no choice in ${JSON.stringify(answer)}`)
  const { message } = choice
  const calls = (message.tool_calls ?? []).flatMap((call) =>
    call.type === 'function'
      ? [{ id: call.id, name: call.function.name, arguments: JSON.parse(call.function.arguments) as unknown }]
      : [],
  )
  const { usage } = answer
  return {
    text: message.content ?? '',
    thought: (message as Thinking).reasoning_content ?? '',
    calls,
    stop: choice.finish_reason,
    usage: {
      input: usage?.prompt_tokens,
      cached: usage?.prompt_tokens_details?.cached_tokens,
      output: usage?.completion_tokens,
      reasoning: usage?.completion_tokens_details?.reasoning_tokens,
    },
    goOn: (result) =>
      send(client, question, [
        ...messages,
        // As the documentation shows: the message as it came.
        message,
        ...calls.map((call, i) => ({ role: 'tool' as const, tool_call_id: call.id, content: result(call, i) })),
      ]),
  }
}

async function streamed(
  client: OpenAI,
  { onText }: Question,
  body: Body,
  options: OpenAI.RequestOptions,
): Promise<ChatCompletion> {
  const stream = client.chat.completions.stream(
    { ...body, stream: true, stream_options: { include_usage: true } },
    options,
  )
  if (onText !== undefined) stream.on('content', onText)
  // The package joins the pieces of the members it knows; of others it keeps the last.
  let thought = ''
  stream.on('chunk', ({ choices: [choice] }) => {
    thought += (choice?.delta as Thinking | undefined)?.reasoning_content ?? ''
  })
  const answer = await stream.finalChatCompletion()
  const message = answer.choices[0]?.message as Thinking | undefined
  if (message !== undefined && thought !== '') message.reasoning_content = thought
  return answer
}

function extras({ tools, structured, think }: Question): Partial<Body> {
  const { name, description, schema: parameters } = WEATHER
  return {
    ...(tools === true ? { tools: [{ type: 'function', function: { name, description, parameters } }] } : {}),
    ...(structured === true
      ? { response_format: { type: 'json_schema', json_schema: { name: 'report', schema: REPORT, strict: true } } }
      : {}),
    ...(think === true ? { reasoning_effort: 'low' } : {}),
  }
}
