// A real request through the gateway's own port, as any tool would send it; what arrives is passed on piece by piece.
import { request } from 'node:http'
import { createParser } from 'eventsource-parser'
import type { PushData } from '../contract/events'
import type { Dialect } from '../contract/kinds'
import type { OperationInput } from '../contract/operations'
import { excerpt } from '../resilience/verdict/excerpt'

/** Two shapes suffice: the gateway itself translates for upstreams that speak another. */
const pathFor = (dialect: Dialect): string => (dialect === 'anthropic' ? '/v1/messages' : '/v1/chat/completions')

export interface TryTarget {
  readonly port: number
  readonly key: string
}

type Chunk = PushData<'try:chunk'>

export function sendTry(
  tryId: string,
  { model, prompt, dialect }: OperationInput<'try:send'>,
  { port, key }: TryTarget,
  push: (chunk: Chunk) => void,
): void {
  let requestId: string | null = null
  let failure: string | null = null
  let finished = false
  const finish = (error: string | null): void => {
    if (finished) return
    finished = true
    push({ tryId, text: '', done: true, error, requestId })
  }
  const parser = createParser({
    onEvent: ({ data }) => {
      const { text, error } = readEvent(data)
      if (error !== null) failure = error
      if (text !== '') push({ tryId, text, done: false, error: null, requestId })
    },
  })
  const body = JSON.stringify({ model, stream: true, max_tokens: 1024, messages: [{ role: 'user', content: prompt }] })
  const sent = request(
    {
      host: '127.0.0.1',
      port,
      path: pathFor(dialect),
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        'user-agent': 'breakwater-window',
      },
    },
    (response) => {
      requestId = String(response.headers['x-request-id'] ?? '') || null
      response.setEncoding('utf8')
      if (response.statusCode !== 200) {
        let text = ''
        response.on('data', (part: string) => {
          text += part
        })
        response.on('end', () => finish(`${response.statusCode}: ${excerpt(text)}`))
        return
      }
      response.on('data', (part: string) => parser.feed(part))
      response.on('end', () => finish(failure))
      response.on('error', () => finish(failure ?? 'The connection broke.'))
    },
  )
  sent.on('error', (error) => finish(`The gateway could not be reached: ${error.message}`))
  sent.end(body)
}

interface Event {
  error?: { message?: string }
  choices?: { delta?: { content?: string | null } }[]
  delta?: { text?: string }
}

function readEvent(data: string): { text: string; error: string | null } {
  if (data === '[DONE]') return { text: '', error: null }
  try {
    const event = JSON.parse(data) as Event
    const text = event.choices?.[0]?.delta?.content ?? event.delta?.text ?? ''
    return { text, error: event.error?.message ?? null }
  } catch {
    return { text: '', error: null }
  }
}
