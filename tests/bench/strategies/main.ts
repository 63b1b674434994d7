// `npm run bench:strategies`: one day under each strategy, side by side, into docs/strategies.md.
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { choosingUs, lookingUs } from './choosing'
import { type Line, placed, tableOf } from './report'
import { ROWS } from './rows'
import { simulate } from './simulate'
import type { Starved } from './tally'

const HELP = `npm run bench:strategies -- [options]

  --seed N      another day (1)
  --from H, --to H
                a part of the day, in hours (0, 24)
  --only A,B    only these strategies
  --print       only print; otherwise a whole comparison is written into docs/strategies.md
  --help
`

const say = (line: string): void => {
  process.stdout.write(`${line}\n`)
}

function readOptions(argv: readonly string[]) {
  const string = { type: 'string' } as const
  const boolean = { type: 'boolean', default: false } as const
  const options = { seed: string, from: string, to: string, only: string, print: boolean, help: boolean }
  const { values } = parseArgs({ args: [...argv], options })
  const number = (name: 'seed' | 'from' | 'to', fallback: number, most: number): number => {
    const value = Number(values[name] ?? fallback)
    if (!(value >= 0 && value <= most)) throw new Error(`--${name} must be a number from 0 to ${most}.`)
    return value
  }
  const world = { seed: number('seed', 1, 2 ** 31), from: number('from', 0, 24), to: number('to', 24, 24) }
  if (world.from >= world.to) throw new Error('--from must be before --to.')
  const names = values.only?.split(',') ?? null
  const unknown = names?.find((name) => !ROWS.some((row) => row.name === name))
  if (unknown !== undefined)
    throw new Error(`--only ${unknown}: must be of ${ROWS.map(({ name }) => name).join('; ')}.`)
  const rows = ROWS.filter(({ name }) => names?.includes(name) ?? true)
  const isWhole = names === null && world.from === 0 && world.to === 24
  return { help: values.help, world, rows, writes: isWhole && !values.print }
}

function main(document: string, argv: readonly string[]): void {
  const { help, world, rows, writes } = readOptions(argv)
  if (help) return say(HELP)
  const starved: (readonly [string, Starved])[] = []
  const lines = rows.map((row): Line => {
    say(`${row.name} …`)
    const result = simulate(row.strategy, world, row.config)
    for (const one of result.starved) starved.push([row.name, one])
    return { name: row.name, result, choosingUs: choosingUs(row, world.seed) }
  })
  const requests = lines[0]?.result.requests ?? 0
  const looking = Math.round(lookingUs(world.seed))
  const notes = `Seed ${world.seed}, ${requests} requests. Looking at 100 targets, before any choice: ${looking} µs.`
  const text = `\n${tableOf(lines)}\n\n${notes}\n`
  say(text)
  for (const [name, { target, due, led }] of starved)
    say(`STARVED under ${name}: ${target} led ${led} times of the ${Math.round(due)} it was due.`)
  if (starved.length > 0) process.exitCode = 1
  if (!writes) return
  writeFileSync(document, placed(readFileSync(document, 'utf8'), text))
  say(`Written to ${document}.`)
}

const [, , document = '', ...argv] = process.argv
try {
  main(document, argv)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
