// The Vercel AI SDK with its OpenAI, Anthropic and Google providers.
import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogle } from '@ai-sdk/google'
import { createOpenAI } from '@ai-sdk/openai'
import {
  APICallError,
  generateText,
  jsonSchema,
  type LanguageModel,
  type ModelMessage,
  Output,
  streamText,
  type ToolSet,
  tool,
} from 'ai'
import type { Dialect } from '../../../../core/contract/kinds'
import {
  type ClientKind,
  className,
  PICTURE,
  type Place,
  type Question,
  REPORT,
  type Reply,
  type Result,
  WEATHER,
  words,
} from './client'

// It warns of every option that one of the providers does not have.
globalThis.AI_SDK_LOG_WARNINGS = false

const aiSdk = (
  dialect: Dialect,
  name: string,
  keepsThoughts: boolean,
  model: (place: Place, id: string) => LanguageModel,
): ClientKind => ({
  name: `the AI SDK (${name})`,
  dialect,
  showsThoughts: keepsThoughts,
  keepsThoughts,
  toolPictures: dialect === 'anthropic' || dialect === 'openai-responses',
  // It downloads pictures itself where a provider does not take addresses.
  pictureAddresses: dialect !== 'gemini',
  errorClass: Object.fromEntries([400, 401, 404, 429, 500, 503].map((status) => [status, 'APICallError'])),
  stops: { stop: 'stop', length: 'length', filter: 'content-filter', calls: 'tool-calls' },
  open: (place) => ({
    ask: (question) => send(model(place, question.model), question, [{ role: 'user', content: content(question) }]),
  }),
  faultOf: (error) => ({
    class: className(error),
    status: APICallError.isInstance(error) ? error.statusCode : undefined,
    message: words(error),
    retryAfter: APICallError.isInstance(error) ? error.responseHeaders?.['retry-after'] : undefined,
  }),
})

export const aiSdkClients: readonly ClientKind[] = [
  aiSdk('openai-chat', 'OpenAI Chat', false, ({ origin, key }, id) =>
    createOpenAI({ baseURL: `${origin}/v1`, apiKey: key }).chat(id),
  ),
  aiSdk('openai-responses', 'OpenAI Responses', true, ({ origin, key }, id) =>
    createOpenAI({ baseURL: `${origin}/v1`, apiKey: key }).responses(id),
  ),
  aiSdk('anthropic', 'Anthropic', true, ({ origin, key }, id) =>
    createAnthropic({ baseURL: `${origin}/v1`, apiKey: key })(id),
  ),
  aiSdk('gemini', 'Google', true, ({ origin, key }, id) =>
    // It takes a name with a slash for the whole of a resource's name.
    createGoogle({ baseURL: `${origin}/v1beta`, apiKey: key })(`models/${id}`),
  ),
]

type UserContent = Exclude<Extract<ModelMessage, { role: 'user' }>['content'], string>

const content = ({ prompt, picture }: Question): UserContent => [
  { type: 'text', text: prompt },
  ...(picture === undefined
    ? []
    : [{ type: 'image' as const, image: picture === PICTURE ? picture : new URL(picture), mediaType: 'image/png' }]),
]

async function send(model: LanguageModel, question: Question, messages: ModelMessage[]): Promise<Reply> {
  const all = { model, messages, maxRetries: 0, maxOutputTokens: 4096, ...extras(question) }
  const done = question.stream ? await streamed(all, question) : await whole(all)
  const calls = done.toolCalls.map(({ toolCallId: id, toolName, input }) => ({ id, name: toolName, arguments: input }))
  const { usage } = done
  return {
    text: done.text,
    thought: done.reasoningText ?? '',
    calls,
    stop: done.finishReason,
    usage: {
      input: usage.inputTokens,
      cached: usage.inputTokenDetails.cacheReadTokens,
      output: usage.outputTokens,
      reasoning: usage.outputTokenDetails.reasoningTokens,
    },
    goOn: (result) =>
      send(model, question, [
        ...messages,
        ...done.messages,
        {
          role: 'tool',
          content: calls.map((call, i) => ({
            type: 'tool-result' as const,
            toolCallId: call.id,
            toolName: call.name,
            output: output(result(call, i)),
          })),
        },
      ]),
  }
}

type All = Parameters<typeof generateText>[0] & Parameters<typeof streamText>[0]

async function whole(all: All) {
  const { text, reasoningText, toolCalls, finishReason, usage, responseMessages } = await generateText(all)
  return { text, reasoningText, toolCalls, finishReason, usage, messages: responseMessages }
}

async function streamed(all: All, { onText }: Question) {
  let failed: unknown
  const result = streamText({
    ...all,
    onError({ error }) {
      failed ??= error
    },
  })
  let aborted = false
  for await (const part of result.stream) {
    if (part.type === 'text-delta') onText?.(part.text)
    if (part.type === 'abort') aborted = true
  }
  if (failed !== undefined) throw failed
  if (aborted) throw new DOMException('aborted', 'AbortError')
  return {
    text: await result.text,
    reasoningText: await result.reasoningText,
    toolCalls: await result.toolCalls,
    finishReason: await result.finishReason,
    usage: await result.usage,
    messages: await result.responseMessages,
  }
}

const output = (result: Result) =>
  result === PICTURE
    ? {
        type: 'content' as const,
        value: [{ type: 'file' as const, mediaType: 'image/png', data: { type: 'data' as const, data: result } }],
      }
    : { type: 'text' as const, value: result }

function extras({ system, tools, structured, think, signal }: Question) {
  const { name, description, schema } = WEATHER
  return {
    ...(system === undefined ? {} : { system }),
    ...(tools === true
      ? { tools: { [name]: tool({ description, inputSchema: jsonSchema(schema as never) }) } as ToolSet }
      : {}),
    ...(structured === true ? { output: Output.object({ schema: jsonSchema(REPORT as never), name: 'report' }) } : {}),
    ...(signal === undefined ? {} : { abortSignal: signal }),
    ...(think === true
      ? {
          providerOptions: {
            openai: {
              reasoningEffort: 'low',
              reasoningSummary: 'auto',
              forceReasoning: true,
              store: false,
              include: ['reasoning.encrypted_content'],
            },
            anthropic: { thinking: { type: 'enabled', budgetTokens: 1024 } },
            google: { thinkingConfig: { includeThoughts: true, thinkingBudget: 1024 } },
          },
        }
      : {}),
  }
}
