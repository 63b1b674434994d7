// A whole answer of the gateway's own, as JSON.
import type { Call } from './router'

/** @param value a text is JSON already */
export function sendJson({ response, echoedId }: Call, value: object | string): void {
  const bytes = Buffer.from(typeof value === 'string' ? value : JSON.stringify(value))
  const headers = ['content-type', 'application/json', 'content-length', String(bytes.length)]
  response.writeHead(200, [...headers, 'x-request-id', echoedId])
  response.end(bytes)
}
