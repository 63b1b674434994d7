// What a strict model of the fake upstream answers: its name says which scenario it plays, "strict-tools.anything" or
// "gemini-3-pro-strict-tools.anything". What follows the dot keeps tests apart. Used by the fake upstream's process: imports name their file's extension.
import { isObject, type Json, Refused } from './strict/rules.ts'
import { type Failure, type Heard, type HeardTool, pieces, type Said, type Usage } from './voices/voice.ts'

/** What a scenario does beside, or instead of, answering. */
export interface Play {
  readonly said: Said
  /** Refused with this status before anything is answered. */
  readonly fails?: (Failure & { readonly headers?: Readonly<Record<string, string>> }) | undefined
  /** An error object instead of an answer, with status 200. */
  readonly failsInside?: Failure | undefined
  /** An error event after the first piece of text. */
  readonly failsAfter?: Failure | undefined
  /** The stream waits for this gate after the first piece of text. */
  readonly gate?: string | undefined
}

const NAME = /(?:^|-)strict-([^.]+)/

export const isStrict = (model: string): boolean => NAME.test(model)

/** "strict-tools.x" → "tools"; '' of other models. */
export const scenarioOf = (model: string): string => NAME.exec(model)?.[1] ?? ''

export const FULL_USAGE: Usage = { input: 100, cached: 40, output: 30, reasoning: 12 }

const FAILURES: Readonly<Record<string, Play['fails']>> = {
  'error-400': { status: 400, message: 'The request says something impossible.', param: 'temperature' },
  'error-401': { status: 401, message: 'The key is not valid.', code: 'invalid_api_key' },
  'error-404': { status: 404, message: 'There is no such model.', code: 'model_not_found' },
  'error-429': {
    status: 429,
    message: 'Too many requests.',
    code: 'rate_limit_exceeded',
    headers: { 'retry-after': '7' },
  },
  'error-500': { status: 500, message: 'Something broke.' },
}
const OVERLOADED: Failure = { status: 503, message: 'The service is overloaded.', code: 'overloaded' }

/** @throws Refused where the scenario needs something that did not arrive */
export function play(heard: Heard): Play {
  const scenario = scenarioOf(heard.model)
  const fails = FAILURES[scenario]
  if (fails !== undefined) return { said: {}, fails }
  switch (scenario) {
    case 'text':
      return answer(`${heard.system} | ${heard.said}`)
    case 'tools':
      return heard.results.length > 0 ? answer(report(heard)) : callTools(heard, undefined)
    case 'thinking':
      return think(heard)
    case 'image':
      return answer(pictures(heard))
    case 'tool-image':
      return heard.results.length === 0 ? callTools(heard, undefined) : answer(pictures(heard))
    case 'structured':
      return fitSchema(heard)
    case 'usage':
      return { said: { text: pieces('Counted.'), usage: FULL_USAGE } }
    case 'stop-length':
      return { said: { text: pieces('Cut off here'), stop: 'length' } }
    case 'stop-filter':
      return { said: { text: pieces('I would rather'), stop: 'filter' } }
    case 'stop-sequence':
      return { said: { text: pieces('Up to the mark'), stop: 'sequence' } }
    case 'error-inside':
      return { said: {}, failsInside: OVERLOADED }
    case 'error-after':
      return { ...answer('Broken off in the middle'), failsAfter: OVERLOADED }
    case 'slow':
      return { ...answer('Slow and steady'), gate: heard.model }
    case 'agent':
      return beAgent(heard)
    default:
      throw new Refused(`There is no scenario "${scenario}".`, 'model', { status: 404 })
  }
}

const answer = (text: string): Play => ({ said: { text: pieces(text) } })

const pictures = ({ media }: Heard): string =>
  media.map(({ kind, where, what }) => `${kind} in ${where}: ${what}`).join('; ')

export const CITIES = ['Paris', '北京 🌍'] as const

/** Calls the first tool once for each city, in one turn. */
function callTools(heard: Heard, thought: string | undefined): Play {
  const [tool] = heard.tools
  if (tool === undefined) throw new Refused('The scenario needs a tool, and none arrived.', 'tools')
  const member = Object.keys(propertiesOf(tool))[0] ?? 'city'
  return {
    said: {
      ...(thought === undefined ? {} : { thought }),
      text: pieces('Let me look.'),
      calls: CITIES.map((city) => ({ name: tool.name, arguments: { [member]: city } })),
      interleaved: true,
    },
  }
}

