// The fake upstream as a strict provider of all four dialects: checks the request as the real API would, hears it, and
// answers with the scenario its model plays. Used by the fake upstream's process: imports name their file's extension.
import type { Script, SeenRequest, Step } from './fake-script'
import { isStrict, type Play, play, scenarioOf } from './scenarios.ts'
import { checkMessages } from './strict/anthropic.ts'
import { checkGemini } from './strict/gemini.ts'
import { checkChat } from './strict/openai-chat.ts'
import { checkResponses } from './strict/openai-responses.ts'
import { isObject, type Json, Refused } from './strict/rules.ts'
import { messages } from './voices/anthropic.ts'
import { gemini } from './voices/gemini.ts'
import { chat } from './voices/openai-chat.ts'
import { responses } from './voices/openai-responses.ts'
import { type Heard, type Said, signedText, type Voice } from './voices/voice.ts'

interface Api {
  readonly voice: Voice
  check(body: Json, seen: SeenRequest): void
}

/** Scenarios in which the model thinks, and demands its thoughts back where its API does. */
const THINKING = new Set(['thinking', 'agent'])
const thinks = (seen: SeenRequest): boolean => THINKING.has(scenarioOf(seen.model))
const knows = (name: string): boolean => signedText(name) !== undefined

const APIS: Readonly<Record<'chat' | 'responses' | 'messages' | 'gemini', Api>> = {
  chat: { voice: chat, check: (body, seen) => checkChat(body, { thoughts: thinks(seen) }) },
  responses: {
    voice: responses,
    check: (body) => checkResponses(body, { knowsContent: knows, knowsId: knows }),
  },
  messages: {
    voice: messages,
    check(body, { headers }) {
      if (headers['anthropic-version'] === undefined) throw new Refused('anthropic-version: header is required')
      checkMessages(body, { textOf: signedText })
    },
  },
  gemini: { voice: gemini, check: (body, seen) => checkGemini(body, { knows }, { thinks: thinks(seen) }) },
}

function apiOf(path: string): Api | null {
  const [bare] = path.split('?')
  if (bare?.endsWith('/chat/completions')) return APIS.chat
  if (bare?.endsWith('/responses')) return APIS.responses
  if (bare?.endsWith('/messages')) return APIS.messages
  return /:(stream)?[gG]enerateContent$/.test(bare ?? '') ? APIS.gemini : null
}

export interface ProviderAnswer {
  readonly script: Script
  /** Why the request was refused as wrong in form. */
  readonly refused: string | null
}

/** What a provider answers to anything that was not scripted. */
export function answerAsProvider(seen: SeenRequest): ProviderAnswer {
  if (seen.method === 'GET') return fine(json(200, modelList(seen)))
  const text = Buffer.from(seen.body).toString('utf8')
  const body: unknown = text === '' ? {} : JSON.parse(text)
  const api = apiOf(seen.path)
  if (api === null) return lesser(seen, body as Json)
  if (!isStrict(seen.model)) return fine(speak(api, { said: hello(seen.key) }, loosely(api, body as Json, seen), seen))
  try {
    if (!isObject(body)) throw new Refused('We could not parse the JSON body of your request.')
    api.check(body, seen)
    const heard = api.voice.hear(body, seen.path)
    return fine(speak(api, play(heard), heard, seen))
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    const { status, message, param, code } = error
    return { script: json(status, api.voice.error({ status, message, param, code })), refused: message }
  }
}

const fine = (script: Script): ProviderAnswer => ({ script, refused: null })

/** Says which key it was reached with. */
const hello = (key: string): Said => ({ text: ['Hello', ' from', ` ${key}`] })

/** Models that are not strict answer whatever they are asked. */
function loosely({ voice }: Api, body: Json, seen: SeenRequest): Heard {
  try {
    return { ...voice.hear(body, seen.path), model: seen.model }
  } catch {
    return voice.hear({ model: seen.model, ...(body.stream === true ? { stream: true } : {}) }, seen.path)
  }
}

