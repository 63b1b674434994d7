// A fusion carried out: its members are asked at once and aside, and a judge writes the client's answer from theirs.
// Whom to ask, when to stop waiting and what the judge is told is decided in routing/strategies/fusion.
import type { Member } from '../routing/combo'
import { fusionPlan, panelResult } from '../routing/strategies/fusion'
import { alone, alternatives, askForClient, isAskable } from './asking'
import type { ClientRequest } from './client-request'
import { nobodyAnswered, timedOut } from './combo-limits'
import type { ComboEnd } from './combo-run'
import { Panel } from './fusion-panel'
import { moreWords, quietQuestion, readQuestion } from './own-question'
import { answerWith } from './single-answer'
import type { Whole } from './whole-combos'

/** So many members are named. */
const SHOWN = 5

/** @throws GatewayError 400 where the combo has more members than a panel may have */
export async function runFusion(whole: Whole): Promise<ComboEnd | 'exhausted'> {
  const { combo, usable, owner, run, running, deps } = whole
  const { client } = running
  const { request, usesTools } = readQuestion(client)
  // Where only one connection knows the conversation so far, a panel would not know what it is about.
  const isOneModels = usesTools || request === null || running.unusableFor !== null
  const { members, judge: named, config } = combo
  const judge = named !== null && isAskable(alone(combo, named), running, deps) ? named : null
  const plan = fusionPlan({ members, usable, judge, usesTools: isOneModels }, config)
  if (plan.kind === 'nobody') return 'exhausted'
  if (plan.kind === 'judge-only' || request === null) return askJudge(plan.judge, client, whole)

  const panel = new Panel(
    plan.panel,
    plan.quorum,
    quietQuestion(client, request, { prompt: null, message: null }),
    whole,
  )
  if ((await panel.listen()) === 'left') return 'left'
  const answered = panel.voices.filter(({ heard }) => heard?.kind === 'text')
  const result = panelResult(answered.map(({ text }) => text))
  switch (result.kind) {
    case 'no-answer': {
      const why = panel.voices.slice(0, SHOWN).map(({ name, why }) => `${name}: ${why}`)
      return { error: nobodyAnswered(combo, run.failed, why) }
    }
    case 'single':
      for (const { aside, heard } of answered)
        if (heard?.kind === 'text') answerWith(aside, heard.events, running, deps)
      return 'done'
    case 'judge':
      if (owner.isOverTime()) return { error: timedOut(combo, run.failed) }
      return askJudge(plan.judge, moreWords(client, { prompt: null, message: result.prompt }), whole)
  }
}

/** The others judge in its place, in their order, where it fails. */
function askJudge(judge: Member, client: ClientRequest, { combo, run, running, deps }: Whole): Promise<ComboEnd> {
  const others = combo.members.filter(({ target }) => target !== judge.target)
  return askForClient(alternatives(combo, [judge, ...others]), client, run, running, deps)
}
