import { describe, expect, it } from 'vitest'
import { ALL_PUSHES, CALLS, type CallName } from '../../core/contract/ipc'
import { CALL_NAMES, PUSH_NAMES } from '../../core/contract/ipc-names'
import { badInput, GatewayError } from '../../core/errors'
import { type Asking, isTrusted, originOf, registerCalls, type SenderRule } from '../../electron/ipc'
import { answerCall, type CallHandlers } from '../../electron/ipc-answer'
import { createPreloadApi } from '../../electron/preload-api'
import { keptLog } from './samples'

const handlersWith = (part: Partial<Record<CallName, (input: never) => Promise<unknown>>>): CallHandlers =>
  ({ ...Object.fromEntries(Object.keys(CALLS).map((name) => [name, async () => null])), ...part }) as CallHandlers

const deps = (part: Parameters<typeof handlersWith>[0] = {}) => ({
  handlers: handlersWith(part),
  log: keptLog(),
  redact: (text: string) => text.replaceAll('sk-secret', '•••'),
  checkOutput: true,
})

describe('the names of contract, main process and preload', () => {
  it('are the same', () => {
    const channels: string[] = []
    registerCalls({
      ...deps(),
      ipcMain: { handle: (channel: string) => void channels.push(channel) } as never,
      senders: { windowId: () => 1, origin: 'app://breakwater' },
    })
    const calls = Object.keys(CALLS).sort()
    expect(channels.map((channel) => channel.replace(/^call:/, '')).sort()).toEqual(calls)
    expect([...CALL_NAMES].sort()).toEqual(calls)
    expect([...PUSH_NAMES].sort()).toEqual(Object.keys(ALL_PUSHES).sort())
  })
})

describe('who is heard', () => {
  const rule: SenderRule = { windowId: () => 7, origin: 'app://breakwater' }
  const asking = (part: Partial<Asking['senderFrame']> | null, id = 7): Asking => ({
    sender: { id },
    senderFrame: part === null ? null : { url: 'app://breakwater/index.html', parent: null, ...part },
  })
  it.each([
    ['our page', asking({}), true],
    ['our page with a hash', asking({ url: 'app://breakwater/index.html#log' }), true],
    ['a frame that has gone', asking(null), false],
    ['a frame inside the page', asking({ parent: {} }), false],
    ['another window', asking({}, 8), false],
    ['another host', asking({ url: 'app://breakwater.evil/index.html' }), false],
    ['another scheme', asking({ url: 'https://breakwater/' }), false],
    ['a file', asking({ url: 'file:///app/index.html' }), false],
    ['an empty document', asking({ url: 'about:blank' }), false],
  ])('%s: %#', (_who, event, heard) => {
    expect(isTrusted(event, rule)).toBe(heard)
  })

  it('nobody is, while there is no window', () => {
    expect(isTrusted(asking({}), { ...rule, windowId: () => null })).toBe(false)
  })

  it('takes the origin of schemes that Node does not know', () => {
    expect(originOf('app://breakwater/a/b?c#d')).toBe('app://breakwater')
    expect(originOf('http://127.0.0.1:5199/x')).toBe('http://127.0.0.1:5199')
    expect(originOf('nonsense')).toBeNull()
  })

  it('a refused call is answered as data, and its handler does not run', async () => {
    let ran = false
    const registered = new Map<string, (event: unknown, raw: unknown) => Promise<unknown>>()
    const all = deps({
      'app:quit': async () => {
        ran = true
        return null
      },
    })
    registerCalls({
      ...all,
      ipcMain: { handle: (channel: string, run: never) => void registered.set(channel, run) } as never,
      senders: rule,
    })
    const answer = await registered.get('call:app:quit')?.(asking({ url: 'https://example.com/' }), undefined)
    expect(answer).toMatchObject({ ok: false, error: { code: 'forbidden' } })
    expect(ran).toBe(false)
    expect(all.log.lines.join()).toContain('https://example.com/')
  })
})

