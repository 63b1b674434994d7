// A provider's answer to "which models are there?" → names and what it says of them. Reads the shapes of OpenAI,
// Anthropic, Gemini, OpenRouter and their many relatives by their fields, so that a new relative needs no code. Pure.
import { FACT_VALUES, type FactName, type ModelFacts } from '../contract/model-facts'
import { nameFault } from '../routing/resolve-model'

export interface ListedModel {
  /** As the provider calls it, without Gemini's "models/". */
  readonly id: string
  /** Its name for people; null where the list has none besides the id. */
  readonly label: string | null
  /** Made for embeddings: it does not chat. */
  readonly embeds: boolean
  readonly facts: ModelFacts
}

export interface ModelPage {
  readonly models: readonly ListedModel[]
  /** Query to add for the next page, "after_id=…&limit=1000"; null: this was the last one. */
  readonly next: string | null
}

type Json = Readonly<Record<string, unknown>>

/** @returns null when the text is no list of models */
export function parseModelList(text: string): ModelPage | null {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    return null
  }
  const list = Array.isArray(body) ? body : isObject(body) ? (body.data ?? body.models ?? body.result) : null
  if (!Array.isArray(list)) return null
  const models = list.flatMap((entry: unknown) => {
    const model = parseModel(entry)
    return model === null ? [] : [model]
  })
  return { models, next: isObject(body) ? nextPage(body, models) : null }
}

function nextPage(body: Json, models: readonly ListedModel[]): string | null {
  const token = textOf(body.nextPageToken)
  if (token !== null) return `pageSize=1000&pageToken=${encodeURIComponent(token)}`
  const last = textOf(body.last_id) ?? models.at(-1)?.id ?? null
  return body.has_more === true && last !== null ? `limit=1000&after_id=${encodeURIComponent(last)}` : null
}

function parseModel(entry: unknown): ListedModel | null {
  if (typeof entry === 'string') return nameFault(entry) === null ? named(entry, null, false, {}) : null
  if (!isObject(entry)) return null
  // Cloudflare: `id` is a number of its catalogue, `name` is what requests write.
  const ofCloudflare = textOf(entry.name)?.startsWith('@cf/') === true ? textOf(entry.name) : null
  const written = ofCloudflare ?? textOf(entry.id) ?? textOf(entry.name) ?? textOf(entry.model) ?? textOf(entry.slug)
  if (written === null) return null
  const id = written.startsWith('models/') ? written.slice('models/'.length) : written
  if (nameFault(id) !== null) return null
  const label = textOf(entry.display_name) ?? textOf(entry.displayName) ?? textOf(entry.name)
  return named(id, label === written || label === id ? null : label, embeds(entry), readFacts(entry))
}

const named = (id: string, label: string | null, embedding: boolean, facts: ModelFacts): ListedModel => ({
  id,
  label: label === null ? null : label.slice(0, 200),
  embeds: embedding,
  facts,
})

function embeds(entry: Json): boolean {
  const methods = textsOf(entry.supportedGenerationMethods)
  if (methods.length > 0) return methods.includes('embedContent') && !methods.includes('generateContent')
  // Cohere's word for it.
  const endpoints = textsOf(entry.endpoints)
  if (endpoints.length > 0) return endpoints.includes('embed') && !endpoints.includes('chat')
  return entry.type === 'embedding' || entry.type === 'embeddings'
}

function readFacts(entry: Json): ModelFacts {
  const limits = objectOf(objectOf(entry.capabilities).limits)
  const top = objectOf(entry.top_provider)
  const found: { readonly [N in FactName]: unknown } = {
    contextWindow: firstNumber(
      entry.context_length,
      entry.context_window,
      entry.max_context_length,
      entry.max_model_len,
      entry.inputTokenLimit,
      entry.max_input_tokens,
      top.context_length,
      limits.max_context_window_tokens,
    ),
    maxOutput: firstNumber(
      entry.max_completion_tokens,
      entry.max_output_tokens,
      entry.outputTokenLimit,
      top.max_completion_tokens,
      limits.max_output_tokens,
      // Anthropic's word for it; elsewhere it may be the context size.
      entry.type === 'model' ? entry.max_tokens : undefined,
    ),
    ...readPrices(objectOf(entry.pricing)),
    ...readAbilities(entry),
  }
  const facts = Object.entries(found).filter(
    ([name, value]) => value !== undefined && FACT_VALUES[name as FactName].safeParse(value).success,
  )
  return Object.fromEntries(facts) as ModelFacts
}

function readPrices(pricing: Json) {
  return {
    inputPrice: perMillion(pricing.prompt ?? pricing.input),
    outputPrice: perMillion(pricing.completion ?? pricing.output),
    cacheReadPrice: perMillion(pricing.input_cache_read ?? pricing.cache_read ?? pricing.cached_input),
    cacheWritePrice: perMillion(pricing.input_cache_write ?? pricing.cache_write),
  }
}

/** No model costs a thousand dollars a million tokens, and none a thousandth: a small number is per token. */
const PER_TOKEN_BELOW = 0.001

function perMillion(value: unknown): number | undefined {
  const price = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  // OpenRouter's router has no price of its own and says -1.
  if (typeof price !== 'number' || !Number.isFinite(price) || price < 0) return undefined
  return price < PER_TOKEN_BELOW ? Math.round(price * 1e12) / 1e6 : price
}

function readAbilities(entry: Json) {
  const abilities = objectOf(entry.capabilities)
  const supports = objectOf(abilities.supports)
  const parameters = textsOf(entry.supported_parameters)
  const inputs = textsOf(objectOf(entry.architecture).input_modalities)
  const modality = textOf(objectOf(entry.architecture).modality)?.split('->')[0]
  const tags = textsOf(entry.capabilities).concat(textsOf(entry.tags))
  return {
    tools: firstFlag(
      abilities.function_calling,
      abilities.tools,
      supports.tool_calls,
      listed(parameters, 'tools'),
      listed(tags, 'tools', 'tool_use', 'tool-use', 'function_calling'),
    ),
    images: firstFlag(
      abilities.vision,
      abilities.image_input,
      supports.vision,
      listed(inputs, 'image'),
      modality?.includes('image'),
      listed(tags, 'vision', 'image_input'),
    ),
    reasoning: firstFlag(
      abilities.reasoning,
      abilities.thinking,
      entry.thinking,
      listed(parameters, 'reasoning', 'include_reasoning'),
      listed(tags, 'reasoning', 'thinking'),
    ),
  }
}

/** A yes or no in a list; a missing or empty list says nothing. */
const listed = (list: readonly string[], ...words: readonly string[]): boolean | undefined =>
  list.length === 0 ? undefined : words.some((word) => list.includes(word))

/** true, false, or Anthropic's `{ "supported": true }`. */
function firstFlag(...values: readonly unknown[]): boolean | undefined {
  for (const value of values) {
    const flag = isObject(value) ? value.supported : value
    if (typeof flag === 'boolean') return flag
  }
  return undefined
}

/** Zero means "not said" in every list that writes it. */
function firstNumber(...values: readonly unknown[]): number | undefined {
  for (const value of values) {
    const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
    if (typeof number === 'number' && Number.isInteger(number) && number > 0) return number
  }
  return undefined
}

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)
const objectOf = (value: unknown): Json => (isObject(value) ? value : {})
const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)
const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((text): text is string => typeof text === 'string') : []
