// `npm run -s explain -- FILE.json`: what failure signals prove and what follows from them, as JSON on stdout. Needs no
// data folder and no network.
import { readFileSync } from 'node:fs'
import { GatewayError } from './errors'
import { explainDefaults, explainSignals } from './resilience/verdict/explain'

const USAGE = `Usage: npm run -s explain -- FILE.json

FILE.json holds a list of failed answers; "-" reads it from standard input. Each one:
  {"id": "…", "provider": "openai", "status": 429, "headers": {}, "body": "…", "now": "2026-11-30T02:50:00Z", "model": "…"}
headers, body and model may be missing. Printed is a list of
  {"id", "kind", "reason", "scope", "retryAfterMs", "consequences"}, with default settings, of a first failure.
`

/** What ends the program with a sentence instead of a stack. */
class ExplainError extends Error {}

function explainFile([file, ...more]: readonly string[]): string {
  if (file === undefined || more.length > 0) throw new ExplainError(USAGE)
  if (file === '--help' || file === '-h') return USAGE
  const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone
  const explained = explainSignals(parse(readText(file), file), explainDefaults(zone))
  return `${JSON.stringify(explained, null, 2)}\n`
}

function readText(file: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8')
  } catch (error) {
    throw new ExplainError(`${file} cannot be read (${(error as NodeJS.ErrnoException).code}).\n`)
  }
}

function parse(text: string, file: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (error) {
    // Not the parser's own words: they quote the file, and a pasted error may hold a key.
    const place = /line \d+ column \d+/.exec((error as Error).message)?.[0]
    throw new ExplainError(`${file} is not valid JSON${place === undefined ? '' : ` (${place})`}.\n`)
  }
}

try {
  process.stdout.write(explainFile(process.argv.slice(2)))
} catch (error) {
  const known = error instanceof ExplainError || error instanceof GatewayError
  process.stderr.write(known ? `${error.message.trimEnd()}\n` : `${(error as Error).stack}\n`)
  process.exitCode = known ? 2 : 1
}
