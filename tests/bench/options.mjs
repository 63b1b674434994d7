// The command line of the benchmark.
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { MEASURES } from './measures.mjs'

const root = resolve(import.meta.dirname, '../..')

export const HELP = `npm run bench -- [options]

  --quick         one short round, about a minute
  --rounds N      so many rounds (3)
  --only A,B      only these: ${Object.keys(MEASURES).join(', ')}
  --json FILE     where the figures go (tests/bench/results/latest.json)
  --gateway FILE  another build of the gateway than dist/gateway.js
  --help
`

const FULL = { warmUp: 3_000, latency: 1_200, rps: 2_500, prompt: 1_500, fast: 2_000, rest: 1_500 }
const QUICK = { warmUp: 2_000, latency: 500, rps: 1_200, prompt: 700, fast: 800, rest: 1_500 }

/** @throws Error with one sentence for whoever typed it */
export function readOptions(argv) {
  const string = { type: 'string' }
  const boolean = { type: 'boolean', default: false }
  const { values } = parseArgs({
    args: argv,
    options: { quick: boolean, rounds: string, only: string, json: string, gateway: string, help: boolean },
  })
  const rounds = Number(values.rounds ?? (values.quick ? 1 : 3))
  if (!Number.isInteger(rounds) || rounds < 1 || rounds > 50) throw new Error('--rounds must be from 1 to 50.')
  const only = values.only?.split(',') ?? Object.keys(MEASURES)
  const unknown = only.find((name) => !Object.hasOwn(MEASURES, name))
  if (unknown !== undefined) throw new Error(`--only ${unknown}: must be of ${Object.keys(MEASURES).join(', ')}.`)
  return {
    help: values.help,
    rounds,
    only,
    times: values.quick ? QUICK : FULL,
    json: values.json === undefined ? join(root, 'tests/bench/results/latest.json') : resolve(values.json),
    program: resolve(values.gateway ?? join(root, 'dist/gateway.js')),
    builds: values.gateway === undefined,
  }
}
