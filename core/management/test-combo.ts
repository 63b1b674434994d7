// A person's test of a combo: what each step leads to is asked for one word, through the gateway's own port, as any tool
// would ask. So it costs a few tokens at each of them.
import { request } from 'node:http'
import type { Clock } from '../clock'
import type { ComboTest, TestedStep, TestedTarget } from '../contract/combo-views'
import type { Combo } from '../contract/combos'
import { badInput } from '../errors'
import { excerpt } from '../resilience/verdict/excerpt'
import { modelString, type Target } from '../routing/combo'
import { targetsOf } from '../routing/combo-book'
import { comboWarnings } from '../routing/combo-warnings'
import { warningWorld } from './combo-views'
import type { Parts } from './parts'
import type { TryTarget } from './try-request'

/** Of one step: a pattern may lead to thousands. */
const MOST_TARGETS = 3
const MOST_TESTED = 50
const AT_ONCE = 4
const LIMIT_MS = 60_000
const MAX_BYTES = 65_536

type TestParts = Pick<Parts, 'combos' | 'models' | 'book' | 'clock' | 'redact'>

/** @param wanted places in the list, from 0; undefined: all */
export async function testCombo(
  combo: Combo,
  wanted: readonly number[] | undefined,
  parts: TestParts,
  to: TryTarget,
): Promise<ComboTest> {
  const { combos } = parts
  const beyond = wanted?.find((step) => step >= combo.steps.length)
  if (beyond !== undefined) throw badInput('steps', `there is no step ${beyond}. They are counted from 0.`)
  const warnings = comboWarnings(combo, warningWorld(parts))
  const steps = combo.steps.flatMap((step, i): Plan[] => {
    if (wanted !== undefined && !wanted.includes(i)) return []
    const targets = targetsOf(combos.resolved({ ...combo, steps: [step], config: {} }))
    const why = warnings.find((warning) => warning.step === i)?.message ?? null
    return [{ step: i, name: step.combo ?? step.model ?? '', targets, why }]
  })
  const asked = new Map<string, Target>()
  for (const target of steps.flatMap(({ targets }) => targets.slice(0, MOST_TARGETS))) {
    if (asked.size < MOST_TESTED) asked.set(keyOf(target), target)
  }
  const results = await askAll([...asked.values()], parts, to)
  const tested = steps.map((plan) => testedStep(plan, results))
  const answered = tested.filter(({ ok }) => ok).length
  return { ok: answered > 0, message: `${answered} of ${count(tested.length, 'step')} answered.`, steps: tested }
}

interface Plan {
  readonly step: number
  readonly name: string
  readonly targets: readonly Target[]
  /** What is known to be in its way. */
  readonly why: string | null
}

const keyOf = (target: Target): string => `${modelString(target)} ${target.connectionId ?? ''}`

const count = (n: number, what: string): string => `${n} ${what}${n === 1 ? '' : 's'}`

function testedStep({ step, name, targets, why }: Plan, results: ReadonlyMap<string, TestedTarget>): TestedStep {
  const tested = targets.slice(0, MOST_TARGETS).flatMap((target) => results.get(keyOf(target)) ?? [])
  const ok = tested.some((result) => result.ok)
  const [only, second] = tested
  const left = targets.length - tested.length
  const words =
    only === undefined
      ? targets.length === 0
        ? (why ?? 'It leads to nothing.')
        : `Not asked: more than ${MOST_TESTED} models in one test.`
      : second === undefined
        ? only.message
        : `${tested.filter((result) => result.ok).length} of ${tested.length} answered.`
  const rest = only === undefined || left === 0 ? '' : ` ${count(left, 'more model')} not asked.`
  return { step, name, ok, message: words + rest, targets: tested }
}

async function askAll(
  targets: readonly Target[],
  parts: TestParts,
  to: TryTarget,
): Promise<ReadonlyMap<string, TestedTarget>> {
  const results = new Map<string, TestedTarget>()
  const waiting = [...targets]
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
      results.set(keyOf(next), await askOne(next, parts, to))
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return results
}

async function askOne(target: Target, { clock, book, redact }: TestParts, to: TryTarget): Promise<TestedTarget> {
  const startedAt = clock.elapsed()
  const said = await askOnce(modelString(target), clock, to)
  const ms = Math.round(clock.elapsed() - startedAt)
  const connection = said.connectionId === null ? null : book.find(said.connectionId)?.connection
  const isOther =
    target.connectionId !== null && said.connectionId !== null && target.connectionId !== said.connectionId
  const common = {
    target: modelString(target),
    status: said.status,
    ms,
    connectionId: said.connectionId,
    connectionName: connection?.name ?? null,
    requestId: said.requestId,
  }
  if (said.status !== 200) return { ...common, ok: false, message: redact(excerpt(said.text)) }
  if (isOther) {
    const own = book.find(target.connectionId ?? '')?.connection.name ?? target.connectionId
    return { ...common, ok: false, message: `"${common.connectionName}" answered in place of its own "${own}".` }
  }
  return { ...common, ok: true, message: `Answered in ${ms} ms.` }
}

interface Said {
  readonly status: number | null
  readonly connectionId: string | null
  readonly requestId: string | null
  readonly text: string
}

/** Never rejects. */
function askOnce(model: string, clock: Clock, { port, key }: TryTarget): Promise<Said> {
  const body = JSON.stringify({
    model,
    stream: false,
    messages: [{ role: 'user', content: 'Answer with the word OK and nothing else.' }],
  })
  return new Promise((resolve) => {
    const unreached = (text: string): Said => ({ status: null, connectionId: null, requestId: null, text })
    const finish = (said: Said): void => {
      timer.cancel()
      resolve(said)
    }
    const sent = request(
      {
        ...{ host: '127.0.0.1', port, path: '/v1/chat/completions', method: 'POST' },
        headers: {
          authorization: `Bearer ${key}`,
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
          'user-agent': 'breakwater-window',
        },
      },
      (response) => {
        const text = (name: string): string | null => String(response.headers[name] ?? '') || null
        const chunks: Buffer[] = []
        let length = 0
        response.on('data', (chunk: Buffer) => {
          if (length < MAX_BYTES) chunks.push(chunk)
          length += chunk.length
        })
        response.on('end', () =>
          finish({
            status: response.statusCode ?? null,
            connectionId: text('x-omniroute-selected-connection-id'),
            requestId: text('x-request-id'),
            text: Buffer.concat(chunks).toString('utf8'),
          }),
        )
        response.on('error', () => finish(unreached('The connection to the gateway broke.')))
      },
    )
    const timer = clock.after(LIMIT_MS, () => {
      finish(unreached(`No answer within ${LIMIT_MS / 1000} seconds.`))
      sent.destroy()
    })
    sent.on('error', (error) => finish(unreached(`The gateway could not be reached: ${error.message}`)))
    sent.end(body)
  })
}
