// Runs the token worker while it is needed, and does without it where it cannot run.
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { Clock, Timer } from '../clock'

export interface TokenCounter {
  /** Tokens of all texts together. Never rejects. */
  count(texts: readonly string[]): Promise<number>
  close(): void
}

/** The part of a worker thread that is used here. */
export interface CountingThread {
  postMessage(message: { readonly id: number; readonly texts: readonly string[] }): void
  onAnswer(listener: (answer: { readonly id: number; readonly tokens: number }) => void): void
  onEnd(listener: () => void): void
  terminate(): void
}

/** A tool that counts does so again and again for a while. */
const IDLE_MS = 120_000

export function createTokenCounter(clock: Clock, startThread: () => CountingThread = startWorker): TokenCounter {
  const waiting = new Map<number, { readonly texts: readonly string[]; readonly done: (tokens: number) => void }>()
  let thread: CountingThread | null = null
  let idle: Timer | null = null
  let lastId = 0

  const end = (): void => {
    thread?.terminate()
    thread = null
    idle?.cancel()
    idle = null
  }
  /** What a thread that ended has left behind is estimated without it. */
  const giveUp = (): void => {
    end()
    for (const { texts, done } of waiting.values()) done(roughTokens(texts))
    waiting.clear()
  }
  const open = (): CountingThread => {
    const fresh = startThread()
    fresh.onAnswer(({ id, tokens }) => {
      waiting.get(id)?.done(tokens)
      waiting.delete(id)
      if (waiting.size === 0) idle = clock.after(IDLE_MS, end)
    })
    fresh.onEnd(() => {
      if (thread === fresh) giveUp()
    })
    return fresh
  }
  return {
    count(texts) {
      idle?.cancel()
      idle = null
      const id = ++lastId
      return new Promise((done) => {
        waiting.set(id, { texts, done })
        try {
          thread ??= open()
          thread.postMessage({ id, texts })
        } catch {
          giveUp()
        }
      })
    },
    close: giveUp,
  }
}

/** Four letters of Latin text a token; other scripts about one a letter. */
export function roughTokens(texts: readonly string[]): number {
  let latin = 0
  let other = 0
  for (const text of texts) {
    for (let i = 0; i < text.length; i++) {
      if (text.charCodeAt(i) < 0x250) latin++
      else other++
    }
  }
  return Math.ceil(latin / 4 + other)
}

function startWorker(): CountingThread {
  const worker = new Worker(workerFile())
  // A thread that only waits must not keep the program from ending.
  worker.unref()
  return {
    postMessage: (message) => worker.postMessage(message),
    onAnswer: (listener) => worker.on('message', listener),
    onEnd(listener) {
      worker.on('error', listener)
      worker.on('exit', listener)
    },
    terminate: () => void worker.terminate(),
  }
}

/** Beside the bundle it is called from, or beside this source. @throws Error when it is in neither place */
function workerFile(): string {
  for (const name of ['token-worker.js', 'token-worker.cjs', 'token-worker.ts']) {
    const file = fileURLToPath(new URL(name, import.meta.url))
    if (existsSync(file)) return file
  }
  throw new Error('the token worker is missing')
}
