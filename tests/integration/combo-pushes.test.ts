// What the window hears of combos: all of them, whenever they or what stands in their way has changed.
import { expect, it, onTestFinished } from 'vitest'
import { ComboView } from '../../core/contract/combo-views'
import { createGateway } from '../../core/gateway'
import { parseArgs } from '../../core/node/parse-args'
import { createPlainHost } from '../../core/node/plain-host'
import { folderForTest, MIGRATIONS } from '../support/memory-databases'

it('carries them after each change, with what their steps still lack', async () => {
  const given = parseArgs(['--data-dir', folderForTest(), '--log-level', 'error'])
  const gateway = createGateway(createPlainHost({ arguments: given, migrationsDir: MIGRATIONS, version: '0' }))
  await gateway.open()
  onTestFinished(() => gateway.stop())
  const pushed: (readonly ComboView[])[] = []
  const modelLists = { told: 0 }
  gateway.pushes.on('combos:changed', (combos) => pushed.push(combos))
  gateway.pushes.on('models:changed', () => void modelLists.told++)
  const { operations } = gateway
  const last = () => pushed.at(-1)?.map(({ name, warnings }) => [name, ...warnings.map(({ message }) => message)])

  await operations['combos:create']({ name: 'a', steps: [{ model: 'practice/echo' }, { model: 'ollama/m' }] })
  expect(last()).toEqual([['a', 'Ollama has no connection.']])
  expect(modelLists.told).toBeGreaterThan(0)
  await operations['connections:add']({ provider: 'ollama', name: 'mine' })
  expect(last()).toEqual([['a']])
  await operations['combos:create']({ name: 'b', steps: [{ combo: 'a' }] })
  await operations['combos:reorder']({ ids: ['b', 'a'] })
  expect(last()).toEqual([['b'], ['a']])
  const { id } = await operations['combos:get']({ id: 'b' })
  await operations['combos:remove']({ id })
  expect(last()).toEqual([['a']])
  await operations['combos:restore']({ id })
  expect(last()).toEqual([['b'], ['a']])
  for (const combos of pushed) expect(combos.map((combo) => ComboView.parse(combo))).toEqual(combos)
})
