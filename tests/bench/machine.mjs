// What the system tells about cores and processes. Where it does not (no taskset, no /proc) the benchmark runs
// unpinned and leaves the columns empty.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { cpus } from 'node:os'

/** Ticks per second of /proc/<pid>/stat. */
const TICKS = Number(spawnSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }).stdout) || 100

/** Two cores that share nothing, as few others as possible use: one for what is measured, one for the rest. */
export function chooseCores() {
  if (process.platform !== 'linux' || spawnSync('taskset', ['--version']).status !== 0) return null
  const allowed = allowedCores()
  const tested = allowed.at(-1)
  const load = allowed.findLast((core) => core !== tested && !siblingsOf(tested).includes(core)) ?? allowed.at(-2)
  return load === undefined ? null : { tested, load }
}

const allowedCores = () => coreList(/Cpus_allowed_list:\s+(\S+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1])

function siblingsOf(core) {
  try {
    return coreList(readFileSync(`/sys/devices/system/cpu/cpu${core}/topology/thread_siblings_list`, 'utf8').trim())
  } catch {
    return []
  }
}

/** "0-2,5" → [0, 1, 2, 5] */
const coreList = (text = '') =>
  text
    .split(',')
    .filter((part) => part !== '')
    .flatMap((part) => {
      const [from, to = from] = part.split('-').map(Number)
      return Array.from({ length: to - from + 1 }, (_, i) => from + i)
    })

/** Milliseconds of CPU that a process has used, with all its threads. */
export function cpuMs(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name, in brackets, may hold spaces.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS
  } catch {
    return Number.NaN
  }
}

/** Resident memory in MB, now and at its highest. */
export function memoryMb(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/status`, 'utf8')
    const mb = (name) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(text)?.[1]) / 1024
    return { now: mb('VmRSS'), peak: mb('VmHWM') }
  } catch {
    return { now: Number.NaN, peak: Number.NaN }
  }
}

export const describeMachine = (cores) => ({
  node: process.version,
  platform: `${process.platform} ${process.arch}`,
  cpu: cpus()[0]?.model ?? 'unknown',
  cpus: cpus().length,
  pinned: cores !== null,
})
