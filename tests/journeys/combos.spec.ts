import type { Page } from '@playwright/test'
import { ask, expect, test } from '../support/launch-app'

const goTo = (page: Page, name: string): Promise<void> =>
  page.getByRole('navigation', { name: 'Pages' }).getByRole('button', { name, exact: true }).click()
const rowOf = (page: Page, name: string) =>
  page.getByRole('row').filter({ has: page.getByRole('button', { name, exact: true }) })
const stepNames = (page: Page): Promise<string[]> =>
  page.getByRole('region', { name: 'Steps' }).getByRole('listitem').locator('.mono').allTextContents()

test('a ready start becomes a combo that fails over, and shows who is asked and who answered', async ({ launch }) => {
  const { page, url } = await launch()
  const address = await url()
  await goTo(page, 'Combos')
  await page.getByRole('button', { name: /Fail over between two providers/ }).click()
  // Who would be asked is shown before it is saved.
  const order = page.getByRole('list', { name: 'Who is asked, in this order' })
  await expect(order.getByRole('listitem')).toHaveCount(2)
  await page.getByLabel('Name', { exact: true }).fill('practice')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('"practice" is a provider. Choose another name.')).toBeVisible()
  await expect(page.getByLabel('Name', { exact: true })).toBeFocused()
  await page.getByLabel('Name', { exact: true }).fill('safe')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(rowOf(page, 'safe')).toContainText('Ready')

  await expect(order.getByRole('listitem').first()).toContainText('practice/outage')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(page.getByText(/practice\/echo answered at attempt/)).toBeVisible()
  expect(await ask(address, 'safe')).toMatchObject({ status: 200 })
})

test('a combo is put together by keyboard, saved, ordered, copied, deleted and brought back', async ({ launch }) => {
  const { page } = await launch()
  await goTo(page, 'Combos')
  await page.getByRole('button', { name: 'Add combo' }).click()
  await page.getByLabel('Name', { exact: true }).fill('mine')
  const search = page.getByRole('combobox', { name: 'Add a model or a combo' })
  for (const model of ['practice/echo', 'practice/slow', 'practice/flaky']) {
    await search.fill(model)
    await search.press('Enter')
  }
  expect(await stepNames(page)).toEqual(['practice/echo', 'practice/slow', 'practice/flaky'])
  await page.getByRole('button', { name: 'Move step 3 up' }).press('Enter')
  await expect(page.getByText('practice/flaky is step 2 of 3.')).toBeAttached()
  // The focus went with the step.
  await expect(page.getByRole('button', { name: 'Move step 2 up' })).toBeFocused()
  await page.locator('.combo-step .drag-handle').first().dragTo(page.locator('.combo-step').last())
  expect(await stepNames(page)).toEqual(['practice/flaky', 'practice/slow', 'practice/echo'])

  await page.getByRole('button', { name: /^Strategy/ }).click()
  await page.getByRole('radio', { name: 'Priority' }).press('ArrowDown')
  await page.getByRole('radio', { name: 'Weighted', exact: true }).press('Enter')
  await page.getByLabel('Weight of step 1').fill('much')
  await page.getByLabel('Keep the draw for').fill('0')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('A number from 0 to 10,000.')).toBeVisible()
  await expect(page.getByText('A whole number from 1 to 1,000.')).toBeVisible()
  await page.getByLabel('Weight of step 1').fill('3')
  await page.getByLabel('Keep the draw for').fill('5')
  await page.getByRole('button', { name: /practice\/slow/ }).click()
  await page.getByLabel('By connection').selectOption({ label: 'Only second' })

  // What is not saved stays when the panel is closed.
  await page.getByRole('button', { name: 'Close panel' }).click()
  await page.getByRole('button', { name: 'Add combo' }).click()
  await expect(page.getByLabel('Weight of step 1')).toHaveValue('3')
  await page.getByRole('button', { name: 'Save' }).click()
  const row = rowOf(page, 'mine')
  await expect(row).toContainText('Weighted')
  await expect(page.getByRole('list', { name: 'Who is asked, in this order' })).toContainText('with second')

  await page.getByRole('button', { name: 'Duplicate', exact: true }).click()
  await expect(rowOf(page, 'mine-copy')).toBeVisible()
  await page.getByRole('button', { name: 'Close panel' }).click()
  await page.getByRole('button', { name: 'Move mine-copy up' }).click()
  await expect(page.getByRole('row').nth(1)).toContainText('mine-copy')
  await page.getByRole('button', { name: 'Delete mine', exact: true }).click()
  await expect(row).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(row).toBeVisible()

  // A circle is refused where it is made.
  await page.getByRole('button', { name: 'mine', exact: true }).click()
  await search.fill('combo mine-copy')
  await search.press('Enter')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('button', { name: 'Save' })).toBeDisabled()
  await page.getByRole('button', { name: 'mine-copy', exact: true }).click()
  await search.fill('combo mine')
  await page.getByRole('option', { name: /^mine combo/ }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText(/lead in a circle/)).toBeVisible()
  await page.getByRole('button', { name: 'Discard' }).click()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(page.getByText(/is a step of "mine"/)).toBeVisible()
})

test('the names of auto can be found: what they mean, whom they would ask, to be copied', async ({ launch }) => {
  const { page } = await launch()
  await goTo(page, 'Combos')
  await page.getByText('Names that need no combo').click()
  const names = page.getByRole('table', { name: 'Names that need no combo' })
  await expect(names.getByRole('row')).toHaveCount(13)
  // Practice models are used only where they are named.
  await expect(names.getByRole('row').nth(1)).toContainText('Nobody: there is no model yet.')
  await names.getByRole('button', { name: 'Copy auto/cheap' }).click()
  await expect(names.getByRole('button', { name: 'Copied' })).toBeVisible()
})
