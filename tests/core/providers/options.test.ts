import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { GatewayError } from '../../../core/errors'
import { CATALOGUE } from '../../../core/providers/catalogue'
import { checkOptions, fillOptions, optionTrouble } from '../../../core/providers/options'
import { type ProviderOption, type ProviderRow, providerRow } from '../../../core/providers/provider-row'
import { sampleOptions } from './sample-options'

const azure = CATALOGUE.find(({ id }) => id === 'azure-deployments') as ProviderRow

function refusal(row: ProviderRow, given: Record<string, string>): GatewayError {
  try {
    checkOptions(row, given)
  } catch (error) {
    if (error instanceof GatewayError) return error
    throw error
  }
  throw new Error('they were taken')
}

describe('options', () => {
  it('are kept without spaces around them, and not at all when empty', () => {
    expect(checkOptions(azure, { resource: ' my-models \n', apiVersion: ' ' })).toEqual({ resource: 'my-models' })
  })

  it.each([
    [{ resource: 'a.b' }, 'options.resource', 'does not look like one'],
    [{ resource: 'https://my-models.openai.azure.com' }, 'options.resource', 'The first part of'],
    [{ resource: 'a', apiVersion: 'latest' }, 'options.apiVersion', 'A date'],
    [{ Resource: 'a' }, 'options.Resource', 'takes these options: resource, apiVersion'],
    [JSON.parse('{"__proto__":"x"}'), 'options.__proto__', 'takes these options'],
  ])('like %j are refused by name', (given, field, words) => {
    const error = refusal(azure, given as Record<string, string>)
    expect(error.details.field).toBe(field)
    expect(error.message).toContain(words)
  })

  it('of a provider that has none are refused', () => {
    const plain = providerRow({ id: 'a', label: 'Plain', endpoints: {} })
    expect(refusal(plain, { region: 'x' }).message).toBe('options.region: Plain takes no options.')
  })

  it('that are missing or no longer valid are told in words; a default is not missing', () => {
    const texts = [azure.endpoints['openai-chat'] ?? '', azure.query]
    expect(optionTrouble(azure, texts, {})?.why).toBe('its resource name is not given (options.resource)')
    expect(optionTrouble(azure, texts, { resource: 'a/b' })?.why).toContain('not valid')
    expect(optionTrouble(azure, texts, { resource: 'a', apiVersion: '1' })?.why).toBe(
      'its API version is not valid (options.apiVersion)',
    )
    expect(optionTrouble(azure, texts, { resource: 'a' })).toBeNull()
    expect(fillOptions(azure, azure.query, {})).toBe('api-version=2024-10-21')
  })

  it('must fit as a whole, even where a pattern would be content with a part', () => {
    const option = { key: 'a', label: 'A', help: '', default: null, pattern: /[a-z]+/ }
    const loose = providerRow({ id: 'a', label: 'A', endpoints: {}, options: [option] })
    expect(checkOptions(loose, { a: 'abc' })).toEqual({ a: 'abc' })
    expect(refusal(loose, { a: 'abc/1' }).details.field).toBe('options.a')
  })

  it('leave the model’s place open', () => {
    expect(fillOptions(azure, '/deployments/{model}/x', { resource: 'a' })).toBe('/deployments/{model}/x')
  })
})

const places = CATALOGUE.flatMap((row) =>
  row.options.flatMap((option) =>
    [...new Set(Object.values(row.endpoints))]
      .filter((base) => base.includes(`{${option.key}}`))
      .map((base): [string, ProviderRow, ProviderOption, string] => [`${row.id} ${base}`, row, option, base]),
  ),
)

/** Everything a person may paste, and everything that means something in an address. */
const anything = (option: ProviderOption): fc.Arbitrary<string> =>
  fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: fc.constantFrom('/', '\\', '?', '#', '@', ':', '%', '.', '..', '2f', '&', '=', ' ', 'a', '-') }),
    fc.stringMatching(option.pattern),
  )

describe('a value', () => {
  it.each(places)('cannot leave its place in %s', (_name, row, option, base) => {
    fc.assert(
      fc.property(anything(option), (raw) => {
        let kept: Record<string, string>
        try {
          kept = checkOptions(row, { ...sampleOptions(row), [option.key]: raw })
        } catch (error) {
          expect((error as GatewayError).details.field).toBe(`options.${option.key}`)
          return
        }
        if (kept[option.key] === undefined && option.default === null) return
        const url = new URL(fillOptions(row, base, kept))
        const wanted = new URL(fillOptions(row, base.replaceAll(`{${option.key}}`, 'xyzzy'), kept))
        const value = kept[option.key] ?? option.default ?? ''
        expect(url.host).toBe(wanted.host.replaceAll('xyzzy', value.toLowerCase()))
        expect(url.pathname).toBe(wanted.pathname.replaceAll('xyzzy', encodeURIComponent(value)))
        expect([url.username, url.password, url.search, url.hash]).toEqual(['', '', '', ''])
      }),
    )
  })

  it('cannot leave its place in the query', () => {
    const [, option] = azure.options
    fc.assert(
      fc.property(anything(option as ProviderOption), (raw) => {
        let kept: Record<string, string>
        try {
          kept = checkOptions(azure, { resource: 'a', apiVersion: raw })
        } catch {
          return
        }
        const query = new URLSearchParams(fillOptions(azure, azure.query, kept))
        expect([...query]).toEqual([['api-version', kept.apiVersion ?? '2024-10-21']])
      }),
    )
  })

  it('of a free pattern is percent-encoded, whatever it is', () => {
    const free = providerRow({
      id: 'free',
      label: 'Free',
      endpoints: { 'openai-chat': 'https://a.example/x/{what}/v1' },
      options: [{ key: 'what', label: 'What', help: '', default: null, pattern: /^[^.\s](.*[^.\s])?$/s }],
    })
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (raw) => {
        let kept: Record<string, string>
        try {
          kept = checkOptions(free, { what: raw })
        } catch {
          return
        }
        if (kept.what === undefined) return
        const url = new URL(fillOptions(free, 'https://a.example/x/{what}/v1', kept))
        expect(url.pathname.split('/').map(decodeURIComponent)).toEqual(['', 'x', kept.what, 'v1'])
        expect(url.host + url.search + url.hash).toBe('a.example')
      }),
    )
  })
})
