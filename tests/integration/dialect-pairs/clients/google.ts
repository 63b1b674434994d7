// The @google/genai package.
import {
  ApiError,
  type Content,
  type GenerateContentConfig,
  GenerateContentResponse,
  GoogleGenAI,
  type Part,
} from '@google/genai'
import { type ClientKind, className, PICTURE, type Question, REPORT, type Reply, WEATHER, words } from './client'

export const google: ClientKind = {
  name: 'a Gemini client',
  dialect: 'gemini',
  showsThoughts: true,
  keepsThoughts: true,
  toolPictures: false,
  pictureAddresses: true,
  errorClass: { 400: 'ApiError', 401: 'ApiError', 404: 'ApiError', 429: 'ApiError', 500: 'ApiError', 503: 'ApiError' },
  stops: { stop: 'STOP', length: 'MAX_TOKENS', filter: 'SAFETY', calls: 'STOP' },
  open({ origin, key }) {
    const client = new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: origin } })
    return { ask: (question) => send(client, question, [{ role: 'user', parts: parts(question) }]) }
  },
  faultOf: (error) => ({
    class: className(error),
    status: error instanceof ApiError ? error.status : undefined,
    message: words(error),
    retryAfter: undefined,
  }),
}

const parts = ({ prompt, picture }: Question): Part[] => [
  { text: prompt },
  ...(picture === undefined
    ? []
    : [
        picture === PICTURE
          ? { inlineData: { mimeType: 'image/png', data: picture } }
          : { fileData: { mimeType: 'image/png', fileUri: picture } },
      ]),
]

async function send(client: GoogleGenAI, question: Question, contents: Content[]): Promise<Reply> {
  const request = { model: question.model, contents, config: config(question) }
  const answer = question.stream
    ? await streamed(client, question, request)
    : await client.models.generateContent(request)
  const [candidate] = answer.candidates ?? []
  const given = candidate?.content?.parts ?? []
  const calls = given.flatMap(({ functionCall: call }) =>
    call === undefined ? [] : [{ id: call.id ?? '', name: call.name ?? '', arguments: call.args }],
  )
  const { usageMetadata: usage } = answer
  const output = (usage?.candidatesTokenCount ?? 0) + (usage?.thoughtsTokenCount ?? 0)
  return {
    text: given.map(({ text, thought }) => (thought === true ? '' : (text ?? ''))).join(''),
    thought: given.map(({ text, thought }) => (thought === true ? (text ?? '') : '')).join(''),
    calls,
    stop: candidate?.finishReason ?? '',
    usage: {
      input: usage?.promptTokenCount,
      cached: usage?.cachedContentTokenCount,
      output: usage === undefined ? undefined : output,
      reasoning: usage?.thoughtsTokenCount,
    },
    goOn: (result) =>
      send(client, question, [
        ...contents,
        { role: 'model', parts: given },
        {
          role: 'user',
          parts: calls.map((call, i) => ({
            functionResponse: {
              ...(call.id === '' ? {} : { id: call.id }),
              name: call.name,
              response: { output: result(call, i) },
            },
          })),
        },
      ]),
  }
}

type Request = Parameters<GoogleGenAI['models']['generateContentStream']>[0]

/** All chunks as one answer: parts in a row, the last reason and counts. */
async function streamed(client: GoogleGenAI, { onText }: Question, request: Request): Promise<GenerateContentResponse> {
  const all: Part[] = []
  const whole = new GenerateContentResponse()
  for await (const chunk of await client.models.generateContentStream(request)) {
    const [candidate] = chunk.candidates ?? []
    all.push(
      ...(candidate?.content?.parts ?? []).filter(({ text, thoughtSignature }) => text !== '' || thoughtSignature),
    )
    whole.candidates = [{ ...candidate, content: { role: 'model', parts: all } }]
    if (chunk.usageMetadata !== undefined) whole.usageMetadata = chunk.usageMetadata
    for (const { text, thought } of candidate?.content?.parts ?? []) if (text && thought !== true) onText?.(text)
  }
  return whole
}

function config({ system, tools, structured, think, signal }: Question): GenerateContentConfig {
  const { name, description, schema: parametersJsonSchema } = WEATHER
  return {
    ...(system === undefined ? {} : { systemInstruction: system }),
    ...(tools === true ? { tools: [{ functionDeclarations: [{ name, description, parametersJsonSchema }] }] } : {}),
    ...(structured === true ? { responseMimeType: 'application/json', responseJsonSchema: REPORT } : {}),
    ...(think === true ? { thinkingConfig: { includeThoughts: true, thinkingBudget: 1024 } } : {}),
    ...(signal === undefined ? {} : { abortSignal: signal }),
  }
}
