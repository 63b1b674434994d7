// What a combo's strategy can know of a request. The body is parsed only for those strategies that look into it.
import { createHash } from 'node:crypto'
import type { JsonObject } from '../dialects/canonical'
import { isObject } from '../dialects/json'
import { USUAL_OUTPUT } from '../routing/strategies/auto/pool'
import { specificityOf } from '../routing/strategies/auto/specificity'
import { taskOf } from '../routing/strategies/auto/task-fit'
import type { AutoWishes } from '../routing/strategies/auto/wishes'
import { cacheKeyOf } from '../routing/strategies/cache-key'
import { NO_FACTS } from '../routing/strategies/request-facts'
import type { RequestFacts } from '../routing/strategies/strategy'
import type { ClientRequest } from './client-request'
import type { Needs } from './combo-scene'

export class ComboFacts implements RequestFacts {
  readonly category = NO_FACTS.category
  private readonly found = new Map<string, unknown>()

  constructor(
    private readonly client: ClientRequest,
    private readonly needs: Needs,
    readonly wishes: AutoWishes,
    /** Tokens of the answers to the same name so far, on average; null: there was none. */
    private readonly usualOutput: number | null,
  ) {}

  get inputTokens(): number | null {
    return this.needs.inputTokens
  }

  get outputTokens(): number | null {
    return this.once('outputTokens', () => {
      const limit = outputLimit(this.client.json())
      return limit === null ? this.usualOutput : Math.min(this.usualOutput ?? USUAL_OUTPUT, limit)
    })
  }

  /** null: nobody said anything. */
  get specificity(): number | null {
    return this.once('specificity', () => {
      const json = this.client.json()
      if (turnsOf(json).length === 0) return null
      return specificityOf({ ...this.needs, thinks: wantsThinking(json), task: this.task })
    })
  }

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

/** How long the client lets the answer become, in any of the four dialects; null: it does not say. */
function outputLimit(json: JsonObject): number | null {
  const config = isObject(json.generationConfig) ? json.generationConfig : {}
  const limits = [json.max_completion_tokens, json.max_tokens, json.max_output_tokens, config.maxOutputTokens]
  const limit = limits.find((value): value is number => typeof value === 'number' && value > 0)
  return limit ?? null
}

/** It asks for more than a little thought, in any of the four dialects. */
function wantsThinking({ reasoning_effort: effort, reasoning, thinking, generationConfig }: JsonObject): boolean {
  const asked = effort ?? (isObject(reasoning) ? reasoning.effort : undefined)
  if (asked === 'medium' || asked === 'high' || asked === 'xhigh') return true
  if (isObject(thinking)) return thinking.type === 'enabled' || thinking.type === 'adaptive'
  const config = isObject(generationConfig) ? generationConfig.thinkingConfig : undefined
  return isObject(config) && (Number(config.thinkingBudget) > 0 || config.thinkingLevel === 'high')
}

/** Gemini's turns may leave the role out. */
const isUser = ({ role }: JsonObject): boolean => role === undefined || role === 'user'

const textOf = (turn: JsonObject | undefined): string => plainText(turn?.content ?? turn?.parts)

function plainText(content: unknown): string {
  if (content === undefined || content === null) return ''
  if (typeof content === 'string') return content
  return JSON.stringify(content)
}
