// A log file that does not grow without limit: beyond a size it becomes .1, the former .1 becomes .2, and so on.
import { closeSync, existsSync, fstatSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'

const MAX_BYTES = 5 * 1_048_576
const KEEP = 4

export class RotatingFile {
  /** null while the file cannot be had: a closed number may long belong to another file. */
  private handle: number | null = null
  private size = 0

  constructor(private readonly file: string) {
    try {
      this.open()
    } catch {
      // Tried again at the next line: where the log cannot be written, the gateway runs without one.
    }
  }

  write(line: string): void {
    try {
      if (this.handle === null) this.open()
      else if (this.size > MAX_BYTES) this.rotate()
      if (this.handle !== null) this.size += writeSync(this.handle, line)
    } catch {
      // A full disk must not stop the gateway; there is nowhere to say so.
    }
  }

  close(): void {
    const { handle } = this
    this.handle = null
    if (handle !== null) closeSync(handle)
  }

  private open(): void {
    mkdirSync(dirname(this.file), { recursive: true, mode: 0o700 })
    this.handle = openSync(this.file, 'a', 0o600)
    this.size = fstatSync(this.handle).size
  }

  private rotate(): void {
    this.close()
    try {
      rmSync(`${this.file}.${KEEP}`, { force: true })
      for (let n = KEEP - 1; n >= 1; n--) {
        if (existsSync(`${this.file}.${n}`)) renameSync(`${this.file}.${n}`, `${this.file}.${n + 1}`)
      }
      renameSync(this.file, `${this.file}.1`)
    } finally {
      // Someone who holds the old file open (Windows) keeps it from being renamed: then it goes on growing.
      this.open()
    }
  }
}
