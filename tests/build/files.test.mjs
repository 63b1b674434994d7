import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { crc32, deflateRawSync, inflateSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { icns, ico, png } from '../../build/png.mjs'
import { readZipEntry } from '../../build/zip-entry.mjs'

let folder
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'breakwater-build-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** A zip archive of these files, as APPNOTE.TXT describes it. */
function zip(files) {
  const parts = []
  const directory = []
  let offset = 0
  for (const [name, text, deflated] of files) {
    const data = deflated ? deflateRawSync(text) : Buffer.from(text)
    const local = Buffer.alloc(30 + name.length)
    local.writeUInt32LE(0x04034b50, 0)
    local.writeUInt16LE(deflated ? 8 : 0, 8)
    local.writeUInt16LE(name.length, 26)
    local.write(name, 30)
    const entry = Buffer.alloc(46 + name.length)
    entry.writeUInt32LE(0x02014b50, 0)
    entry.writeUInt16LE(deflated ? 8 : 0, 10)
    entry.writeUInt32LE(data.length, 20)
    entry.writeUInt16LE(name.length, 28)
    entry.writeUInt32LE(offset, 42)
    entry.write(name, 46)
    parts.push(local, data)
    directory.push(entry)
    offset += local.length + data.length
  }
  const listing = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt32LE(listing.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...parts, listing, end])
}

describe('one file out of a zip', () => {
  const files = [
    ['a/first.txt', 'stored as it is', false],
    ['a/second.txt', 'deflated '.repeat(100), true],
  ]

  test.each(files)('%s', (name, text) => {
    const file = join(folder, 'x.zip')
    writeFileSync(file, zip(files))
    expect(readZipEntry(file, name).toString()).toBe(text)
  })

  test('a file that is not in it is named', () => {
    const file = join(folder, 'x.zip')
    writeFileSync(file, zip(files))
    expect(() => readZipEntry(file, 'missing')).toThrow(/does not hold missing/)
  })

  test('something that is no archive is told apart', () => {
    const file = join(folder, 'x.zip')
    writeFileSync(file, 'hello')
    expect(() => readZipEntry(file, 'missing')).toThrow(/is no zip archive/)
  })
})

describe('pictures', () => {
  const picture = png(2, new Uint8Array(16))

  test('a PNG has its size, its pixels and right checksums', () => {
    const pixels = Uint8Array.from({ length: 16 }, (_, i) => i)
    const data = png(2, pixels)
    expect(data.readUInt32BE(16)).toBe(2)
    let at = 8
    let image = Buffer.alloc(0)
    while (at < data.length) {
      const length = data.readUInt32BE(at)
      const body = data.subarray(at + 4, at + 8 + length)
      expect(data.readUInt32BE(at + 8 + length)).toBe(crc32(body))
      if (body.toString('latin1', 0, 4) === 'IDAT') image = inflateSync(body.subarray(4))
      at += 12 + length
    }
    expect([...image]).toEqual([0, 0, 1, 2, 3, 4, 5, 6, 7, 0, 8, 9, 10, 11, 12, 13, 14, 15])
  })

  test('an .ico points at its pictures', () => {
    const file = ico([
      { size: 16, data: picture },
      { size: 256, data: picture },
    ])
    expect(file.readUInt16LE(4)).toBe(2)
    expect(file[6 + 16]).toBe(0) // 256 is written as 0
    expect(file.subarray(file.readUInt32LE(6 + 16 + 12))).toEqual(picture)
  })

  test('an .icns tells its own length', () => {
    const file = icns([{ size: 128, data: picture }])
    expect(file.readUInt32BE(4)).toBe(file.length)
    expect(file.toString('latin1', 8, 12)).toBe('ic07')
  })

  test.each(['healthy', 'strained', 'down', 'paused', 'starting'])('the tray has pictures for "%s"', (state) => {
    for (const [suffix, size] of [
      ['', 22],
      ['@2x', 44],
      ['Template', 22],
      ['Template@2x', 44],
    ]) {
      const file = resolve(import.meta.dirname, '../../electron/assets/tray', `${state}${suffix}.png`)
      expect(readFileSync(file).readUInt32BE(16)).toBe(size)
    }
  })
})
