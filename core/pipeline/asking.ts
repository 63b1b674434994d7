// Members of a combo asked with other words than the client's: for the client, or aside, where the answer is read by
// the gateway itself. Either way it is an ordinary request: the same fail-over, the same health, in the same log entry.
import type { AnswerEvent } from '../dialects/canonical'
import { isObject } from '../dialects/json'
import { GatewayError } from '../errors'
import type { Member, ResolvedCombo } from '../routing/combo'
import { CapturedResponse } from './captured-response'
import { ClientAnswer } from './client-answer'
import type { ClientRequest } from './client-request'
import { type ComboEnd, ComboRun } from './combo-run'
import type { FailedAttempt } from './final-error'
import type { PipelineDeps } from './handle-request'
import { answerInTime } from './in-time'
import { inOtherWords, type Running } from './outgoing'
import { Run } from './run'

/** The same combo as a list of alternatives, tried in this order. */
export const alternatives = (combo: ResolvedCombo, members: readonly Member[]): ResolvedCombo => ({
  ...combo,
  ...{ strategy: 'priority', members, judge: null },
})

/** One member on its own. It is meant, so nothing holds it back; how often it is asked again is for the caller to say. */
export const alone = (combo: ResolvedCombo, member: Member): ResolvedCombo => ({
  ...alternatives(combo, [{ ...member, target: { ...member.target, onlyAfterQuota: false } }]),
  config: { ...combo.config, maxRetries: 0, maxSetRetries: 0 },
})

/** Asks for the client. What fails is added to what the request has met so far. */
export async function askForClient(
  combo: ResolvedCombo,
  client: ClientRequest,
  into: Run,
  running: Running,
  deps: PipelineDeps,
): Promise<ComboEnd> {
  const asked = client === running.client ? running : inOtherWords(running, client)
  const run = new Run(asked, deps)
  const end = await endOf(() => answerInTime(combo, run, asked, deps))
  into.take(run)
  return end
}

/** Whether anyone could be asked this now. Nothing is sent. */
export const isAskable = (combo: ResolvedCombo, running: Running, deps: PipelineDeps): boolean =>
  new ComboRun(combo, new Run(running, deps), running, deps).look().ordered.length > 0

async function endOf<T>(ask: () => Promise<T>): Promise<T | { readonly error: GatewayError }> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof GatewayError) return { error }
    throw error
  }
}

export type Heard =
  | { readonly kind: 'text'; readonly text: string; readonly events: readonly AnswerEvent[] }
  | { readonly kind: 'failed'; readonly end: Exclude<ComboEnd, 'done' | 'left'>; readonly last: FailedAttempt | null }
  /** Given up, or the client went away. */
  | { readonly kind: 'left' }

/** One question aside. Its client is the gateway, which may go away at any time. */
export class Aside {
  readonly response = new CapturedResponse()
  private readonly asked: Running
  private readonly run: Run
  private brokenOff: string | null = null

  /** @param becomes what is to become of the answer, for the log */
  constructor(
    client: ClientRequest,
    becomes: string,
    private readonly running: Running,
    private readonly deps: PipelineDeps,
  ) {
    const { caller, record } = running
    const answer = new ClientAnswer(this.response.asResponse, caller.call, caller.echoedId, deps.clock)
    this.asked = {
      ...running,
      ...{ client, answer, repeated: null, kept: client },
      record: record.aside(caller, becomes, () => this.brokenOff),
    }
    this.run = new Run(this.asked, deps)
  }

  /** Every connection the member may use, once: nothing is waited for. */
  quickly(combo: ResolvedCombo, member: Member): Promise<Heard> {
    return member.kind === 'combo'
      ? this.patiently(member.combo)
      : this.hear(() => this.comboRun(combo).leg(member.target, undefined))
  }

  /** As any combo is asked, with its waits. */
  patiently = (combo: ResolvedCombo): Promise<Heard> =>
    this.hear(() => answerInTime(combo, this.run, this.asked, this.deps))

  /** @param why null: the client went away */
  leave(why: string | null): void {
    this.brokenOff = why
    this.response.leave()
  }

  /** The answer has become the client's. */
  adopted(): void {
    this.running.record.adopt(this.asked.record)
  }

  private comboRun = (combo: ResolvedCombo): ComboRun => new ComboRun(combo, this.run, this.asked, this.deps)

  private async hear(ask: () => Promise<ComboEnd | 'exhausted'>): Promise<Heard> {
    const end = await endOf(ask)
    return end === 'left' ? { kind: 'left' } : end === 'done' ? this.read() : this.failed(end)
  }

  private read(): Heard {
    const { translation } = this.running.caller.call
    const json = this.response.json()
    const events = isObject(json) ? (translation?.parseAnswer(json, this.deps.newId) ?? []) : []
    const text = events.map((event) => (event.kind === 'text' || event.kind === 'refusal' ? event.text : '')).join('')
    return text.trim() === '' ? this.failed({ error: wordless() }) : { kind: 'text', text, events }
  }

  private failed(end: Exclude<ComboEnd, 'done' | 'left'> | 'exhausted'): Heard {
    const last = this.run.failed.at(-1) ?? null
    return { kind: 'failed', end: end === 'exhausted' ? { relay: true } : end, last }
  }

  /** What it met is added to what the request has met. */
  passOn = (into: Run): void => into.take(this.run)
}

const wordless = (): GatewayError =>
  new GatewayError('bad_gateway', 502, 'A step of the combo answered without words, so there is nothing to go on with.')
