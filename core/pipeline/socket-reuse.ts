// Whether a request went out on a socket that had carried one before. An upstream may close an idle socket in the
// moment it is used again (nodejs/undici #3492): then nothing was processed, and one more try is safe. undici tells
// the socket only through its diagnostics channel, synchronously after `onRequestStart`.
import { subscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'

const seen = new WeakSet<Socket>()
let asking: ((reused: boolean) => void) | null = null

subscribe('undici:client:sendHeaders', (message) => {
  const { socket } = message as { socket: Socket }
  const reused = seen.has(socket)
  seen.add(socket)
  asking?.(reused)
  asking = null
})

/** To be called from `onRequestStart`: `answer` is called before any byte can come back. */
export function askForReuse(answer: (reused: boolean) => void): void {
  asking = answer
}

const CLOSED_UNDER_US = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'])

export const isClosedSocket = (code: string): boolean => CLOSED_UNDER_US.has(code)
