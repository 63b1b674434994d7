// What a combo's strategy can know of a request. The body is parsed only for those strategies that look into it.
import { createHash } from 'node:crypto'
import type { JsonObject } from '../dialects/canonical'
import { isObject } from '../dialects/json'
import { taskOf } from '../routing/strategies/auto/task-fit'
import type { AutoWishes } from '../routing/strategies/auto/wishes'
import { cacheKeyOf } from '../routing/strategies/cache-key'
import { NO_FACTS } from '../routing/strategies/request-facts'
import type { RequestFacts } from '../routing/strategies/strategy'
import type { ClientRequest } from './client-request'

export class ComboFacts implements RequestFacts {
  readonly category = NO_FACTS.category
  readonly outputTokens = NO_FACTS.outputTokens
  readonly specificity = NO_FACTS.specificity
  readonly tierHint = NO_FACTS.tierHint
  readonly needsPremium = NO_FACTS.needsPremium
  private readonly found = new Map<string, unknown>()

  constructor(
    private readonly client: ClientRequest,
    readonly inputTokens: number | null,
    readonly wishes: AutoWishes,
  ) {}

  /** Told by what the user said last. */
  get task(): RequestFacts['task'] {
    return this.once('task', () => taskOf(textOf(turnsOf(this.client.json()).findLast(isUser))))
  }

  get cacheKey(): string | null {
    return this.once('cacheKey', () => {
      const { prompt_cache_key: asked, tools, system, instructions, systemInstruction } = this.client.json()
      const stable = [system, instructions, systemInstruction, tools].map(plainText)
      const turns = turnsOf(this.client.json())
      const first = turns.slice(0, turns.findIndex(isUser) + 1).map(textOf)
      return cacheKeyOf(typeof asked === 'string' ? asked : null, [...stable, ...first])
    })
  }

  /** The same for all turns of one conversation; null: nobody said anything. */
  get conversation(): string | null {
    return this.once('conversation', () => {
      const text = textOf(turnsOf(this.client.json()).find(isUser))
      return text === '' ? null : createHash('sha256').update(text).digest('hex').slice(0, 16)
    })
  }

  private once<T>(name: string, find: () => T): T {
    if (!this.found.has(name)) this.found.set(name, find())
    return this.found.get(name) as T
  }
}

/** The turns of any of the four dialects. */
function turnsOf({ messages, input, contents }: JsonObject): readonly JsonObject[] {
  const turns = messages ?? input ?? contents
  if (typeof turns === 'string') return [{ role: 'user', content: turns }]
  return Array.isArray(turns) ? turns.filter(isObject) : []
}

/** Gemini's turns may leave the role out. */
const isUser = ({ role }: JsonObject): boolean => role === undefined || role === 'user'

const textOf = (turn: JsonObject | undefined): string => plainText(turn?.content ?? turn?.parts)

function plainText(content: unknown): string {
  if (content === undefined || content === null) return ''
  if (typeof content === 'string') return content
  return JSON.stringify(content)
}
