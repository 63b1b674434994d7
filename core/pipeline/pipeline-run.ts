// A pipeline carried out: each step but the last is asked aside and its words go into the next one's conversation; the
// last answers the client. What the steps are, and which failures ask one again, is decided in
// routing/strategies/pipeline.
import type { CanonicalRequest, Turn } from '../dialects/canonical'
import { GatewayError } from '../errors'
import type { Member, ResolvedCombo } from '../routing/combo'
import {
  AGENTIC_PROMPTS,
  blockedStage,
  isStageRetried,
  roundDecision,
  type Stage,
  stages,
} from '../routing/strategies/pipeline'
import { Aside, alone, askForClient, type Heard, isAskable } from './asking'
import type { ClientRequest } from './client-request'
import { timedOut } from './combo-limits'
import type { ComboEnd } from './combo-run'
import type { FailedAttempt } from './final-error'
import { moreWords, quietQuestion, type ReadQuestion, readQuestion, toolFreeQuestion, type Words } from './own-question'
import type { Whole } from './whole-combos'

export async function runPipeline(whole: Whole): Promise<ComboEnd | 'exhausted'> {
  const { combo, owner, run, running } = whole
  const missing = missingStep(combo)
  if (missing !== null) return { error: missing }
  const question = readQuestion(running.client)
  const list = stagesOf(combo)
  const inSteps = list.length > 1 ? inStepsOf(question, whole) : null
  if (inSteps instanceof GatewayError) return { error: inSteps }
  if (isBlocked(inSteps, whole)) return 'exhausted'
  let previous: string | null = null
  for (const stage of list) {
    if (owner.isOverTime()) return { error: timedOut(combo, run.failed) }
    const words = { prompt: stage.prompt, message: stage.input === 'previous' ? previous : null }
    if (stage.isLast || inSteps === null) return answerBy(stage, words, question, whole)
    const heard = await hear(stage, quietQuestion(running.client, inSteps, words), whole)
    if (heard.kind === 'left') return 'left'
    if (heard.kind === 'failed') return heard.end
    previous = heard.text
  }
  return 'exhausted'
}

/** A step that leads to nothing is not left out: the others would work with what nobody has done. */
function missingStep({ name, dropped }: ResolvedCombo): GatewayError | null {
  const [first] = dropped
  if (first === undefined) return null
  const which = first.step === 'judge' ? 'Its judge' : `Step ${first.step + 1}`
  return new GatewayError(
    'no_executable_targets',
    404,
    `The pipeline "${name}" cannot run. ${which}, "${first.name}", leads to no model. Change the step, or add the provider it needs.`,
  )
}

function stagesOf({ members, config }: ResolvedCombo): readonly Stage[] {
  const list = stages(members)
  if (!config.agentic || list.length !== 2) return list
  return list.map((stage) => ({
    ...stage,
    prompt: stage.prompt ?? (stage.isLast ? AGENTIC_PROMPTS.executor : AGENTIC_PROMPTS.planner),
  }))
}

/** The conversation as the steps before the last get it, or why they cannot. The form of the answer is the last one's. */
function inStepsOf({ request, fault }: ReadQuestion, { combo, running }: Whole): CanonicalRequest | GatewayError {
  if (fault !== null) return fault
  if (request === null || running.unusableFor !== null) {
    return new GatewayError(
      'bad_request',
      400,
      `previous_response_id: only one provider knows this conversation, and the pipeline "${combo.name}" asks several. Send the whole conversation in input instead.`,
      { field: 'previous_response_id' },
    )
  }
  return { ...request, output: null, stop: [] }
}

/** Whether nobody can be asked for one of the steps now. */
function isBlocked(inSteps: CanonicalRequest | null, { combo, usable, running, deps }: Whole): boolean {
  const { members } = combo
  const last = members.at(-1)
  const able = members.filter((member) => {
    if (usable.includes(member)) return true
    // It may be out only for what the last step needs: the client's tools.
    if (member === last || inSteps === null) return false
    const client = quietQuestion(running.client, inSteps, { prompt: null, message: null })
    return isAskable(alone(combo, member), { ...running, client }, deps)
  })
  return members.length === 0 || blockedStage(members, new Set(able)) >= 0
}

function hear({ member }: Stage, question: ClientRequest, whole: Whole): Promise<Heard> {
  const { combo, run, running, deps } = whole
  return again(
    member,
    question,
    async () => {
      const aside = new Aside(question, 'answered, for the next step', running, deps)
      running.answer.listen(() => aside.leave(null), null)
      const heard = await aside.patiently(alone(combo, member))
      running.answer.listen(null, null)
      aside.passOn(run)
      return heard
    },
    (heard) => (heard.kind === 'failed' ? statusOf(heard.end, heard.last) : null),
    { kind: 'left' },
    whole,
  )
}

function answerBy({ member }: Stage, words: Words, question: ReadQuestion, whole: Whole): Promise<ComboEnd> {
  const { combo, run, running, deps } = whole
  const client = lastQuestion(words, question, whole)
  return again(
    member,
    client,
    () => askForClient(alone(combo, member), client, run, running, deps),
    (end) => (end === 'done' || end === 'left' ? null : statusOf(end, run.failed.at(-1) ?? null)),
    'left',
    whole,
  )
}

/** An executor that has used tools often enough is asked for its answer without them. */
function lastQuestion(words: Words, { request, usesTools }: ReadQuestion, { combo, running }: Whole): ClientRequest {
  const { client } = running
  const isLimited = combo.config.agentic && request !== null && usesTools
  if (!isLimited || roundDecision(true, toolRounds(request.turns), combo.config) !== 'without-tools')
    return moreWords(client, words)
  return toolFreeQuestion(client, request, words)
}

/** How often the model has called tools since the user last said something. */
function toolRounds(turns: readonly Turn[]): number {
  const said = turns.findLastIndex(
    ({ role, parts }) => role === 'user' && parts.some(({ kind }) => kind !== 'tool-result'),
  )
  return turns
    .slice(said + 1)
    .filter(({ role, parts }) => role === 'assistant' && parts.some(({ kind }) => kind === 'tool-call')).length
}

/** What a failure says over HTTP. */
const statusOf = (end: Exclude<ComboEnd, 'done' | 'left'>, last: FailedAttempt | null): number | null =>
  'error' in end ? end.error.httpStatus : (last?.verdict.told.status ?? null)

/**
 * A step asked again where that may help. Who still rests after the pause is not: what it said first is the answer.
 * @param failure the status of an end that is a failure; null: it is none
 */
async function again<T>(
  member: Member,
  client: ClientRequest,
  ask: () => Promise<T>,
  failure: (end: T) => number | null,
  left: T,
  { combo, run, running, deps }: Whole,
): Promise<T> {
  for (let retries = 0; ; retries++) {
    const end = await ask()
    const status = failure(end)
    if (status === null || !isStageRetried(status, retries, combo.config)) return end
    if (!(await run.waitUntil(deps.clock.now() + combo.config.retryDelayMs, false))) return left
    if (!isAskable(alone(combo, member), { ...running, client }, deps)) return end
  }
}
