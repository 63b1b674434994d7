import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { RotatingFile } from '../../../core/node/rotating-file'
import { folderForTest } from '../../support/memory-databases'

const MB = 1_048_576

function open(file: string): RotatingFile {
  const log = new RotatingFile(file)
  onTestFinished(() => log.close())
  return log
}

it('makes its folder, and is for this user only', () => {
  const file = join(folderForTest(), 'logs', 'breakwater.log')
  open(file).write('one\n')
  open(file).write('two\n')
  expect(readFileSync(file, 'utf8')).toBe('one\ntwo\n')
  expect(statSync(file).mode & 0o777).toBe(0o600)
})

it('keeps the newest lines in five files of about 5 MB, and no more', () => {
  const folder = folderForTest()
  const log = open(join(folder, 'b.log'))
  for (let n = 0; n < 40; n++) log.write(`${String(n).padEnd(MB, '.')}\n`)
  expect(readdirSync(folder).toSorted()).toEqual(['b.log', 'b.log.1', 'b.log.2', 'b.log.3', 'b.log.4'])
  const all = ['.4', '.3', '.2', '.1', ''].map((end) => readFileSync(join(folder, `b.log${end}`), 'utf8')).join('')
  const numbers = all.match(/^\d+/gm)?.map(Number) ?? []
  expect(numbers).toEqual(Array.from({ length: numbers.length }, (_, i) => 40 - numbers.length + i))
  expect(numbers.length).toBeGreaterThanOrEqual(24)
  expect(all.length).toBeLessThan(31 * MB)
})

it('goes on in the same file when the old one cannot be moved', () => {
  const folder = folderForTest()
  const file = join(folder, 'b.log')
  mkdirSync(join(folder, 'b.log.1', 'in the way'), { recursive: true })
  mkdirSync(join(folder, 'b.log.2', 'in the way'), { recursive: true })
  const log = open(file)
  for (let n = 0; n < 7; n++) log.write(`${'.'.repeat(MB)}\n`)
  log.write('the last\n')
  log.write('and one more\n')
  expect(readFileSync(file, 'utf8').endsWith('and one more\n')).toBe(true)
})

it('never throws where it cannot write, and begins when it can', () => {
  const folder = folderForTest()
  const file = join(folder, 'b.log')
  mkdirSync(file)
  const log = open(file)
  log.write('lost\n')
  rmdirSync(file)
  log.write('kept\n')
  expect(readFileSync(file, 'utf8')).toBe('kept\n')
})

it('writes nothing after it was closed into what another file has become', () => {
  const folder = folderForTest()
  const log = new RotatingFile(join(folder, 'b.log'))
  log.close()
  log.close()
  writeFileSync(join(folder, 'other'), 'other')
  expect(readFileSync(join(folder, 'other'), 'utf8')).toBe('other')
  expect(existsSync(join(folder, 'b.log'))).toBe(true)
})
