// What a rule sees of an error answer, and what it may find. Rules are asked in the order of verdict/judge.ts; the first
// that finds something decides.
import type { OperatorRules } from '../../contract/error-rules'
import type { Reason } from '../../contract/kinds'
import type { ProviderRow } from '../../providers/provider-row'
import type { BodyFacts } from '../verdict/read-body'
import type { Lasting, NextStep, Scope } from '../verdict/verdict'
import type { LimitWindow } from '../verdict/wait/window-headers'

export interface Evidence extends BodyFacts {
  readonly row: ProviderRow
  /** What was asked for; null: not known. */
  readonly model: string | null
  /** After restatement; of an error inside a 2xx, the one it stands for. */
  readonly status: number
  /** As it came. */
  readonly rawStatus: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** The messages, in lower case, one a line. What rules read. */
  readonly text: string
  /** The whole body, in lower case: for markers and for the operator's own texts only. */
  readonly wholeText: string
  readonly windows: readonly LimitWindow[]
  /** The wait that the messages state in words; null: none. */
  readonly wordsMs: number | null
  readonly operator: OperatorRules
}

export interface Finding {
  readonly reason: Reason
  /** Missing: as the reason and the provider's row have it. */
  readonly scope?: Scope
  /** The row honors the scope: settings do not move it. */
  readonly scopeByRule?: true
  /** Missing: as the reason has it. */
  readonly lasting?: Lasting
  readonly ruleRest?: { readonly ms: number; readonly capped: boolean }
  /** Which model the evidence names. */
  readonly model?: string
  /** Never evidence against the provider, whatever the status. */
  readonly blameless?: true
  readonly next?: NextStep
  /** The id of the row that matched, where a rule stands for a table. */
  readonly rule?: string
}

export interface Rule {
  readonly id: string
  readonly find: (evidence: Evidence) => Finding | null
}

export const hasCode = ({ codes }: Evidence, pattern: RegExp): boolean => {
  for (const code of codes) if (pattern.test(code)) return true
  return false
}

export const isServerFault = (status: number): boolean => status >= 500 || status === 408
