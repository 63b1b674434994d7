// One upstream call: sends the body, watches the clock, hands what comes back to the reader that fits, and settles
// once. It never throws for an upstream's fault, and it never decides what happens next.
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import type { Dispatcher } from 'undici'
import type { Clock, Timer } from '../clock'
import type { Settings } from '../contract/settings'
import type { JsonObject } from '../dialects/canonical'
import type { DialectModule } from '../dialects/dialect'
import type { WriteContext } from '../dialects/translation'
import type { AnswerReader, AttemptResult } from './answer-reader'
import type { Answer } from './client-answer'
import { ConvertingReader } from './converting-reader'
import { createErrorReader } from './error-reader'
import { headerText, type UpstreamHeaders } from './headers'
import { networkOutcome } from './network-outcome'
import type { Outcome } from './outcome'
import type { Through } from './proxy-choice'
import type { SilenceWatch, Watched } from './silence-watch'
import { askForReuse, isClosedSocket } from './socket-reuse'
import { StreamReader } from './stream-reader'
import type { Transport } from './transport'
import { createWholeReader } from './whole-reader'

export interface AttemptCall {
  readonly transport: Transport
  /** The connection's own proxy. */
  readonly proxy: Through
  readonly origin: string
  readonly path: string
  readonly headers: string[]
  readonly body: readonly Buffer[]
  /** What the client speaks. */
  readonly caller: DialectModule
  /** What the upstream speaks: the same, or another that is converted. */
  readonly upstream: DialectModule
  /** The client's name of the model, where the answer must repeat it; null: the answer is passed on as it came. */
  readonly renameTo: string | null
  /** What a conversion needs; null where the answer can only be passed on. */
  readonly context: () => WriteContext | null
  /** Gets the beginning of an answer that is passed on as it came. */
  readonly onStart: ((start: string) => void) | null
  /** Gets a converted answer after it was sent, where its dialect can continue it later. */
  readonly onConverted: ((answer: JsonObject) => void) | null
  readonly stream: boolean
  readonly removeUsage: boolean
  readonly answer: Answer
  /** Headers of the client's answer, given those of the upstream's. */
  readonly answerHeaders: (upstream: UpstreamHeaders) => string[]
  readonly redact: (text: string) => string
  /** Gets the headers of every answer: allowances are told there. */
  readonly onHeaders: ((headers: UpstreamHeaders, status: number) => void) | null
  readonly settings: Settings
  readonly clock: Clock
  readonly watch: SilenceWatch
}

export interface AttemptReport {
  readonly result: AttemptResult
  readonly status: number | null
  /** From sending to the first byte of content or body. */
  readonly firstByteMs: number | null
  readonly totalMs: number
}

/** An upstream whose answer was complete may keep its connection open this long. */
const LINGER_MS = 1_000

/** @param conclude what is to be made of the report, at once */
export const runAttempt = <T>(call: AttemptCall, conclude: (report: AttemptReport) => T): Promise<T> =>
  new Promise((resolve, reject) => {
    const concluded = (report: AttemptReport): void => {
      try {
        resolve(conclude(report))
      } catch (error) {
        reject(error)
      }
    }
    new Attempt(call, concluded).send()
  })

class Attempt implements Dispatcher.DispatchHandler, Watched {
  private readonly startedAt: number
  private controller: Dispatcher.DispatchController | null = null
  private reader: AnswerReader | null = null
  private unpack: ReturnType<typeof createGunzip> | null = null
  private status: number | null = null
  private firstByteMs: number | null = null
  private settled = false
  /** The upstream has ended its answer. */
  private ended = false
  private paused = false
  private phase: 'first byte' | 'idle' = 'first byte'
  private onReusedSocket = false
  private retried = false
  private lingering: Timer | null = null
  /** What one read of the socket has brought of a stream, often many events: each way to the client costs the same. */
  private came: Buffer[] = []
  place: number | null = null
  heardAt = 0
  mayBeSilentMs: number

  constructor(
    private readonly call: AttemptCall,
    private readonly resolve: (report: AttemptReport) => void,
  ) {
    const { clock, settings, watch } = call
    this.startedAt = clock.elapsed()
    this.mayBeSilentMs = settings.firstByteTimeoutMs
    watch.add(this)
  }

  send(): void {
    const { answer, transport, origin, proxy } = this.call
    answer.listen(
      () => this.settle({ kind: 'aborted' }),
      () => this.resume(),
    )
    if (!this.settled) this.dispatch(transport.dispatcher(origin, proxy))
  }

