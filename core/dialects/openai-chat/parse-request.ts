// A Chat request → the canonical form.
import { badInput } from '../../errors'
import type { CanonicalRequest, JsonObject, OutputFormat } from '../canonical'
import { isObject, maybeBoolean, maybeNumber, maybeString, needArray, needObject, needString } from '../json'
import type { FieldNotes } from '../translation'
import { parseReasoning } from './effort'
import { noteOthers } from './notes'
import { parseMessages } from './parse-messages'
import { isLegacy, parseTools } from './parse-tools'

/** @throws GatewayError 400 naming the field */
export function parseRequest(body: JsonObject, notes: FieldNotes): CanonicalRequest {
  const messages = needArray(body.messages, 'messages')
  if (messages.length === 0) throw badInput('messages', 'is empty. Send at least one message.')
  return {
    ...parseMessages(messages, notes),
    ...parseTools(body, notes),
    parallelToolCalls: isLegacy(body) ? false : maybeBoolean(body.parallel_tool_calls, 'parallel_tool_calls'),
    maxTokens:
      maybeNumber(body.max_completion_tokens, 'max_completion_tokens') ?? maybeNumber(body.max_tokens, 'max_tokens'),
    temperature: maybeNumber(body.temperature, 'temperature'),
    topP: maybeNumber(body.top_p, 'top_p'),
    topK: maybeNumber(body.top_k, 'top_k'),
    stop: parseStop(body.stop),
    presencePenalty: maybeNumber(body.presence_penalty, 'presence_penalty'),
    frequencyPenalty: maybeNumber(body.frequency_penalty, 'frequency_penalty'),
    seed: maybeNumber(body.seed, 'seed'),
    output: parseOutput(body.response_format, notes),
    reasoning: parseReasoning(body),
    verbosity: maybeString(body.verbosity, 'verbosity'),
    user: maybeString(body.safety_identifier, 'safety_identifier') ?? maybeString(body.user, 'user'),
    cacheKey: maybeString(body.prompt_cache_key, 'prompt_cache_key'),
    includeUsage: parseIncludeUsage(body.stream_options, notes),
  }
}

function parseStop(stop: unknown): readonly string[] {
  if (stop === undefined || stop === null || stop === '') return []
  if (typeof stop === 'string') return [stop]
  if (!Array.isArray(stop)) throw badInput('stop', 'must be a text or a list of texts.')
  return stop.map((text, i) => needString(text, `stop[${i}]`)).filter((text) => text !== '')
}

function parseIncludeUsage(options: unknown, notes: FieldNotes): boolean {
  if (options === undefined || options === null) return false
  const given = needObject(options, 'stream_options')
  const { include_obfuscation, ...rest } = given
  noteOthers(rest, new Set(['include_usage']), 'stream_options.', notes)
  if (include_obfuscation === true) notes.dropped('stream_options.include_obfuscation')
  return maybeBoolean(given.include_usage, 'stream_options.include_usage') ?? false
}

const KNOWN_IN_SCHEMA = new Set(['name', 'description', 'schema', 'strict'])

function parseOutput(format: unknown, notes: FieldNotes): OutputFormat | null {
  if (format === undefined || format === null) return null
  const { type, json_schema } = needObject(format, 'response_format')
  switch (type) {
    case 'text':
      return { kind: 'text' }
    case 'json_object':
      return { kind: 'json' }
    case 'json_schema': {
      const at = 'response_format.json_schema'
      const given = needObject(json_schema, at)
      noteOthers(given, KNOWN_IN_SCHEMA, `${at}.`, notes)
      return {
        kind: 'schema',
        name: maybeString(given.name, `${at}.name`) ?? 'answer',
        description: maybeString(given.description, `${at}.description`),
        schema: isObject(given.schema) ? given.schema : needObject(given.schema ?? {}, `${at}.schema`),
        strict: maybeBoolean(given.strict, `${at}.strict`),
      }
    }
    default:
      throw badInput('response_format.type', 'must be text, json_object or json_schema.')
  }
}
