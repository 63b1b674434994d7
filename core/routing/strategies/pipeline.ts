// A pipeline: one step after the other, each gets what the one before has written (docs/resilience.md, "Strategies:
// pipeline"). Here is only what is decided; no step may be left out, so one that cannot be asked ends the request.
import type { ComboConfig } from '../../contract/combo-config'
import type { Member } from '../combo'
import { asListed } from './ranking'
import { stateless } from './strategy'

export const pipeline = stateless<object>(({ candidates }) => asListed(candidates))

export interface Stage {
  readonly member: Member
  /** Said to the model as its instruction; null: nothing more. */
  readonly prompt: string | null
  /** What it works on: the client's conversation, or that with the text of the stage before as the newest message. */
  readonly input: 'conversation' | 'previous'
  /** Its answer is the client's: it streams where the client wants that. All others answer whole. */
  readonly isLast: boolean
  /** The client's tools go along. */
  readonly tools: boolean
}

/** The stages in their order. Only the last one has the client's tools and stream; an agentic one is the executor. */
export const stages = (members: readonly Member[]): Stage[] =>
  members.map((member, i) => ({
    member,
    prompt: member.target.prompt,
    input: i === 0 ? 'conversation' : 'previous',
    isLast: i === members.length - 1,
    tools: i === members.length - 1,
  }))

/** The first stage nobody can be asked for, by its place; −1: all can. */
export const blockedStage = (members: readonly Member[], usable: ReadonlySet<Member>): number =>
  members.findIndex((member) => !usable.has(member))

const PASSING: ReadonlySet<number> = new Set([429, 502, 503, 504])

/** Whether a stage is asked again: `retries` so far. */
export const isStageRetried = (
  status: number,
  retries: number,
  { maxRetries }: Pick<ComboConfig, 'maxRetries'>,
): boolean => PASSING.has(status) && retries < maxRetries

export type RoundDecision = 'answer' | 'go-on' | 'without-tools'

/**
 * Of an agentic pipeline: what becomes of the executor's answer.
 * @param rounds of tool use so far, this one not counted
 * @returns `without-tools`: it has used them often enough, and is asked for a last answer
 */
export function roundDecision(
  wantsTools: boolean,
  rounds: number,
  { maxToolRounds }: Pick<ComboConfig, 'maxToolRounds'>,
): RoundDecision {
  if (!wantsTools) return 'answer'
  return rounds < maxToolRounds ? 'go-on' : 'without-tools'
}

/** Said to the two stages of an agentic pipeline that have no prompt of their own. */
export const AGENTIC_PROMPTS = {
  planner: 'Plan how to do what is asked: the steps in their order, and what to watch for. Do not carry it out.',
  executor: 'Carry out the plan in the last message for the conversation before it, and answer with the result.',
} as const
