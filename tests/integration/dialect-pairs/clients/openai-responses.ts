// The openai package, Responses.
import OpenAI from 'openai'
import type { Response, ResponseInput, ResponseInputContent } from 'openai/resources/responses/responses'
import { type ClientKind, PICTURE, type Question, REPORT, type Reply, type Result, WEATHER } from './client'
import { openAiChat, openAiErrors } from './openai-chat'

type Body = OpenAI.Responses.ResponseCreateParamsNonStreaming

export const openAiResponses: ClientKind = {
  name: 'an OpenAI client (Responses)',
  dialect: 'openai-responses',
  showsThoughts: true,
  keepsThoughts: true,
  toolPictures: true,
  pictureAddresses: true,
  errorClass: openAiErrors,
  stops: { stop: 'completed', length: 'max_output_tokens', filter: 'content_filter', calls: 'completed' },
  open({ origin, key }) {
    const client = new OpenAI({ baseURL: `${origin}/v1`, apiKey: key, maxRetries: 0 })
    return { ask: (question) => send(client, question, [{ role: 'user', content: content(question) }]) }
  },
  faultOf: openAiChat.faultOf,
}

const image = (picture: string): ResponseInputContent => ({
  type: 'input_image',
  detail: 'auto',
  image_url: picture === PICTURE ? `data:image/png;base64,${picture}` : picture,
})

const content = ({ prompt, picture }: Question): ResponseInputContent[] => [
  { type: 'input_text', text: prompt },
  ...(picture === undefined ? [] : [image(picture)]),
]

const outputOf = (result: Result) => (result === PICTURE ? [image(result)] : result)

async function send(client: OpenAI, question: Question, input: ResponseInput): Promise<Reply> {
  const body: Body = { model: question.model, input, store: false, ...extras(question) }
  const options = question.signal === undefined ? {} : { signal: question.signal }
  const answer = question.stream
    ? await streamed(client, question, body, options)
    : await client.responses.create(body, options)
  const calls = answer.output.flatMap((item) =>
    item.type === 'function_call'
      ? [{ id: item.call_id, name: item.name, arguments: JSON.parse(item.arguments) as unknown }]
      : [],
  )
  const thoughts = answer.output.flatMap((item) => (item.type === 'reasoning' ? item.summary : []))
  const { usage } = answer
  return {
    text: answer.output_text,
    thought: thoughts.map(({ text }) => text).join(''),
    calls,
    stop: answer.incomplete_details?.reason ?? answer.status ?? '',
    usage: {
      input: usage?.input_tokens,
      cached: usage?.input_tokens_details.cached_tokens,
      output: usage?.output_tokens,
      reasoning: usage?.output_tokens_details.reasoning_tokens,
    },
    goOn: (result) =>
      send(client, question, [
        ...input,
        ...(withoutParsed(answer.output) as ResponseInput),
        ...calls.map((call, i) => ({
          type: 'function_call_output' as const,
          call_id: call.id,
          output: outputOf(result(call, i)),
        })),
      ]),
  }
}

/** The package's stream helper adds a member of its own, which the API does not take back. */
const withoutParsed = (output: unknown): unknown =>
  JSON.parse(JSON.stringify(output, (name, value: unknown) => (/^parsed/.test(name) ? undefined : value)))

async function streamed(
  client: OpenAI,
  { onText }: Question,
  body: Body,
  options: OpenAI.RequestOptions,
): Promise<Response> {
  const stream = client.responses.stream({ ...body, stream: true }, options)
  stream.on('response.output_text.delta', ({ delta }) => onText?.(delta))
  return stream.finalResponse()
}

function extras({ system, tools, structured, think }: Question): Partial<Body> {
  const { name, description, schema: parameters } = WEATHER
  return {
    ...(system === undefined ? {} : { instructions: system }),
    ...(tools === true ? { tools: [{ type: 'function', name, description, parameters, strict: false }] } : {}),
    ...(structured === true
      ? { text: { format: { type: 'json_schema', name: 'report', schema: REPORT, strict: true } } }
      : {}),
    ...(think === true
      ? { reasoning: { effort: 'low', summary: 'auto' }, include: ['reasoning.encrypted_content'] }
      : {}),
  }
}
