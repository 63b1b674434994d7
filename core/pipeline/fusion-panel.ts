// The panel of a fusion while it is asked: all members at once, until enough have answered and the others had their
// last moment. Who is given up is broken off, and nothing is held against it.
import type { Timer } from '../clock'
import { type Member, modelString } from '../routing/combo'
import { type PanelDecision, panelDecision } from '../routing/strategies/fusion'
import { Aside, type Heard } from './asking'
import type { ClientRequest } from './client-request'
import type { Whole } from './whole-combos'

/** One member of the panel. */
export class Voice {
  readonly aside: Aside
  /** null: it has not answered yet, or was given up. */
  heard: Heard | null = null
  private givenUp: string | null = null

  constructor(
    private readonly member: Member,
    question: ClientRequest,
    private readonly whole: Whole,
  ) {
    const { running, deps } = whole
    this.aside = new Aside(question, 'answered, for the judge', running, deps)
  }

  get name(): string {
    const { member } = this
    return member.kind === 'combo' ? `the combo ${member.combo.name}` : modelString(member.target)
  }

  get text(): string {
    return this.heard?.kind === 'text' ? this.heard.text : ''
  }

  /** Of one that did not answer. */
  get why(): string {
    if (this.heard?.kind !== 'failed') return this.givenUp ?? 'it was broken off'
    const { end, last } = this.heard
    return 'error' in end ? end.error.message : (last?.verdict.message ?? 'none of its connections can be used')
  }

  async ask(): Promise<void> {
    const heard = await this.aside.quickly(this.whole.combo, this.member)
    if (this.givenUp === null) this.heard = heard
  }

  /** @param why null: the client went away */
  leave(why: string | null): void {
    if (this.heard !== null) return
    this.givenUp = why ?? 'the client went away'
    this.aside.leave(why)
  }
}

const GIVEN_UP: Readonly<Record<Extract<PanelDecision, { kind: 'stop' }>['because'], string>> = {
  'all-done': '',
  'grace-over': 'not waited for any longer: enough others had answered',
  timeout: 'not waited for any longer: the time for all answers was over',
}

export class Panel {
  readonly voices: readonly Voice[]
  private readonly startedAt: number
  private quorumAt: number | null = null
  private timer: Timer | null = null
  private isOver = false
  private settle: (end: 'left' | 'heard') => void = () => {}

  /** @param quorum so many answers are enough */
  constructor(
    members: readonly Member[],
    private readonly quorum: number,
    question: ClientRequest,
    private readonly whole: Whole,
  ) {
    this.voices = members.map((member) => new Voice(member, question, whole))
    this.startedAt = whole.deps.clock.now()
  }

  /** Asks all, once. What failed is added to what the request has met, in the order of the list. */
  async listen(): Promise<'left' | 'heard'> {
    const { run, running } = this.whole
    const end = await new Promise<'left' | 'heard'>((resolve, reject) => {
      this.settle = resolve
      running.answer.listen(() => this.stop('left', null), null)
      for (const voice of this.isOver ? [] : this.voices) {
        voice.ask().then(
          () => this.look(),
          (error: unknown) => {
            this.stop('heard', GIVEN_UP.timeout)
            reject(error)
          },
        )
      }
    })
    for (const { aside } of this.voices) aside.passOn(run)
    return end
  }

  private look(): void {
    if (this.isOver) return
    const { combo, deps } = this.whole
    const answered = this.voices.filter(({ heard }) => heard?.kind === 'text').length
    const failed = this.voices.filter(({ heard }) => heard !== null && heard.kind !== 'text').length
    const now = deps.clock.now()
    if (answered >= this.quorum) this.quorumAt ??= now
    const { startedAt, quorumAt } = this
    const decision = panelDecision(
      { size: this.voices.length, answered, failed, startedAt, quorumAt },
      combo.config,
      now,
    )
    this.timer?.cancel()
    if (decision.kind === 'stop') return this.stop('heard', GIVEN_UP[decision.because])
    this.timer = deps.clock.after(decision.until - now, () => this.look())
  }

  private stop(end: 'left' | 'heard', why: string | null): void {
    if (this.isOver) return
    this.isOver = true
    this.timer?.cancel()
    this.whole.running.answer.listen(null, null)
    for (const voice of this.voices) voice.leave(why)
    this.settle(end)
  }
}
