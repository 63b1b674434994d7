// A provider that does what a test tells it to, in a process of its own.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import type { FromChild, Script, SeenRequest, ToChild } from './fake-script'

export interface FakeUpstream {
  /** "http://127.0.0.1:4242" */
  readonly origin: string
  /** "http://127.0.0.1:4242/v1" */
  readonly baseUrl: string
  /**
   * Scripts for a key ("*": any) and a model. Of several each answers one request, the last one all others. What is
   * not scripted is answered as a well-behaved provider would, in each dialect: "Hello from <key>". A model called
   * "strict-<scenario>.<anything>" checks the request as the real API would and plays its scenario (scenarios.ts).
   */
  answer(key: string, model: string, ...scripts: Script[]): Promise<void>
  /** Opens a gate that scripts wait for, once and for all. */
  open(gate: string): void
  /** All requests for a model that have arrived so far. */
  seen(model: string): Promise<SeenRequest[]>
  /** The next request for a model, or the one that is already there. */
  arrival(model: string): Promise<SeenRequest>
  /** Why strict models refused requests as wrong in form, each with its model's name in front. */
  refusals(): Promise<string[]>
  /** How the answer to a request ended. */
  closed(id: number): Promise<{ readonly aborted: boolean; readonly sent: number }>
  /** Resolves when the request's flood cannot write any more; the bytes it had written by then. */
  stalled(id: number): Promise<number>
  stop(): Promise<void>
}

export async function startFakeUpstream(): Promise<FakeUpstream> {
  const child = fork(resolve(import.meta.dirname, 'fake-upstream-child.ts'), {
    serialization: 'advanced',
    execArgv: ['--disable-warning=ExperimentalWarning'],
  })
  const mail = new Mail(child)
  const { port } = await mail.next('listening', () => true)
  let syncs = 0
  const sync = async (): Promise<void> => {
    const id = ++syncs
    mail.send({ kind: 'sync', id })
    await mail.next('synced', (message) => message.id === id)
  }
  return {
    origin: `http://127.0.0.1:${port}`,
    baseUrl: `http://127.0.0.1:${port}/v1`,
    async answer(key, model, ...scripts) {
      mail.send({ kind: 'answer', key, model, scripts })
      await sync()
    },
    open: (gate) => mail.send({ kind: 'open', gate }),
    async seen(model) {
      await sync()
      return mail.all('arrived').flatMap(({ request }) => (request.model === model ? [request] : []))
    },
    async arrival(model) {
      return (await mail.next('arrived', ({ request }) => request.model === model)).request
    },
    async refusals() {
      await sync()
      return mail.all('refused').map(({ model, why }) => `${model}: ${why}`)
    },
    closed: (id) => mail.next('closed', (message) => message.id === id),
    async stalled(id) {
      return (await mail.next('stalled', (message) => message.id === id)).sent
    },
    async stop() {
      if (child.exitCode !== null) return
      const ended = once(child, 'exit')
      child.disconnect()
      await ended
    },
  }
}

type Kind = FromChild['kind']
type Message<K extends Kind> = Extract<FromChild, { kind: K }>

/** Everything the child has said, and who waits for more. */
class Mail {
  private readonly messages: FromChild[] = []
  private readonly waiting = new Set<(message: FromChild) => void>()

  constructor(private readonly child: ChildProcess) {
    child.on('message', (message) => {
      this.messages.push(message as FromChild)
      for (const look of this.waiting) look(message as FromChild)
    })
  }

  send(message: ToChild): void {
    this.child.send(message)
  }

  all<K extends Kind>(kind: K): Message<K>[] {
    return this.messages.filter((message): message is Message<K> => message.kind === kind)
  }

  next<K extends Kind>(kind: K, wanted: (message: Message<K>) => boolean): Promise<Message<K>> {
    const known = this.all(kind).find(wanted)
    if (known !== undefined) return Promise.resolve(known)
    return new Promise((done) => {
      const look = (message: FromChild): void => {
        if (message.kind !== kind || !wanted(message as Message<K>)) return
        this.waiting.delete(look)
        done(message as Message<K>)
      }
      this.waiting.add(look)
    })
  }
}
