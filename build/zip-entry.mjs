// One file out of a zip archive, by reading the archive's directory (APPNOTE.TXT 4.3); the rest is never unpacked.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { inflateRawSync } from 'node:zlib'
import { SetUpError } from './context.mjs'

const END_SIGNATURE = 0x06054b50
const ENTRY_SIGNATURE = 0x02014b50
const DEFLATED = 8

export function readZipEntry(file, name) {
  const handle = openSync(file, 'r')
  try {
    const read = (position, length) => {
      const bytes = Buffer.alloc(length)
      readSync(handle, bytes, 0, length, position)
      return bytes
    }
    const { size } = fstatSync(handle)
    const tail = read(Math.max(0, size - 65_557), Math.min(size, 65_557))
    let at = tail.length - 22
    while (at >= 0 && tail.readUInt32LE(at) !== END_SIGNATURE) at--
    if (at < 0) throw new SetUpError(`${file} is no zip archive.`)
    const directory = read(tail.readUInt32LE(at + 16), tail.readUInt32LE(at + 12))
    for (let p = 0; p + 46 <= directory.length && directory.readUInt32LE(p) === ENTRY_SIGNATURE; ) {
      const nameLength = directory.readUInt16LE(p + 28)
      if (directory.toString('utf8', p + 46, p + 46 + nameLength) === name) {
        const header = directory.readUInt32LE(p + 42)
        const local = read(header, 30)
        const data = read(header + 30 + local.readUInt16LE(26) + local.readUInt16LE(28), directory.readUInt32LE(p + 20))
        return directory.readUInt16LE(p + 10) === DEFLATED ? inflateRawSync(data) : data
      }
      p += 46 + nameLength + directory.readUInt16LE(p + 30) + directory.readUInt16LE(p + 32)
    }
    throw new SetUpError(`${file} does not hold ${name}.`)
  } finally {
    closeSync(handle)
  }
}
