import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { OPERATIONS } from '../../core/contract/operations'
import { restPage } from './rest-page'

it('docs/rest.md is what the rows say', async () => {
  await expect(restPage()).toMatchFileSnapshot('../../docs/rest.md')
})

it('every operation of the window is reached over REST, but for what makes sense in a window alone', () => {
  const folder = resolve(import.meta.dirname, '../../core/http/management')
  const source = readdirSync(folder)
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    .join('\n')
  const missing = Object.keys(OPERATIONS).filter((name) => !source.includes(`operations['${name}']`))
  expect(missing).toEqual([
    // Without a listener there is no REST to ask for one.
    'gateway:retry',
    // One value at a time; REST changes several at once.
    'settings:change',
    'resilience:change',
    // A script sends its own requests.
    'try:send',
  ])
})
