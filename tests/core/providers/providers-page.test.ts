// `vitest -u` on this file writes the page anew.
import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { CATALOGUE } from '../../../core/providers/catalogue'
import { providersPage } from '../../support/providers-page'

const PAGE = resolve(import.meta.dirname, '../../../docs/providers.md')

it('the documentation lists the providers as the catalogue has them', async () => {
  await expect(providersPage(CATALOGUE)).toMatchFileSnapshot(PAGE)
})
