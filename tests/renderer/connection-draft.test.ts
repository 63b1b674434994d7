import { describe, expect, it } from 'vitest'
import { DIALECTS } from '../../core/contract/kinds'
import { PRACTICE_MODELS as CORE_MODELS } from '../../core/practice/practice-models'
import { messageAtField } from '../../renderer/app/error-words'
import { sentence } from '../../renderer/app/sentence'
import {
  checkDraft,
  customDialect,
  customOf,
  draftOf,
  emptyDraft,
  freeName,
  planTest,
  toAdd,
  toUpdate,
} from '../../renderer/features/connections/draft'
import { formFields, placeError } from '../../renderer/features/connections/place-error'
import { PRACTICE_MODELS } from '../../renderer/features/connections/practice-models'
import { withConnection, withoutConnection } from '../../renderer/features/connections/provider-list'
import { aConnection, aProvider } from '../electron/samples'

const provider = aProvider({ docsUrl: null })
const connection = aConnection()
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
    const draft = { ...emptyDraft(customOf('anthropic')), name: ' ', baseUrl: 'ftp://x', priority: '1001' }
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
    const custom = { ...emptyDraft(customOf('anthropic')), baseUrl: 'https://x.example', priority: '0' }
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
  it('waits for a key', () => expect(planTest(emptyDraft('openai'), adding).kind).toBe('save-first'))
  it('tries an endpoint in its format before it is added, once its address is there', () => {
    const draft = emptyDraft(customOf('gemini'))
    expect(planTest(draft, { provider: null, editing: null }).kind).toBe('save-first')
    const filled = { ...draft, baseUrl: ' http://box:1 ', apiKey: 'k' }
    expect(planTest(filled, { provider: null, editing: null })).toEqual({
      kind: 'test',
      input: { dialect: 'gemini', baseUrl: 'http://box:1', apiKey: 'k' },
    })
  })
})

describe('a provider whose address needs more than a key', () => {
  const resource = { key: 'resource', label: 'Resource name', help: 'Yours.', default: null, required: true }
  const version = { key: 'apiVersion', label: 'API version', help: 'A date.', default: '2024-10-21', required: false }
  const azure = { ...provider, id: 'azure', options: [resource, version] }
  const situation = { provider: azure, editing: null }
  const draft = { ...emptyDraft('azure'), apiKey: 'k' }

  it('asks for what has no usual value, unless the address is one of your own', () => {
    expect(checkDraft(draft, situation)).toEqual({ 'options.resource': 'Enter the resource name.' })
    expect(checkDraft({ ...draft, options: { resource: 'mine' } }, situation)).toEqual({})
    expect(checkDraft({ ...draft, baseUrl: 'https://x.example' }, situation)).toEqual({})
    expect(planTest(draft, situation)).toEqual({ kind: 'save-first', why: 'Enter the resource name to test it.' })
  })
  it('sends those that were filled in, and all of them when one changes', () => {
    const filled = { ...draft, options: { resource: ' mine ', apiVersion: '' } }
    expect(toAdd(filled, 'azure')).toMatchObject({ options: { resource: 'mine' } })
    expect(planTest(filled, situation)).toMatchObject({ input: { provider: 'azure', options: { resource: 'mine' } } })
    const saved = { ...connection, options: { resource: 'mine', apiVersion: 'x' } }
    expect(toUpdate(draftOf(saved), saved)).toBeNull()
    const changed = { ...draftOf(saved), options: { resource: 'mine', apiVersion: '' } }
    expect(toUpdate(changed, saved)).toEqual({ id: 'c1', options: { resource: 'mine' } })
    expect(planTest(changed, { provider: azure, editing: saved }).kind).toBe('save-first')
  })
  it('shows a refusal at the option it is about', () => {
    const error = { code: 'bad_input', field: 'options.resource', message: 'options.resource: does not look like one.' }
    expect(placeError(error, formFields(azure))).toEqual({
      errors: { 'options.resource': 'Does not look like one.' },
      general: null,
    })
    expect(placeError({ ...error, field: 'provider' }, formFields(azure)).general).toContain('does not look')
  })
})

it('has an endpoint of one’s own in each of the four formats', () => {
  expect(DIALECTS.map((dialect) => customDialect(customOf(dialect)))).toEqual([...DIALECTS])
  expect(customDialect('openai')).toBeNull()
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
