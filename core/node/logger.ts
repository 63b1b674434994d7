// The log of both hosts: JSON lines to a file or to stderr, with every secret masked before a byte is written.
import pino from 'pino'
import type { Clock } from '../clock'
import type { LogLevel } from '../contract/kinds'
import type { Logger } from '../host'
import { Redactor } from './redact'
import { RotatingFile } from './rotating-file'

export interface LoggerOptions {
  readonly level: LogLevel
  readonly file?: string
  readonly stderr?: boolean
  readonly clock: Clock
}

export interface NodeLogger extends Logger {
  /** Takes known secrets out of text that goes elsewhere. */
  redact(text: string): string
  close(): void
}

export function createLogger({ level, file, stderr = false, clock }: LoggerOptions): NodeLogger {
  const redactor = new Redactor()
  const target = file === undefined ? null : new RotatingFile(file)
  // Whoever read stderr may be gone; that ends the reading, not the gateway.
  if (stderr) process.stderr.on('error', () => {})
  const destination = {
    write(line: string) {
      const clean = redactor.cleanLine(line)
      target?.write(clean)
      if (stderr) process.stderr.write(clean)
    },
  }
  const log = pino(
    { level, base: null, timestamp: () => `,"time":"${new Date(clock.now()).toISOString()}"` },
    destination,
  )
  return {
    debug: (fields, message) => log.debug(fields, message),
    info: (fields, message) => log.info(fields, message),
    warn: (fields, message) => log.warn(fields, message),
    error: (fields, message) => log.error(fields, message),
    setLevel: (next) => {
      log.level = next
    },
    addSecret: (value) => redactor.add(value),
    redact: (text) => redactor.clean(text),
    close: () => target?.close(),
  }
}
