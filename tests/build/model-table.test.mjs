import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../../build/context.mjs'
import { makeTable } from '../../build/model-table.mjs'

test('The table of models is the one its packages give; otherwise run node build/model-table.mjs', async () => {
  const kept = JSON.parse(readFileSync(join(root, 'core', 'models', 'model-table.json'), 'utf8'))
  expect(await makeTable()).toEqual(kept)
})
