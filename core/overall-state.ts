// The whole gateway in one word, and why: what the tray's icon shows. Pure.
import type { OverallState } from './contract/kinds'
import type { ListenerState, ProviderView } from './contract/views'
import { PRACTICE_ID } from './providers/catalogue'

export interface Overall {
  readonly overall: OverallState
  readonly overallWhy: string
}

export function overallState(listener: ListenerState, paused: boolean, providers: readonly ProviderView[]): Overall {
  switch (listener.kind) {
    case 'starting':
      return { overall: 'starting', overallWhy: 'The gateway is starting.' }
    case 'listening':
      break
    case 'port-in-use':
      return down(
        `Port ${listener.port} is in use by ${listener.holder === 'breakwater' ? 'another Breakwater' : 'another program'}.`,
      )
    case 'port-forbidden':
      return down(`The system does not allow port ${listener.port}.`)
    case 'listen-failed':
    case 'database-refused':
      return down(listener.message)
    case 'data-folder-in-use':
      return down('Another Breakwater uses the same data folder.')
    case 'stopped':
      return down('The gateway has stopped.')
  }
  if (paused) return { overall: 'paused', overallWhy: 'Paused: new requests are refused until you resume.' }
  // Practice fails on purpose, and a provider that is switched off or never set up is not in use.
  const used = providers.filter(({ id, state }) => id !== PRACTICE_ID && state !== 'off')
  const out = used.find(({ state }) => state === 'needs-you' || state === 'resting')
  if (out !== undefined) return down(`${out.label} has no connection left: ${out.why}`)
  const strained = used.find(({ state }) => state === 'strained')
  if (strained !== undefined) return { overall: 'strained', overallWhy: `${strained.label}: ${strained.why}` }
  return { overall: 'healthy', overallWhy: '' }
}

const down = (overallWhy: string): Overall => ({ overall: 'down', overallWhy })
