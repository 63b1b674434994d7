// generationConfig: limits, sampling, the form of the output and how much to think.
import { badInput } from '../../errors'
import {
  type CanonicalRequest,
  EFFORTS,
  type Effort,
  type JsonObject,
  type OutputFormat,
  type Reasoning,
} from '../canonical'
import { maybeBoolean, maybeNumber, maybeString, needObject, needString } from '../json'
import type { FieldNotes } from '../translation'
import { listOf, messageOf, unknownMembers } from './members'
import { toJsonSchema } from './read-schema'

export type Config = Pick<
  CanonicalRequest,
  | 'maxTokens'
  | 'temperature'
  | 'topP'
  | 'topK'
  | 'stop'
  | 'presencePenalty'
  | 'frequencyPenalty'
  | 'seed'
  | 'output'
  | 'reasoning'
>

const FIELD = 'generationConfig'

const KNOWN: ReadonlySet<string> = new Set([
  'candidateCount',
  'stopSequences',
  'maxOutputTokens',
  'temperature',
  'topP',
  'topK',
  'seed',
  'presencePenalty',
  'frequencyPenalty',
  'responseMimeType',
  'responseSchema',
  'responseJsonSchema',
  '_responseJsonSchema',
  'responseModalities',
  'thinkingConfig',
])

/** @throws GatewayError 400 */
export function parseConfig(value: unknown, notes: FieldNotes): Config {
  const config = value === undefined || value === null ? {} : messageOf(value, FIELD)
  for (const name of unknownMembers(config, KNOWN)) {
    if (config[name] !== false) notes.dropped(`${FIELD}.${name}`)
  }
  const candidates = number(config, 'candidateCount')
  if (candidates !== null && candidates > 1) {
    throw badInput(
      `${FIELD}.candidateCount`,
      'only one candidate can be carried to this model. Leave it out, or send 1.',
    )
  }
  checkModalities(config)
  return {
    maxTokens: number(config, 'maxOutputTokens'),
    temperature: number(config, 'temperature'),
    topP: number(config, 'topP'),
    topK: number(config, 'topK'),
    stop: listOf(config.stopSequences).map((text, at) => needString(text, `${FIELD}.stopSequences[${at}]`)),
    presencePenalty: number(config, 'presencePenalty'),
    frequencyPenalty: number(config, 'frequencyPenalty'),
    seed: number(config, 'seed'),
    output: parseOutput(config),
    reasoning: parseThinking(config.thinkingConfig),
  }
}

const number = (config: JsonObject, name: string): number | null => maybeNumber(config[name], `${FIELD}.${name}`)

function checkModalities(config: JsonObject): void {
  for (const [at, modality] of listOf(config.responseModalities).entries()) {
    const field = `${FIELD}.responseModalities[${at}]`
    const word = needString(modality, field).toUpperCase()
    if (word !== 'TEXT' && word !== 'MODALITY_UNSPECIFIED') {
      throw badInput(field, 'only TEXT can be carried to this model. Choose a model of a provider that speaks Gemini.')
    }
  }
}

function parseOutput(config: JsonObject): OutputFormat | null {
  const type = maybeString(config.responseMimeType, `${FIELD}.responseMimeType`) || null
  if (type === 'text/plain') return { kind: 'text' }
  if (type !== null && type !== 'application/json') {
    throw badInput(`${FIELD}.responseMimeType`, 'must be text/plain or application/json for this model.')
  }
  const schema = parseOutputSchema(config)
  if (schema !== null) return { kind: 'schema', name: 'answer', description: null, schema, strict: null }
  return type === null ? null : { kind: 'json' }
}

function parseOutputSchema(config: JsonObject): JsonObject | null {
  for (const name of ['responseJsonSchema', '_responseJsonSchema']) {
    if (config[name] !== undefined && config[name] !== null) return needObject(config[name], `${FIELD}.${name}`)
  }
  const { responseSchema } = config
  if (responseSchema === undefined || responseSchema === null) return null
  return toJsonSchema(needObject(responseSchema, `${FIELD}.responseSchema`))
}

function parseThinking(value: unknown): Reasoning | null {
  if (value === undefined || value === null) return null
  const field = `${FIELD}.thinkingConfig`
  const config = messageOf(value, field)
  return {
    effort: effortOf(maybeString(config.thinkingLevel, `${field}.thinkingLevel`), `${field}.thinkingLevel`),
    budget: maybeNumber(config.thinkingBudget, `${field}.thinkingBudget`),
    show: maybeBoolean(config.includeThoughts, `${field}.includeThoughts`),
  }
}

function effortOf(level: string | null, field: string): Effort | null {
  const word = level?.toLowerCase() ?? ''
  if (word === '' || word === 'thinking_level_unspecified') return null
  const effort = EFFORTS.find((known) => known === word)
  if (effort === undefined) throw badInput(field, 'must be MINIMAL, LOW, MEDIUM or HIGH.')
  return effort
}
