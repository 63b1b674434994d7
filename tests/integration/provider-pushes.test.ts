// What the window hears of providers: those that may change by themselves, and not the whole catalogue each second.
import { expect, it, onTestFinished } from 'vitest'
import type { ProviderView } from '../../core/contract/views'
import { createGateway } from '../../core/gateway'
import { parseArgs } from '../../core/node/parse-args'
import { createPlainHost } from '../../core/node/plain-host'
import { mergeProviders } from '../../renderer/app/merge-providers'
import { folderForTest, MIGRATIONS } from '../support/memory-databases'

async function open() {
  const given = parseArgs(['--data-dir', folderForTest(), '--log-level', 'error'])
  const gateway = createGateway(createPlainHost({ arguments: given, migrationsDir: MIGRATIONS, version: '0' }))
  await gateway.open()
  onTestFinished(() => gateway.stop())
  const pushed: (readonly ProviderView[])[] = []
  gateway.pushes.on('providers:changed', (providers) => pushed.push(providers))
  return { operations: gateway.operations, last: () => pushed.at(-1) ?? [] }
}

const ids = (providers: readonly ProviderView[]): string[] => providers.map(({ id }) => id).sort()

it('carries providers that have connections, and the user’s own', async () => {
  const { operations, last } = await open()
  await operations['providers:add']({ label: 'Mine', dialect: 'gemini', baseUrl: 'http://127.0.0.1:9' })
  const { id } = await operations['connections:add']({ provider: 'ollama', name: 'a' })
  expect(ids(last())).toEqual(['mine', 'ollama', 'practice'])
  await operations['connections:remove']({ id })
  expect(ids(last())).toEqual(['mine', 'practice'])
})

it('together with the list of before makes the list of now', async () => {
  const { operations, last } = await open()
  const list = () => operations['providers:list'](undefined)
  let known: readonly ProviderView[] = await list()
  const { id } = await operations['connections:add']({ provider: 'ollama', name: 'a' })
  known = mergeProviders(known, last())
  expect(known).toEqual(await list())
  await operations['connections:remove']({ id })
  await operations['providers:add']({ label: 'Mine', dialect: 'openai-chat', baseUrl: 'http://127.0.0.1:9/v1' })
  known = mergeProviders(known, last())
  expect(known).toEqual(await list())
  await operations['providers:remove']({ id: 'mine' })
  expect(mergeProviders(known, last())).toEqual(await list())
})
