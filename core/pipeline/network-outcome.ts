// What an error of a call says, without judging it: no connection in time, a broken connection, or the proxy's fault.
import type { Outcome } from './outcome'
import { ProxyError } from './proxy-error'

export function networkOutcome(error: Error): Outcome {
  if (error instanceof ProxyError) return { kind: 'network', code: error.code, proxy: error.proxy }
  const code = (error as NodeJS.ErrnoException).code ?? error.name
  if (code === 'UND_ERR_CONNECT_TIMEOUT') return { kind: 'timeout', phase: 'connect' }
  const cause = (error.cause as NodeJS.ErrnoException | undefined)?.code
  return { kind: 'network', code: cause ?? code }
}
