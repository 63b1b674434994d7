// One request of a combo that hands conversations over: which account is told a summary of what came before, and, after
// the answer, whether one is to be made. Making it is a request of the gateway's own: whatever becomes of it, the
// client's is not touched (docs/resilience.md, "Strategies: context-relay").
import { createHash } from 'node:crypto'
import type { CanonicalRequest, Part, Turn } from '../dialects/canonical'
import type { Connection } from '../providers/registry'
import type { ResolvedCombo } from '../routing/combo'
import type { Target } from '../routing/resolve-model'
import {
  goesAlong,
  HANDOFF_INSTRUCTIONS,
  handoffNote,
  isRunningOut,
  SUMMARY_INPUT_TOKENS,
  SUMMARY_OUTPUT_TOKENS,
  summaryDue,
  summaryFrom,
} from '../routing/strategies/context-relay'
import type { ClientRequest } from './client-request'
import type { PipelineDeps } from './handle-request'
import type { Running } from './outgoing'
import { readQuestion, withNote } from './own-question'
import { askAlone } from './own-request'

const CHARS_PER_TOKEN = 4
/** A model may write more than it was told to. */
const LONGEST_SUMMARY = SUMMARY_OUTPUT_TOKENS * CHARS_PER_TOKEN * 2

interface Conversation {
  readonly key: string
  /** Its key before anyone had answered; null: nobody has yet. */
  readonly openingKey: string | null
  readonly request: CanonicalRequest
}

export class ContextRelay {
  /** undefined: not looked at yet. */
  private found: Conversation | null | undefined

  private constructor(
    private readonly combo: ResolvedCombo,
    private readonly running: Running,
    private readonly deps: PipelineDeps,
  ) {}

  /** null: the combo hands nothing over, or the request is no conversation. What the gateway asks by itself is none. */
  static of(combo: ResolvedCombo, running: Running, deps: PipelineDeps): ContextRelay | null {
    const { strategy, config } = combo
    if (strategy !== 'context-relay' || config.handoffModel === null) return null
    const { call, isOwn } = running.caller
    return isOwn === true || call.translation === null ? null : new ContextRelay(combo, running, deps)
  }

  /** The request as this connection gets it; undefined: as the client wrote it. */
  summaryFor({ id }: Connection): ClientRequest | undefined {
    const { relays, clock } = this.deps
    if (relays.isEmpty || this.conversation === null) return undefined
    const { key, openingKey } = this.conversation
    // Others may have begun alike, but what is summed up of a beginning is true of them too.
    const summary = relays.summaryOf(key) ?? (openingKey === null ? null : relays.summaryOf(openingKey))
    if (summary === null || !goesAlong(summary, id, clock.now())) return undefined
    return withNote(this.running.client, handoffNote(summary))
  }

  /** After an answer. */
  answered({ provider: { row }, model }: Target, { id }: Connection): void {
    const { config } = this.combo
    const { relays, clock } = this.deps
    const usedShare = this.usedShare(id, model)
    // The body is looked into only where something can come of it.
    if (!config.universalHandoff && !isRunningOut({ provider: row.id, usedShare }, config)) return
    if (this.conversation === null) return
    const { key, openingKey, request } = this.conversation
    // Who begins like others has not come from the account that answered those.
    if (openingKey === null && !isRunningOut({ provider: row.id, usedShare }, config)) return
    const previous = relays.answered(key, id)
    const facts = { provider: row.id, connectionId: id, previous, usedShare, summary: relays.summaryOf(key) }
    const of = summaryDue(facts, config, clock.now())
    if (of !== null && relays.begin(key, clock.now())) void this.make(key, request, of)
  }

  /** Of the account, by the window that is used most; null: not known, or no longer. */
  private usedShare(connectionId: string, model: string): number | null {
    const quota = this.deps.quotas.view(connectionId, model, this.deps.clock.now())
    return quota.kind === 'known' && quota.fresh && quota.usedPercent !== null ? quota.usedPercent / 100 : null
  }

  private async make(key: string, request: CanonicalRequest, of: string): Promise<void> {
    const { combo, running, deps } = this
    let text: string | null = null
    try {
      const question = {
        model: combo.config.handoffModel,
        max_tokens: SUMMARY_OUTPUT_TOKENS,
        system: HANDOFF_INSTRUCTIONS,
        messages: [{ role: 'user', content: conversationText(request.turns, combo.config) }],
      }
      text = await askAlone(question, combo.name, running.caller, deps)
    } catch (error) {
      deps.unexpected(error, running.caller.requestId)
    }
    const now = deps.clock.now()
    const summary = text === null ? null : { text: text.slice(0, LONGEST_SUMMARY), connectionId: of, madeAt: now }
    deps.relays.made(key, summary, now)
  }

  private get conversation(): Conversation | null {
    if (this.found === undefined) this.found = this.read()
    return this.found
  }

  private read(): Conversation | null {
    const { combo, running } = this
    const { request } = readQuestion(running.client)
    const keys = request === null ? null : keysOf(request.turns)
    if (request === null || keys === null) return null
    const own = `${combo.name}\n${running.caller.clientKeyId}\n`
    const openingKey = keys.opening === null ? null : own + keys.opening
    return { key: own + keys.key, openingKey, request }
  }
}

/**
 * The same for all turns of one conversation, and of no other: how it began, the first answer included. Users begin alike
 * now and then, models do not answer alike; before the first answer only what was said can tell.
 * @returns null: nobody has said anything
 */
function keysOf(turns: readonly Turn[]): { readonly key: string; readonly opening: string | null } | null {
  const asked = turns.find(({ role }) => role === 'user')
  if (asked === undefined) return null
  const first = turns.findIndex(({ role, parts }) => role === 'assistant' && wordsOf(parts) !== '')
  const opening = hashOf(turns.slice(0, first < 0 ? undefined : first).map(({ parts }) => wordsOf(parts)))
  if (first < 0) return { key: opening, opening: null }
  return { key: hashOf([wordsOf(asked.parts), wordsOf(turns[first]?.parts ?? [])]), opening }
}

const hashOf = (words: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(words)).digest('hex').slice(0, 32)

const wordsOf = (parts: readonly Part[]): string =>
  parts
    .map(wordsIn)
    .filter((words) => words !== '')
    .join('\n')

/** Reasoning is the model's own affair, and comes and goes from turn to turn. */
function wordsIn(part: Part): string {
  switch (part.kind) {
    case 'text':
    case 'refusal':
      return part.text
    case 'tool-call':
      return `[called ${part.name}: ${part.arguments}]`
    case 'tool-result':
      return `[${part.isError ? 'error' : 'result'} of ${part.name ?? 'the call'}: ${wordsOf(part.content)}]`
    case 'thinking':
      return ''
    case 'image':
    case 'document':
    case 'audio':
      return `[${part.kind}]`
  }
}

/** The last of it, as much as may be. */
function conversationText(
  turns: readonly Turn[],
  config: Pick<ResolvedCombo['config'], 'maxMessagesForSummary'>,
): string {
  const told = turns.map(({ role, parts }) => `${role}: ${wordsOf(parts)}`)
  const from = summaryFrom(
    told.map(({ length }) => Math.ceil(length / CHARS_PER_TOKEN)),
    config,
  )
  const text = told
    .slice(from)
    .join('\n\n')
    .slice(-SUMMARY_INPUT_TOKENS * CHARS_PER_TOKEN)
  return `<conversation>\n${text.toWellFormed()}\n</conversation>`
}
