// Connections whose credentials were refused are tried again a few times before a person is called: a sign-in is renewed,
// a key is tried by a call that costs nothing. What is found feeds nothing else.
import type { Clock } from '../clock'
import type { OAuthLogins } from '../oauth/oauth-logins'
import type { Transport } from '../pipeline/transport'
import type { ConnectionBook } from '../providers/connection-book'
import { getText } from '../providers/get-text'
import { keyCheckCall, modelsCall } from '../providers/models-call'
import type { Health } from '../resilience/health'
import type { RetryOutcome } from '../resilience/terminal'

/** Who is due is looked at this often. */
const EVERY_MS = 30_000
const LIMIT_MS = 15_000

export interface RetryDeps {
  readonly clock: Clock
  readonly health: Health
  readonly book: ConnectionBook
  readonly logins: OAuthLogins
  readonly transport: () => Transport
}

/** Gives how it is stopped. */
export function retryCredentials(deps: RetryDeps): () => void {
  const running = new Set<string>()
  const timer = deps.clock.every(EVERY_MS, () => {
    for (const id of deps.health.dueRetries()) {
      if (running.has(id)) continue
      running.add(id)
      outcomeOf(id, deps)
        .catch((): RetryOutcome => 'unknown')
        .then((outcome) => {
          running.delete(id)
          deps.health.retried(id, outcome)
        })
    }
  })
  return () => timer.cancel()
}

async function outcomeOf(id: string, { clock, book, logins, transport }: RetryDeps): Promise<RetryOutcome> {
  const found = book.find(id)
  if (found === null) return 'unknown'
  const { provider, connection } = found
  const { login } = connection
  if (login !== undefined) {
    const renewed = login.accessToken === null ? null : await logins.refused(id, login.accessToken)
    if (renewed === null && login.state === 'needs-sign-in') return 'refused'
    // It could not be renewed for a reason that passes: the old token would only be refused once more.
    if (renewed === null && login.why !== '') return 'unknown'
  }
  const current = book.find(id)?.connection ?? connection
  const call =
    keyCheckCall(provider.row, current) ?? (provider.row.publicModels ? null : modelsCall(provider.row, current))
  // Nothing free can be asked: a request that is let through later is the retry.
  if (call === null) return 'unknown'
  const { outcome } = await getText(transport(), call, clock, LIMIT_MS)
  if (outcome === null) return 'accepted'
  return outcome.kind === 'http' && (outcome.status === 401 || outcome.status === 403) ? 'refused' : 'unknown'
}
