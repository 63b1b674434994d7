import { describe, expect, it } from 'vitest'
import type { GatewayStatus, ProviderView } from '../../core/contract/views'
import { sameModel, trayModel } from '../../electron/tray-model'
import { aConnection, aProvider, aStatus } from './samples'

const NOW = new Date(2026, 10, 30, 13, 50).getTime()
const model = (status: GatewayStatus, providers: readonly ProviderView[] = []) => trayModel(status, providers, NOW)
const labels = (status: GatewayStatus, providers: readonly ProviderView[] = []): string[] =>
  model(status, providers).items.flatMap((item) => (item.kind === 'separator' ? [] : [item.label]))

describe('the tray’s model', () => {
  it('names state, address and ways on', () => {
    expect(model(aStatus())).toMatchObject({ icon: 'healthy', tooltip: 'Breakwater: Healthy' })
    expect(labels(aStatus())).toEqual([
      'Breakwater: Healthy',
      'Copy address http://127.0.0.1:4517',
      'Pause gateway',
      'Open Breakwater',
      'Quit',
    ])
  })

  it('says why, in tooltip and menu, and shortens what is too long', () => {
    const status = aStatus({ overall: 'strained', overallWhy: `OpenAI: ${'a long reason '.repeat(20)}` })
    const { icon, tooltip } = model(status)
    expect(icon).toBe('strained')
    expect(tooltip).toMatch(/^Breakwater: Strained\. OpenAI: a long reason.*…$/)
    expect(Math.max(...labels(status).map((label) => label.length))).toBeLessThanOrEqual(90)
  })

  it('offers resuming while paused, with what the click will do', () => {
    const { items } = model(aStatus({ overall: 'paused', paused: true }))
    expect(items).toContainEqual({
      kind: 'action',
      label: 'Resume gateway',
      action: { kind: 'pause', paused: false },
    })
  })

  it('has no address to copy while nothing listens, and no pause while there is nowhere to store it', () => {
    const busy = aStatus({
      listener: { kind: 'port-in-use', port: 4517, holder: 'other', freePort: 4518 },
      overall: 'down',
    })
    expect(labels(busy).some((label) => label.startsWith('Copy'))).toBe(false)
    expect(labels(busy)).toContain('Pause gateway')
    const refused = aStatus({
      listener: { kind: 'database-refused', file: 'breakwater.db', message: 'newer', wayOut: 'update' },
      overall: 'down',
    })
    expect(labels(refused)).not.toContain('Pause gateway')
    expect(labels(refused)).toContain('Quit')
  })

  it('lists providers that have connections, in words; practice only while alone', () => {
    const openai = aProvider({ id: 'openai', label: 'OpenAI', state: 'needs-you', connections: [aConnection()] })
    const practice = aProvider({ id: 'practice', label: 'Practice', connections: [aConnection()] })
    const unused = aProvider({ id: 'ollama', label: 'Ollama', state: 'off' })
    expect(labels(aStatus(), [openai, practice, unused])).toContain('OpenAI: Needs you')
    expect(labels(aStatus(), [openai, practice, unused]).join()).not.toMatch(/Practice|Ollama/)
    expect(labels(aStatus(), [practice, unused])).toContain('Practice: Healthy')
  })

  it('says until when a provider rests: to the second within the hour, by the day beyond it', () => {
    const resting = (until: number | null) =>
      aProvider({ id: 'groq', label: 'Groq', state: 'resting', until, connections: [aConnection()] })
    const words = (until: number | null) =>
      labels(aStatus(), [resting(until)]).find((label) => label.startsWith('Groq'))
    expect(words(new Date(2026, 10, 30, 14, 5, 12).getTime())).toBe('Groq rests until 14:05:12')
    expect(words(new Date(2026, 10, 30, 18, 0, 1).getTime())).toBe('Groq rests until 18:01')
    expect(words(new Date(2026, 11, 1).getTime())).toBe('Groq rests until 1 Dec, 00:00')
    expect(words(null)).toBe('Groq: Resting')
  })

  it('opens health for what is not well, and connections for the rest', () => {
    const items = (state: ProviderView['state']) =>
      model(aStatus(), [aProvider({ id: 'p', label: 'P', state, connections: [aConnection()] })]).items
    const opens = (page: string) => ({ action: { kind: 'open', page } })
    for (const state of ['strained', 'resting', 'needs-you'] as const)
      expect(items(state)).toContainEqual(expect.objectContaining(opens('health')))
    expect(items('healthy')).toContainEqual(expect.objectContaining(opens('connections')))
  })

  it('ends a long list with how many are left', () => {
    const many = Array.from({ length: 20 }, (_, n) =>
      aProvider({ id: `p${n}`, label: `P${n}`, connections: [aConnection()] }),
    )
    expect(labels(aStatus(), many)).toContain('5 more')
  })

  it('is the same for figures that it does not show', () => {
    expect(sameModel(model(aStatus({ running: 1 })), model(aStatus({ running: 7 })))).toBe(true)
    expect(sameModel(null, model(aStatus()))).toBe(false)
  })
})