const propertiesOf = ({ schema }: HeardTool): Json => (isObject(schema?.properties) ? schema.properties : {})

/** "weather({"city":"Paris"}) = sunny; …", in the order of the calls. */
function report({ calls, results }: Heard): string {
  return calls
    .map(({ id, name, arguments: given }) => {
      const result = results.find((one) => one.id === id)
      const written = JSON.stringify(JSON.parse(given))
      return `${name}(${written}) = ${result === undefined ? 'nothing' : result.text}`
    })
    .join('; ')
}

export const THOUGHT = 'First I compare both cities, then I answer – 先看天气。'

/** Thinks, calls tools, and says afterwards whether its thought came back. */
function think(heard: Heard): Play {
  if (heard.results.length === 0) {
    if (heard.tools.length > 0) return callTools(heard, THOUGHT)
    return { said: { thought: THOUGHT, text: pieces('Thought it over.'), usage: FULL_USAGE } }
  }
  return answer(`${report(heard)} (thoughts: ${heard.thoughts > 0 ? 'kept' : 'lost'})`)
}

/** As text where the answer has a schema; else as a call of the one tool, which is how some clients ask for it. */
function fitSchema({ schema, tools }: Heard): Play {
  if (schema !== null) return answer(JSON.stringify(sample(schema)))
  const [tool] = tools
  if (tool?.schema == null) throw new Refused('The scenario needs a schema, and none arrived.', 'response_format')
  return { said: { calls: [{ name: tool.name, arguments: sample(tool.schema) as Json }] } }
}

/** The simplest value that fits a schema. */
export function sample(schema: Json): unknown {
  const types = [schema.type].flat().map((type) => String(type).toLowerCase())
  if (Array.isArray(schema.enum)) return schema.enum[0]
  if ('const' in schema) return schema.const
  const [choice] = Array.isArray(schema.anyOf) ? schema.anyOf : []
  if (isObject(choice)) return sample(choice)
  if (types.includes('object')) {
    const properties = Object.entries(isObject(schema.properties) ? schema.properties : {})
    return Object.fromEntries(properties.map(([name, one]) => [name, sample(one as Json)]))
  }
  if (types.includes('array')) return [sample((schema.items ?? { type: 'string' }) as Json)]
  if (types.includes('integer')) return 7
  if (types.includes('number')) return 1.5
  if (types.includes('boolean')) return true
  if (types.includes('null')) return null
  return 'words'
}

/** How the command-line tools name their means of reading a file, and with what. */
const READERS: readonly { readonly name: RegExp; readonly with: (path: string) => Json }[] = [
  { name: /^Read$/, with: (path) => ({ file_path: path }) },
  { name: /^read_file$/, with: (path) => ({ file_path: path, absolute_path: path }) },
  { name: /^read$/, with: (path) => ({ filePath: path }) },
  { name: /^exec_command$/, with: (path) => ({ cmd: `cat ${path}` }) },
  { name: /^shell_command$/, with: (path) => ({ command: `cat ${path}` }) },
  { name: /^shell$/, with: (path) => ({ command: ['cat', path] }) },
]

/** Plays the model behind a command-line tool: reads the file that the prompt names, then quotes it. */
function beAgent(heard: Heard): Play {
  const last = heard.results.at(-1)
  if (last !== undefined) return answer(`The tool gave: ${last.text}`)
  const path = /(\/[\w./-]+\.txt)/.exec(heard.said)?.[1]
  if (path === undefined || heard.tools.length === 0) return answer('Hello from the fake model')
  for (const reader of READERS) {
    const tool = heard.tools.find(({ name }) => reader.name.test(name))
    if (tool === undefined) continue
    const properties = propertiesOf(tool)
    const known = Object.entries(reader.with(path)).filter(([name]) => Object.hasOwn(properties, name))
    const calls = [{ name: tool.name, arguments: Object.fromEntries(known) }]
    return { said: { ...(heard.thinks ? { thought: THOUGHT } : {}), calls } }
  }
  return answer(`No tool to read a file among ${heard.tools.map(({ name }) => name).join(', ')}`)
}
