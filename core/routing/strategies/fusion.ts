// Fusion: all members are asked at once, and a judge writes one answer from theirs (docs/resilience.md, "Strategies:
// fusion"). Here is only what is decided: whom to ask, when to stop waiting, what the judge is told. A member may be
// another combo: it is one voice.
import type { ComboConfig } from '../../contract/combo-config'
import { GatewayError } from '../../errors'
import type { Member } from '../combo'
import { asListed } from './ranking'
import { stateless } from './strategy'

export const fusion = stateless<object>(({ candidates }) => asListed(candidates))

type Config = Pick<ComboConfig, 'minPanel' | 'maxPanel' | 'stragglerGraceMs' | 'panelHardTimeoutMs'>

export type FusionPlan =
  /** Nobody may be used. */
  | { readonly kind: 'nobody' }
  /** The request goes to the judge as it is. */
  | { readonly kind: 'judge-only'; readonly judge: Member }
  /** Each member is asked without stream and without tools. */
  | {
      readonly kind: 'panel'
      readonly panel: readonly Member[]
      readonly judge: Member
      /** So many answers are enough. */
      readonly quorum: number
    }

export interface Panel {
  readonly members: readonly Member[]
  /** Members that may be used now, as listed. */
  readonly usable: readonly Member[]
  /** The one the combo names, where it may be used now; else the first usable member judges. */
  readonly judge: Member | null
  /** The request has tools, and `tool_choice` is not none: only one model can call them. */
  readonly usesTools: boolean
}

/** @throws GatewayError 400 where the combo has more members than a panel may have */
export function fusionPlan({ members, usable, judge: named, usesTools }: Panel, config: Config): FusionPlan {
  if (members.length > config.maxPanel) {
    throw new GatewayError(
      'bad_request',
      400,
      `This fusion has ${members.length} members; at most ${config.maxPanel} can be asked at once. Remove some of its steps.`,
    )
  }
  const judge = named ?? usable[0]
  if (judge === undefined) return { kind: 'nobody' }
  if (usesTools) return { kind: 'judge-only', judge }
  if (usable.length === 0) return { kind: 'nobody' }
  return { kind: 'panel', panel: usable, judge, quorum: Math.min(Math.max(config.minPanel, 2), usable.length) }
}

/** How far a panel is. Times are wall-clock milliseconds. */
export interface PanelProgress {
  readonly size: number
  readonly answered: number
  readonly failed: number
  readonly startedAt: number
  /** When the quorum was reached; null: not yet. */
  readonly quorumAt: number | null
}

export type PanelDecision =
  | { readonly kind: 'wait'; readonly until: number }
  | { readonly kind: 'stop'; readonly because: 'all-done' | 'grace-over' | 'timeout' }

/** Asked after each answer or failure, and when `until` has come. Whoever has not answered by then is given up. */
export function panelDecision(progress: PanelProgress, config: Config, now: number): PanelDecision {
  const { size, answered, failed, startedAt, quorumAt } = progress
  if (answered + failed >= size) return { kind: 'stop', because: 'all-done' }
  const end = startedAt + config.panelHardTimeoutMs
  if (now >= end || now < startedAt) return { kind: 'stop', because: 'timeout' }
  const grace = quorumAt === null ? end : Math.min(quorumAt + config.stragglerGraceMs, end)
  return now >= grace ? { kind: 'stop', because: 'grace-over' } : { kind: 'wait', until: grace }
}

export type PanelResult =
  /** 503. */
  | { readonly kind: 'no-answer' }
  /** Returned as it is. */
  | { readonly kind: 'single'; readonly answer: string }
  | { readonly kind: 'judge'; readonly prompt: string }

/** @param answers texts in the order of the list, so that it does not matter who was faster */
export function panelResult(answers: readonly string[]): PanelResult {
  const [only] = answers
  if (only === undefined) return { kind: 'no-answer' }
  return answers.length === 1 ? { kind: 'single', answer: only } : { kind: 'judge', prompt: judgePrompt(answers) }
}

/** Names of models are left out: a judge prefers its own kind. */
const judgePrompt = (answers: readonly string[]): string =>
  [
    `Below are ${answers.length} answers to the conversation above, written independently of each other.`,
    'Write the one best answer. Keep what they agree on and what is right; leave out what is wrong; where they differ,',
    'decide, and say so only if it matters to the reader. Do not mention the sources or that there were several.',
    ...answers.map((answer, i) => `\n<source number="${i + 1}">\n${answer}\n</source>`),
  ].join('\n')
