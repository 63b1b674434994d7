import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, test } from '../support/launch-app'

const digest = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex')

test('a database from a newer version is refused, untouched, and the window says so', async ({
  launch,
  freshDataDir,
}) => {
  const dataDir = freshDataDir()
  mkdirSync(dataDir, { recursive: true })
  const file = join(dataDir, 'breakwater.db')
  const database = new Database(file)
  database.exec('CREATE TABLE from_the_future (id INTEGER); PRAGMA user_version = 9999')
  database.close()
  const before = digest(file)

  const app = await launch({ dataDir })
  await expect(app.page.getByText('The database could not be opened').first()).toBeVisible()
  await expect(app.page.locator('body')).toContainText('9999')
  expect((await app.status()).listener.kind).toBe('database-refused')
  const code = await app.quit()
  expect(code).toBe(5)
  expect(digest(file)).toBe(before)
})

test('a data folder that a headless gateway uses is named, and the window opens all the same', async ({
  launch,
  freshDataDir,
}) => {
  const dataDir = freshDataDir()
  const lock = new Database(join(dataDir, 'lock.db'))
  lock.exec('BEGIN EXCLUSIVE')
  const app = await launch({ dataDir })
  await expect(app.page.getByText('The data folder is in use').first()).toBeVisible()
  lock.exec('COMMIT')
  lock.close()
  await app.page.getByRole('button', { name: 'Try again' }).click()
  await app.url()
  await expect(app.page.getByText('The data folder is in use')).toHaveCount(0)
})
