import { describe, expect, it } from 'vitest'
import type { ConnectionView, ProviderView } from '../../core/contract/views'
import { PRACTICE_MODELS as CORE_MODELS } from '../../core/practice/practice-models'
import { messageAtField } from '../../renderer/app/error-words'
import { sentence } from '../../renderer/app/sentence'
import {
  CUSTOM,
  checkDraft,
  draftOf,
  emptyDraft,
  freeName,
  planTest,
  toAdd,
  toUpdate,
} from '../../renderer/features/connections/draft'
import { PRACTICE_MODELS } from '../../renderer/features/connections/practice-models'
import { withConnection, withoutConnection } from '../../renderer/features/connections/provider-list'

const provider: ProviderView = {
  id: 'openai',
  aliases: [],
  label: 'OpenAI',
  class: 'apikey',
  group: 'lab',
  dialect: 'openai-chat',
  dialects: ['openai-chat'],
  baseUrl: 'https://api.openai.com/v1',
  options: [],
  modelsListable: true,
  freeTier: null,
  note: null,
  source: { url: '', tried: false },
  builtIn: true,
  needsKey: true,
  keyHint: 'sk-…',
  docsUrl: null,
  signIn: null,
  state: 'healthy',
  why: '',
  connections: [],
}
const connection: ConnectionView = {
  id: 'c1',
  provider: 'openai',
  name: 'work',
  baseUrl: null,
  options: {},
  keyMask: 'sk-…4f2a',
  priority: 1,
  enabled: true,
  state: 'healthy',
  why: '',
  locked: false,
  login: null,
  lastUsedAt: null,
  inFlight: 0,
  createdAt: 0,
}
const adding = { provider, editing: null }
const editing = { provider, editing: connection }

describe('a new connection', () => {
  it('takes a free name', () => {
    expect(freeName('main', [])).toBe('main')
    expect(freeName('main', ['main', 'main 2'])).toBe('main 3')
  })
  it('needs the key its provider needs', () => {
    expect(checkDraft(emptyDraft('openai'), adding)).toEqual({ apiKey: 'OpenAI needs a key.' })
    expect(checkDraft({ ...emptyDraft('openai'), apiKey: 'sk-1' }, adding)).toEqual({})
    expect(checkDraft(emptyDraft('ollama'), { provider: { ...provider, needsKey: false }, editing: null })).toEqual({})
  })
  it('names each field that cannot be used', () => {
    const draft = { ...emptyDraft(CUSTOM.anthropic), name: ' ', baseUrl: 'ftp://x', priority: '1001' }
    expect(Object.keys(checkDraft(draft, { provider: null, editing: null })).sort()).toEqual([
      'baseUrl',
      'label',
      'name',
      'priority',
    ])
  })
  it('sends only what was filled in', () => {
    expect(toAdd({ ...emptyDraft('openai'), apiKey: ' sk-1 ' }, 'openai')).toEqual({
      provider: 'openai',
      name: 'main',
      apiKey: 'sk-1',
    })
    const custom = { ...emptyDraft(CUSTOM.anthropic), baseUrl: 'https://x.example', priority: '0' }
    expect(toAdd(custom, 'mine')).toEqual({ provider: 'mine', name: 'main', priority: 0 })
  })
})

describe('a change to a connection', () => {
  it('is nothing while nothing differs', () => expect(toUpdate(draftOf(connection), connection)).toBeNull())
  it('holds what differs, and null for an address that was emptied', () => {
    const own = { ...connection, baseUrl: 'https://own.example' }
    expect(toUpdate({ ...draftOf(own), baseUrl: ' ', name: 'home' }, own)).toEqual({
      id: 'c1',
      name: 'home',
      baseUrl: null,
    })
  })
  it('never sends an empty key', () =>
    expect(toUpdate({ ...draftOf(connection), apiKey: '  ' }, connection)).toBeNull())
})

describe('a live test', () => {
  it('uses the saved connection while key and address are as saved', () =>
    expect(planTest(draftOf(connection), editing)).toEqual({ kind: 'test', input: { id: 'c1' } }))
  it('uses what is typed', () =>
    expect(planTest({ ...draftOf(connection), apiKey: 'sk-2' }, editing)).toEqual({
      kind: 'test',
      input: { provider: 'openai', apiKey: 'sk-2' },
    }))
  it('does not send a stored key to an address that is not saved', () =>
    expect(planTest({ ...draftOf(connection), baseUrl: 'https://else.example' }, editing).kind).toBe('save-first'))
  it('waits for a key, and for a custom endpoint to exist', () => {
    expect(planTest(emptyDraft('openai'), adding).kind).toBe('save-first')
    expect(planTest(emptyDraft(CUSTOM.anthropic), { provider: null, editing: null }).kind).toBe('save-first')
  })
})

describe('the list of providers', () => {
  it('takes a connection in, in the order they are tried, and out again', () => {
    const one = withConnection([provider], { ...connection, id: 'b', priority: 2 })
    const two = withConnection(one, connection)
    expect(two[0]?.connections.map(({ id }) => id)).toEqual(['c1', 'b'])
    expect(withoutConnection(two, 'c1')[0]?.connections.map(({ id }) => id)).toEqual(['b'])
  })
})

it('places a refusal next to its field without repeating the name of it', () => {
  expect(messageAtField({ code: 'bad_input', field: 'name', message: 'name: is taken' })).toBe('Is taken.')
  expect(messageAtField({ code: 'bad_input', field: null, message: 'It is full.' })).toBe('It is full.')
})

it('says a sentence whole, and leaves a name before a colon alone', () => {
  expect(sentence('switched off')).toBe('Switched off.')
  expect(sentence('work: The key was refused.')).toBe('work: The key was refused.')
  expect(sentence('  ')).toBe('')
})

it('explains the practice models that the core has, in its order', () => {
  expect(PRACTICE_MODELS.map(({ id }) => id)).toEqual(CORE_MODELS.map(({ id }) => id))
})
