import { describe, expect, it } from 'vitest'
import { exportAliases, type FileAlias, importAliases } from '../../../core/management/config-aliases'
import { parseConfigFile } from '../../../core/management/config-file'
import { openModelAliasesTable } from '../../../core/store/model-aliases-table'
import { memoryDatabase } from '../../support/memory-databases'

const KEYS = [{ id: 'key_1', name: 'main' }]

function openAliases() {
  const database = memoryDatabase('config')
  database.exec("INSERT INTO client_keys VALUES ('key_1', 'main', x'01', 'm', '', 1, NULL)")
  const aliases = openModelAliasesTable(database)
  return { aliases, take: (given: readonly FileAlias[]) => importAliases(given, { aliases, keys: KEYS, now: 5 }) }
}

const FILE: readonly FileAlias[] = [
  { name: 'claude-*', target: 'openai/gpt-5' },
  { name: 'fast', target: 'openai/gpt-5-mini' },
  { name: 'fast', target: 'ollama/small', clientKey: 'main' },
]

describe('names for models in the configuration file', () => {
  it('come out as they went in, and go in again without doubling', () => {
    const { aliases, take } = openAliases()
    take(FILE)
    expect(exportAliases(aliases, KEYS)).toEqual(FILE)
    take(FILE.map((each) => ({ ...each, target: 'openai/other' })))
    expect(exportAliases(aliases, KEYS).map(({ target }) => target)).toEqual(Array(3).fill('openai/other'))
  })

  it.each<[string, readonly FileAlias[], string]>([
    ['a key there is not', [{ name: 'a', target: 'b/c', clientKey: 'x' }], 'modelAliases[0].clientKey: there is no'],
    [
      'the same twice',
      [
        { name: 'a', target: 'b/c' },
        { name: 'a', target: 'b/d' },
      ],
      'modelAliases[1].name: two names',
    ],
    [
      'a circle',
      [
        { name: 'a', target: 'b' },
        { name: 'b', target: 'a' },
      ],
      'modelAliases[1].target: The names',
    ],
    ['a target with a star', [{ name: 'a', target: 'b/*' }], 'modelAliases[0].target: must be one model'],
  ])('with %s are refused by path', (_what, given, words) => {
    expect(() => openAliases().take(given)).toThrow(words)
    expect(() => openAliases().take(given)).toThrow('Nothing was taken over.')
  })

  it.each<[object, string]>([
    [{ name: '', target: 'a/b' }, 'modelAliases[0].name: must not be empty'],
    [{ name: 'a' }, 'modelAliases[0].target: '],
    [{ name: 'a', target: 'b/c', key: 'x' }, 'modelAliases[0].key: is not a known field'],
  ])('are checked: %j', (entry, words) => {
    expect(() => parseConfigFile(JSON.stringify({ version: 1, modelAliases: [entry] }))).toThrow(words)
  })
})
