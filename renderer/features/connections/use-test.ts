import { useCallback, useRef, useState } from 'react'
import type { CallInput } from '../../../core/contract/ipc'
import type { TestResult } from '../../../core/contract/views'
import { call } from '../../app/client'

export type TestState =
  | { readonly at: 'idle' }
  | { readonly at: 'running'; readonly since: number }
  | { readonly at: 'done'; readonly result: TestResult }
  | { readonly at: 'failed'; readonly message: string }

export interface Test {
  readonly state: TestState
  readonly run: (input: CallInput<'connections:test'>) => Promise<TestResult | null>
  readonly reset: () => void
}

/** A live call to a provider. A result that comes after another test was begun is dropped. */
export function useTest(): Test {
  const [state, setState] = useState<TestState>({ at: 'idle' })
  const generation = useRef(0)
  const run = useCallback(async (input: CallInput<'connections:test'>) => {
    generation.current += 1
    const mine = generation.current
    setState({ at: 'running', since: Date.now() })
    const answer = await call('connections:test', input)
    if (mine !== generation.current) return null
    setState(answer.ok ? { at: 'done', result: answer.value } : { at: 'failed', message: answer.error.message })
    return answer.ok ? answer.value : null
  }, [])
  const reset = useCallback(() => {
    generation.current += 1
    setState({ at: 'idle' })
  }, [])
  return { state, run, reset }
}