  private dispatch(dispatcher: Dispatcher): void {
    const { origin, path, headers, body } = this.call
    try {
      dispatcher.dispatch(
        { origin, path, method: 'POST', headers, body: (body.length === 1 ? body[0] : body) as Buffer },
        this,
      )
    } catch (error) {
      this.break(error as Error)
    }
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller
    askForReuse((reused) => {
      this.onReusedSocket = reused
    })
    if (this.settled) controller.abort(new Error('no longer wanted'))
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: UpstreamHeaders): void {
    if (this.settled || status < 200) return
    this.status = status
    this.call.onHeaders?.(headers, status)
    this.reader = this.chooseReader(status, headers)
    const coding = headerText(headers['content-encoding'])
    if (coding !== undefined && coding !== 'identity') this.unpackWith(coding)
    this.phase = 'idle'
    this.mayBeSilentMs = this.call.settings.idleTimeoutMs
    this.call.watch.heard(this)
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.settled) return
    this.call.watch.heard(this)
    if (this.unpack !== null) {
      if (!this.unpack.write(chunk)) this.pause()
    } else if (this.call.stream) {
      if (this.came.push(chunk) === 1) queueMicrotask(this.takeAll)
    } else this.take(chunk)
  }

  private readonly takeAll = (): void => {
    const { came } = this
    if (came.length === 0) return
    this.came = []
    this.take(came.length === 1 ? (came[0] as Buffer) : Buffer.concat(came))
  }

  onResponseEnd(): void {
    this.ended = true
    this.lingering?.cancel()
    this.takeAll()
    if (this.settled || this.reader === null) return
    if (this.unpack === null) this.settle(this.reader.end())
    else this.unpack.end()
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.takeAll()
    this.break(error)
  }

  private chooseReader(status: number, headers: UpstreamHeaders): AnswerReader {
    if (status >= 300) return createErrorReader(status, headers)
    const { answer, caller, upstream, stream, removeUsage, answerHeaders, redact, onStart } = this.call
    const rename = this.renaming()
    const type = headerText(headers['content-type']) ?? ''
    const isDocument = type.includes('json') || type.includes('html')
    // Some servers call their streams text/plain: only what is clearly a document is taken for one.
    const asAsked = stream ? !isDocument : isDocument || type === ''
    if (upstream !== caller || !asAsked) {
      const converting = this.convertingReader(status, headers)
      if (converting !== null) return converting
    }
    if (!stream || isDocument)
      return createWholeReader(status, answer, caller, () => answerHeaders(headers), onStart, rename)
    const { framing } = answer
    const toHeaders = (): string[] =>
      framing === null ? answerHeaders(headers) : [...answerHeaders(withoutType(headers)), ...framing.headers]
    const wholeEvents = framing !== null
    return new StreamReader({
      status,
      answer,
      dialect: caller,
      headers: toHeaders,
      removeUsage,
      wholeEvents,
      redact,
      onStart,
      rename,
    })
  }

  private renaming(): ((bytes: Buffer) => Buffer) | null {
    const { caller, renameTo } = this.call
    return renameTo === null ? null : (bytes) => caller.renameModel?.(bytes, renameTo) ?? bytes
  }

  private convertingReader(status: number, headers: UpstreamHeaders): AnswerReader | null {
    const { answer, caller, upstream, stream, context: makeContext, answerHeaders, redact, onConverted } = this.call
    const from = upstream.translation
    const to = caller.translation
    const context = makeContext()
    if (from === null || to === null || context === null) return null
    const toHeaders = (): string[] => answerHeaders(withoutType(headers))
    const onComplete = onConverted
    return new ConvertingReader({ status, answer, from, to, stream, headers: toHeaders, context, redact, onComplete })
  }

  private take(chunk: Buffer): void {
    if (this.reader === null || this.settled) return
    this.firstByteMs ??= this.call.clock.elapsed() - this.startedAt
    const next = this.reader.data(chunk)
    if (next === false) this.pause()
    else if (next !== true) this.settle(next)
  }

  private unpackWith(coding: string): void {
    const unpack = coding === 'br' ? createBrotliDecompress() : coding === 'deflate' ? createInflate() : createGunzip()
    this.unpack = unpack
    unpack.on('data', (chunk: Buffer) => {
      this.take(chunk)
      if (this.paused) unpack.pause()
    })
    unpack.on('drain', () => this.resume())
    unpack.on('end', () => this.reader !== null && this.settle(this.reader.end()))
    unpack.on('error', () => this.settleBroken({ kind: 'network', code: 'unreadable content-encoding' }))
  }

  private pause(): void {
    if (this.paused) return
    this.paused = true
    this.controller?.pause()
  }

  private resume(): void {
    if (!this.paused) return
    this.paused = false
    this.call.watch.heard(this)
    this.unpack?.resume()
    this.controller?.resume()
  }

  silent(): void {
    // While the client does not read, the upstream's silence is ours.
    if (this.paused) this.call.watch.heard(this)
    else this.settleBroken({ kind: 'timeout', phase: this.phase })
  }

  private break(error: Error): void {
    if (this.settled) return
    const code = (error as NodeJS.ErrnoException).code ?? error.name
    if (this.reader === null && this.onReusedSocket && !this.retried && isClosedSocket(code)) {
      this.retried = true
      const { transport, origin, proxy } = this.call
      this.dispatch(transport.fresh(origin, proxy))
      return
    }
    this.settleBroken(networkOutcome(error))
  }

  private settleBroken(outcome: Outcome): void {
    this.settle(this.reader === null ? { kind: 'failed', outcome, error: null } : this.reader.broken(outcome))
  }

  private abort(): void {
    this.controller?.abort(new Error('no longer wanted'))
  }

  private settle(result: AttemptResult): void {
    if (this.settled) return
    this.settled = true
    this.call.watch.remove(this)
    this.call.answer.listen(null, null)
    this.unpack?.destroy()
    // Ends the upstream's work too; what has said that it is complete is given a moment to end by itself.
    if (result.kind !== 'answered') this.abort()
    else if (!this.ended) this.lingering = this.call.clock.after(LINGER_MS, () => this.abort())
    const totalMs = this.call.clock.elapsed() - this.startedAt
    this.resolve({ result, status: this.status, firstByteMs: this.firstByteMs, totalMs })
  }
}

const withoutType = ({ 'content-type': _, ...others }: UpstreamHeaders): UpstreamHeaders => others
