// A log file that does not grow without limit: beyond a size it becomes .1, the former .1 becomes .2, and so on.
import { closeSync, existsSync, fstatSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'

const MAX_BYTES = 5 * 1_048_576
const KEEP = 4

export class RotatingFile {
  private handle: number
  private size: number

  constructor(private readonly file: string) {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    this.handle = openSync(file, 'a', 0o600)
    this.size = fstatSync(this.handle).size
  }

  write(line: string): void {
    try {
      if (this.size > MAX_BYTES) this.rotate()
      this.size += writeSync(this.handle, line)
    } catch {
      // A full disk must not stop the gateway; there is nowhere to say so.
    }
  }

  close(): void {
    closeSync(this.handle)
  }

  private rotate(): void {
    closeSync(this.handle)
    rmSync(`${this.file}.${KEEP}`, { force: true })
    for (let n = KEEP - 1; n >= 1; n--) {
      if (existsSync(`${this.file}.${n}`)) renameSync(`${this.file}.${n}`, `${this.file}.${n + 1}`)
    }
    renameSync(this.file, `${this.file}.1`)
    this.handle = openSync(this.file, 'a', 0o600)
    this.size = 0
  }
}
