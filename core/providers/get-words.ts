// Why a small GET of a provider came to nothing, in words for a person.
import type { Outcome } from '../pipeline/outcome'
import { proxyWords } from '../resilience/proxy-words'
import { TOO_LONG } from './get-text'

/** @param what came back: "list", "answer" */
export function getWords(origin: string, outcome: Outcome, what: string): string {
  switch (outcome.kind) {
    case 'http':
      return `${origin} answered ${outcome.status}`
    case 'timeout':
      return `${origin} did not answer in time`
    case 'network':
      if (outcome.proxy !== undefined) return proxyWords(outcome.proxy, outcome.code)
      return outcome.code === TOO_LONG
        ? `the ${what} of ${origin} is too long`
        : `${origin} could not be reached (${outcome.code})`
    default:
      return `${origin} did not answer as expected`
  }
}