function speak(
  { voice }: Api,
  { said, fails, failsInside, failsAfter, gate }: Play,
  heard: Heard,
  seen: SeenRequest,
): Script {
  if (fails !== undefined) return json(fails.status, voice.error(fails), fails.headers)
  if (!heard.stream) {
    if (failsAfter !== undefined) return json(failsAfter.status, voice.error(failsAfter))
    if (failsInside !== undefined) return json(200, voice.error(failsInside))
    return json(200, voice.whole(said, heard))
  }
  if (voice === gemini && !/[?&]alt=sse\b/.test(seen.path)) return json(200, [voice.whole(said, heard)])
  return streamed(voice, { said, failsInside, failsAfter, gate }, heard)
}

function streamed(voice: Voice, { said, failsInside, failsAfter, gate }: Play, heard: Heard): Script {
  if (failsInside !== undefined) return sse([voice.streamError(failsInside)].map(textStep))
  const events = voice.stream(said, heard)
  const [begin = ''] = said.text ?? []
  const first = events.findIndex((event) => event.includes(JSON.stringify(begin).slice(1, -1))) + 1
  if (failsAfter !== undefined) return sse([...events.slice(0, first), voice.streamError(failsAfter)].map(textStep))
  const steps = events.map(textStep)
  if (gate !== undefined) steps.splice(first, 0, { kind: 'gate', name: gate })
  return sse(steps)
}

const textStep = (text: string): Step => ({ kind: 'text', text })
const sse = (steps: readonly Step[]): Script => ({ headers: { 'content-type': 'text/event-stream' }, steps })

const json = (status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): Script => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  steps: [textStep(JSON.stringify(value))],
})

/** A model list in the form of the dialect that asks. */
function modelList({ path, headers }: SeenRequest): Json {
  if (path.includes('/v1beta/'))
    return {
      models: [
        {
          name: 'models/m1',
          displayName: 'M1',
          inputTokenLimit: 1000,
          outputTokenLimit: 100,
          supportedGenerationMethods: ['generateContent', 'countTokens'],
        },
      ],
    }
  if (headers['anthropic-version'] !== undefined)
    return {
      data: [{ type: 'model', id: 'm1', display_name: 'M1', created_at: '2026-01-01T00:00:00Z' }],
      has_more: false,
      first_id: 'm1',
      last_id: 'm1',
    }
  return { object: 'list', data: [{ id: 'm1', object: 'model', created: 1, owned_by: 'fake' }] }
}

/** The calls beside generating. */
function lesser(seen: SeenRequest, body: Json): ProviderAnswer {
  const path = seen.path.split('?')[0] as string
  if (path.endsWith('/messages/count_tokens')) return counted(seen, body, 'input_tokens')
  if (path.endsWith(':countTokens')) return counted(seen, body, 'totalTokens')
  if (path.endsWith('/embeddings')) {
    const inputs = [body.input].flat()
    const data = inputs.map((_, index) => ({ object: 'embedding', index, embedding: [0.25, -0.5] }))
    return fine(json(200, { object: 'list', data, model: seen.model, usage: { prompt_tokens: 4, total_tokens: 4 } }))
  }
  if (path.endsWith('/completions')) {
    const choices = [{ index: 0, text: `Hello from ${seen.key}`, logprobs: null, finish_reason: 'stop' }]
    const usage = { prompt_tokens: 11, completion_tokens: 3, total_tokens: 14 }
    return fine(json(200, { id: 'cmpl-1', object: 'text_completion', created: 1, model: seen.model, choices, usage }))
  }
  return fine(json(404, { error: { message: `Not found: ${path}`, type: 'invalid_request_error' } }))
}

function counted(seen: SeenRequest, body: Json, member: string): ProviderAnswer {
  const tokens = Math.ceil(seen.length / 4)
  if (!isStrict(seen.model) || member !== 'input_tokens') return fine(json(200, { [member]: tokens }))
  try {
    checkMessages(body, { textOf: signedText }, true)
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    return { script: json(400, messages.error({ status: 400, message: error.message })), refused: error.message }
  }
  return fine(json(200, { input_tokens: tokens }))
}
