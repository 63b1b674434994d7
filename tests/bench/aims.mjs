// The rows of the report: which measure, how it is read, and what is aimed at.

const atLeast = (ratio) => ({ text: `≥ ${ratio}`, of: 'ratio', met: (value) => value >= ratio })
const atMost = (ratio) => ({ text: `≤ ${ratio}`, of: 'ratio', met: (value) => value <= ratio })
const below = (limit, unit) => ({ text: `< ${limit} ${unit}`, of: 'value', met: (value) => value < limit })

/** `added`: what the target costs on top of calling the upstream directly. */
const row = (label, measure, digits, { aim = null, added = false } = {}) => ({ label, measure, digits, aim, added })

export const ROWS = [
  row('requests/s, 64 at a time', 'requests/s', 0, { aim: atLeast(0.7) }),
  row('CPU per request, ms', 'cpu/request', 3, { aim: atMost(1.4) }),
  ...[1, 16, 64].flatMap((n) => [
    row(`added p50, ${n} at a time, ms`, `latency ${n} p50`, 2, { added: true }),
    row(`added p99, ${n} at a time, ms`, `latency ${n} p99`, 2, { added: true }),
  ]),
  row('100 kB prompt p50, ms', 'prompt p50', 2, { aim: atMost(1.3) }),
  row('100 kB prompt added p50, ms', 'prompt p50', 2, { added: true }),
  row('100 kB prompt CPU, ms', 'prompt cpu', 3),
  row('200 streams paced: first byte p50, ms', 'paced first p50', 2, { aim: atMost(1.5) }),
  row('  added, ms', 'paced first p50', 2, { added: true }),
  row('  first byte p99, ms', 'paced first p99', 2),
  row('  chunks/s', 'paced chunks/s', 0, { aim: atLeast(0.8) }),
  row('  CPU per chunk, µs', 'paced cpu/chunk', 1),
  row('200 streams at once, fast: first byte p50, ms', 'fast first p50', 2, { aim: atMost(1.5) }),
  row('  first byte p99, ms', 'fast first p99', 2),
  row('  chunks/s', 'fast chunks/s', 0, { aim: atLeast(0.8) }),
  row('  CPU per chunk, µs', 'fast cpu/chunk', 1),
  row('Anthropic client, OpenAI upstream: streams/s, 64 short ones', 'across requests/s', 0, { aim: atLeast(0.5) }),
  row('  CPU per stream, ms', 'across cpu/request', 3),
  row('  chunks/s, 200 streams at once, fast', 'across chunks/s', 0, { aim: atLeast(0.5) }),
  row('  CPU per chunk, µs', 'across cpu/chunk', 1),
  row('first fail-over, added ms', 'failover warm', 1, { aim: below(25, 'ms') }),
  row('  as first request of the process', 'failover cold', 1, { aim: below(25, 'ms') }),
  row('  every further one, added ms', 'failover steady', 2),
  row('memory at rest, MB', 'memory rest', 0, { aim: below(120, 'MB') }),
  row('  after 500 streams, MB', 'memory streams', 0, { aim: below(200, 'MB') }),
  row('  highest, MB', 'memory peak', 0),
  row('ready after, first start, ms', 'start ready', 0, { aim: below(600, 'ms') }),
  row('  first answer, ms', 'start answer', 0),
  row('ready after, later start, ms', 'restart ready', 0, { aim: below(600, 'ms') }),
  row('  first answer, ms', 'restart answer', 0),
]

/** Where one of these is the limit, requests/s and chunks/s say little. */
export const SIDES = ['rps', 'fast']
