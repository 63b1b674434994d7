// The client's answer as one of those who may answer sees it: its own until somebody else has it or it comes too late, then
// nobody's.
import type { GatewayError } from '../errors'
import type { Answer } from './client-answer'

export class Lane implements Answer {
  onCommit: (() => void) | null = null
  private onGone: (() => void) | null = null
  private onDrain: (() => void) | null = null
  private isOut = false
  private hasWon = false

  /** @param claim whether this one may answer: only the first that asks may */
  constructor(
    private readonly answer: Answer,
    private readonly claim: () => boolean,
  ) {}

  get isOpen(): boolean {
    return this.answer.isOpen
  }

  get framing(): Answer['framing'] {
    return this.answer.framing
  }

  listen(onGone: (() => void) | null, onDrain: (() => void) | null): void {
    this.onGone = onGone
    this.onDrain = onDrain
    if (this.isOut) onGone?.()
  }

  /** The client left, or another one answers it: whoever writes here sees a client that has gone away. */
  leave(): void {
    this.isOut = true
    this.onGone?.()
  }

  drained(): void {
    this.onDrain?.()
  }

  commit(...args: Parameters<Answer['commit']>): void {
    if (!this.wins()) return
    this.onCommit?.()
    this.answer.commit(...args)
  }

  sendWhole(...args: Parameters<Answer['sendWhole']>): void {
    if (this.wins()) this.answer.sendWhole(...args)
  }

  write(chunk: Buffer | string, endsEvent: boolean): boolean {
    return !this.hasWon || this.answer.write(chunk, endsEvent)
  }

  end(rest?: string): void {
    if (this.hasWon) this.answer.end(rest)
  }

  fail(error: GatewayError, headers?: readonly string[]): void {
    if (this.hasWon) this.answer.fail(error, headers)
  }

  endAfterError(): void {
    if (this.hasWon) this.answer.endAfterError()
  }

  breakOff(): void {
    if (this.hasWon) this.answer.breakOff()
  }

  private wins(): boolean {
    this.hasWon ||= !this.isOut && this.claim()
    return this.hasWon
  }
}
