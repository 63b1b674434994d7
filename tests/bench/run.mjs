// The benchmark (`npm run bench`): the fake upstream called directly, a bare proxy, and the headless gateway with its
// request log on, in turns. Absolute figures move from hour to hour and from machine to machine; ratios hold.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, relative } from 'node:path'
import { ensureBuilt } from '../../build/bundle.mjs'
import { chooseCores, describeMachine } from './machine.mjs'
import { MEASURES } from './measures.mjs'
import { HELP, readOptions } from './options.mjs'
import { startBareProxy, startGateway, startLoad, startUpstream } from './processes.mjs'
import { remarks, summarize, table } from './report.mjs'
import { MODELS } from './traffic.mjs'

const say = (line) => process.stdout.write(`${line}\n`)

async function main() {
  const options = readOptions(process.argv.slice(2))
  if (options.help) return say(HELP)
  if (options.builds) await ensureBuilt(process.execPath, process.env, ['gateway'])
  const began = performance.now()
  const cores = chooseCores()
  const values = {}
  const started = []
  const starting = async (process) => {
    started.push(await process)
    return started.at(-1)
  }
  try {
    const upstream = await starting(startUpstream(cores))
    const load = await starting(startLoad(cores))
    const bare = await starting(startBareProxy(upstream, cores))
    const gateway = await starting(startGateway(options.program, upstream, cores))
    const run = {
      ...options,
      cores,
      upstream,
      load,
      targets: { direct: upstream, bare, gateway },
      round: 0,
      put(measure, target, value) {
        values[measure] ??= {}
        values[measure][target] ??= []
        values[measure][target].push(value)
      },
    }
    await warmUp(run)
    for (; run.round < options.rounds; run.round++) {
      for (const name of options.only) {
        say(`round ${run.round + 1} of ${options.rounds}: ${name} …`)
        await MEASURES[name](run)
      }
    }
  } finally {
    // Also when one of them did not start: the others would keep this process waiting.
    await Promise.all(started.map((process) => process.stop()))
  }
  report(values, options, cores, performance.now() - began)
}

/** Programs are slower before they have been compiled: that is no property of a gateway that runs for days. */
async function warmUp({ load, targets, times }) {
  for (const target of Object.values(targets)) {
    await load.requests(target, { model: MODELS.plain, concurrency: 64, ms: times.warmUp })
    await load.streams(target, { model: MODELS.fast, streams: 100, ms: times.warmUp / 2 })
  }
}

function report(values, { rounds, json }, cores, tookMs) {
  const machine = describeMachine(cores)
  const rows = summarize(values)
  const notes = remarks(values, cores !== null)
  const result = { at: new Date().toISOString(), machine, rounds, rows, notes, values }
  mkdirSync(dirname(json), { recursive: true })
  writeFileSync(json, `${JSON.stringify(result, null, 2)}\n`)
  say('')
  say(table(rows))
  say('')
  for (const note of notes) say(note)
  say(`Medians of ${rounds} ${rounds === 1 ? 'round' : 'rounds'}; ratios to the bare proxy, round by round.`)
  say(`${machine.node}, ${machine.platform}, ${machine.cpu}; ${Math.round(tookMs / 1000)} s.`)
  say(`Written to ${relative(process.cwd(), json)}.`)
}

main().catch((error) => {
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
})
