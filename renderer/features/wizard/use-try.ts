import { useCallback, useEffect, useRef, useState } from 'react'
import type { PushData } from '../../../core/contract/events'
import type { Dialect } from '../../../core/contract/kinds'
import type { RequestView } from '../../../core/contract/views'
import { call, onPush } from '../../app/client'

export interface TryState {
  readonly at: 'idle' | 'sending' | 'arriving' | 'done'
  readonly text: string
  readonly error: string | null
  /** The log's entry; comes a moment after the last word, since the log is written in batches. */
  readonly request: RequestView | null
  readonly requestId: string | null
}

const IDLE: TryState = { at: 'idle', text: '', error: null, request: null, requestId: null }
const ENTRY_ASKS = 8
const ENTRY_PAUSE_MS = 400

export function withChunk(state: TryState, { text, done, error, requestId }: PushData<'try:chunk'>): TryState {
  return {
    ...state,
    at: done ? 'done' : 'arriving',
    text: state.text + text,
    error: error ?? state.error,
    requestId: requestId ?? state.requestId,
  }
}

async function findEntry(id: string, stopped: () => boolean): Promise<RequestView | null> {
  for (let ask = 0; ask < ENTRY_ASKS && !stopped(); ask += 1) {
    const answer = await call('log:list', { search: id, limit: 1 })
    const found = answer.ok ? answer.value[0] : undefined
    if (found !== undefined) return found
    await new Promise((resolve) => setTimeout(resolve, ENTRY_PAUSE_MS))
  }
  return null
}

/** A real request through the gateway's own port. */
export function useTry(): { state: TryState; send: (model: string, prompt: string, dialect: Dialect) => void } {
  const [state, setState] = useState(IDLE)
  const tryId = useRef<string | null>(null)
  // Words may come before the call that began it has answered: they wait here.
  const early = useRef<PushData<'try:chunk'>[]>([])

  useEffect(
    () =>
      onPush('try:chunk', (chunk) => {
        if (tryId.current === null) early.current.push(chunk)
        else if (chunk.tryId === tryId.current) setState((before) => withChunk(before, chunk))
      }),
    [],
  )

  const { requestId, at } = state
  useEffect(() => {
    if (at !== 'done' || requestId === null) return
    let stopped = false
    void findEntry(requestId, () => stopped).then((request) => {
      if (!stopped) setState((before) => ({ ...before, request }))
    })
    return () => {
      stopped = true
    }
  }, [at, requestId])

  const send = useCallback((model: string, prompt: string, dialect: Dialect) => {
    tryId.current = null
    early.current = []
    setState({ ...IDLE, at: 'sending' })
    void call('try:send', { model, prompt, dialect }).then((answer) => {
      if (!answer.ok) return setState({ ...IDLE, at: 'done', error: answer.error.message })
      const id = answer.value.tryId
      tryId.current = id
      const waiting = early.current.filter((chunk) => chunk.tryId === id)
      setState((before) => waiting.reduce(withChunk, before))
    })
  }, [])

  return { state, send }
}