describe('an answer', () => {
  it('carries the value', async () => {
    expect(await answerCall('app:open-data-folder', undefined, deps())).toEqual({ ok: true, value: null })
  })

  it('names the field of bad input, and does not run', async () => {
    const answer = await answerCall('gateway:pause', { paused: 'yes' }, deps())
    expect(answer).toMatchObject({ ok: false, error: { code: 'bad_input', field: 'paused' } })
  })

  it.each([[null], [42], ['text'], [[]], [{ __proto__: null }]])(
    'refuses %j where an object is expected',
    async (raw) => {
      expect(await answerCall('gateway:pause', raw, deps())).toMatchObject({ ok: false, error: { code: 'bad_input' } })
    },
  )

  it('maps a known error to its code, sentence and field, without secrets', async () => {
    const refused = deps({
      'gateway:pause': async () => {
        throw badInput('apiKey', 'sk-secret is not valid')
      },
    })
    expect(await answerCall('gateway:pause', { paused: true }, refused)).toEqual({
      ok: false,
      error: { code: 'bad_input', message: 'apiKey: ••• is not valid', field: 'apiKey' },
    })
    const plain = deps({
      'gateway:pause': async () => {
        throw new GatewayError('not_ready', 503, 'Not yet.')
      },
    })
    expect(await answerCall('gateway:pause', { paused: true }, plain)).toMatchObject({
      error: { code: 'not_ready', field: null },
    })
  })

  it('keeps an unknown error to the log', async () => {
    const broken = deps({
      'gateway:pause': async () => {
        throw new TypeError('cannot read sk-private of undefined')
      },
    })
    const answer = await answerCall('gateway:pause', { paused: true }, broken)
    expect(answer).toMatchObject({ ok: false, error: { code: 'internal' } })
    expect(JSON.stringify(answer)).not.toContain('sk-private')
    expect(broken.log.lines.join()).toContain('cannot read')
  })

  it('is checked during development', async () => {
    const wrong = deps({ 'app:surroundings': async () => ({ trayVisible: 'maybe' }) })
    expect(await answerCall('app:surroundings', undefined, wrong)).toMatchObject({ error: { code: 'internal' } })
  })
})

describe('the preload’s api', () => {
  const channel = () => {
    const listeners = new Map<string, (event: unknown, data: unknown) => void>()
    const invoked: unknown[][] = []
    return {
      listeners,
      invoked,
      invoke: async (...given: unknown[]) => {
        invoked.push(given)
        return { ok: true, value: null }
      },
      on: (name: string, listener: (event: unknown, data: unknown) => void) => void listeners.set(name, listener),
      removeListener: (name: string) => void listeners.delete(name),
    }
  }

  it('lets only known calls through, with one argument', async () => {
    const wire = channel()
    const api = createPreloadApi(wire) as unknown as { call(...given: unknown[]): Promise<unknown> }
    await api.call('gateway:pause', { paused: true }, 'more')
    expect(wire.invoked).toEqual([['call:gateway:pause', { paused: true }]])
    expect(await api.call('fs:read', '/etc/passwd')).toMatchObject({ ok: false, error: { code: 'unknown_call' } })
    expect(await api.call('constructor')).toMatchObject({ ok: false })
    expect(wire.invoked).toHaveLength(1)
  })

  it('hands out data without the event, and stops when told to', () => {
    const wire = channel()
    const api = createPreloadApi(wire)
    const heard: unknown[][] = []
    const stop = api.on('window:navigate', (...given: unknown[]) => heard.push(given))
    wire.listeners.get('push:window:navigate')?.({ sender: 'ipcRenderer' }, { page: 'log' })
    expect(heard).toEqual([[{ page: 'log' }]])
    stop()
    expect(wire.listeners.size).toBe(0)
  })

  it('is frozen, and knows no other push', () => {
    const api = createPreloadApi(channel())
    expect(Object.isFrozen(api)).toBe(true)
    expect(() => (api.on as (name: string, listener: () => void) => void)('other', () => {})).toThrow('no push')
  })
})
