import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '../support/launch-app'

test('a changed setting is felt at once and survives a restart', async ({ launch }) => {
  const first = await launch()
  await first.page.getByRole('button', { name: 'Settings', exact: true }).click()
  await first.page.locator('[data-setting=theme]').getByText('Dark').click()
  await expect.poll(() => first.electron.evaluate(({ nativeTheme }) => nativeTheme.themeSource)).toBe('dark')
  await first.page.getByRole('textbox', { name: 'Keep the request log for' }).fill('7')
  await first.page.getByRole('textbox', { name: 'Keep the request log for' }).press('Enter')
  await expect(first.page.getByRole('button', { name: /^Reset Keep the request log for/ })).toBeVisible()
  expect(await first.quit()).toBe(0)

  const second = await launch({ dataDir: first.dataDir })
  expect(await second.electron.evaluate(({ nativeTheme }) => nativeTheme.themeSource)).toBe('dark')
  await second.page.getByRole('button', { name: 'Settings', exact: true }).click()
  await expect(second.page.getByRole('textbox', { name: 'Keep the request log for' })).toHaveValue('7')
})

test('a value that cannot be is refused with what it accepts', async ({ launch }) => {
  const { page } = await launch()
  await page.getByRole('button', { name: 'Settings', exact: true }).click()
  await page.getByRole('textbox', { name: 'Keep the request log for' }).fill('0')
  await page.getByRole('textbox', { name: 'Keep the request log for' }).press('Enter')
  await expect(page.getByText(/whole number from 1 to 3650/)).toBeVisible()
})

test('starting at login is two switches, and a file of the desktop’s own', async ({ launch }) => {
  test.skip(process.platform !== 'linux', 'an autostart file is how Linux desktops do it')
  const { page, dataDir } = await launch()
  const file = join(dataDir, 'xdg', 'autostart', 'breakwater.desktop')
  const command = (): string => (existsSync(file) ? (/^Exec=(.*)$/m.exec(readFileSync(file, 'utf8'))?.[1] ?? '') : '')
  await page.getByRole('button', { name: 'Settings', exact: true }).click()
  await page.getByRole('switch', { name: 'Start at login' }).click()
  await expect.poll(command).not.toBe('')
  expect(command()).not.toContain('--hidden')
  expect(command()).toContain(`"--data-dir" "${dataDir}"`)
  await page.getByRole('switch', { name: 'Start hidden' }).click()
  await expect.poll(command).toContain('--hidden')
  await page.getByRole('switch', { name: 'Start at login' }).click()
  await expect.poll(command).toBe('')
})
