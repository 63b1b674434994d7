// A person's live test of a connection: lists the models with its key and says in a sentence what came of it. Nothing
// is spent: a provider that cannot list its models is not tested, and the sentence says so.
import type { Clock } from '../clock'
import type { TestResult } from '../contract/views'
import { parseModelList } from '../models/parse-model-list'
import { judgeOutcome } from '../pipeline/outcome'
import type { Transport } from '../pipeline/transport'
import { type GetCall, type Got, getText } from '../providers/get-text'
import { keyCheckCall, modelsCall } from '../providers/models-call'
import type { ProviderRow } from '../providers/provider-row'
import { type Connection, unusableBecause } from '../providers/registry'
import { judge } from '../resilience/verdict/judge'
import type { Verdict } from '../resilience/verdict/verdict'

const LIMIT_MS = 15_000

export interface ConnectionTest extends TestResult {
  /** A success speaks for the connection: the provider has looked at its key, or it has none. */
  readonly conclusive: boolean
}

export async function testConnection(
  row: ProviderRow,
  connection: Connection,
  transport: Transport,
  clock: Clock,
): Promise<ConnectionTest> {
  const because = unusableBecause(row, { ...connection, enabled: true })
  if (because !== null) return failure(null, 0, `Not tested: ${because}.`, null)
  const list = modelsCall(row, connection)
  const keyCheck = keyCheckCall(row, connection)
  const startedAt = clock.elapsed()
  const ask = async (call: GetCall): Promise<Got & { ms: number }> => ({
    ...(await getText(transport, call, clock, LIMIT_MS)),
    ms: Math.round(clock.elapsed() - startedAt),
  })
  if (list === null) return keyCheck === null ? notTested(row) : checkOnly(row, keyCheck, await ask(keyCheck))

  const listed = await ask(list)
  if (listed.outcome !== null) return refused(row, list, listed)
  const models = parseModelList(listed.text)?.models.map(({ id }) => id)
  if (models === undefined) {
    const message = `Something answers at ${list.origin}, but not with a list of models. Check the base URL.`
    return failure(listed.status, listed.ms, message, 'server_error')
  }
  const answered = `${row.label} answered in ${listed.ms} ms with ${count(models.length)}`
  if (!row.publicModels || connection.baseUrl !== null) return success(listed, `${answered}.`, models, true)
  if (keyCheck === null) {
    const message = `${answered}. Its list is open to everyone: whether the key is valid shows with the first request.`
    return success(listed, message, models, connection.apiKey === null)
  }
  const checked = await ask(keyCheck)
  return checked.outcome === null
    ? success(checked, `${answered}, and took the key.`, models, true)
    : refused(row, keyCheck, checked)
}

const count = (models: number): string => (models === 1 ? '1 model' : `${models} models`)

const notTested = (row: ProviderRow): ConnectionTest =>
  failure(
    null,
    0,
    `Not tested: ${row.label} has no call that costs nothing. Whether the key is valid shows with the first request.`,
    null,
  )

const checkOnly = (row: ProviderRow, call: GetCall, got: Got & { ms: number }): ConnectionTest =>
  got.outcome === null ? success(got, `${row.label} took the key in ${got.ms} ms.`, [], true) : refused(row, call, got)

function refused(row: ProviderRow, { origin }: GetCall, { status, ms, outcome }: Got & { ms: number }): ConnectionTest {
  // Only why it was refused is told here, not for how long: no clock is needed.
  const place = { provider: row, model: null, now: 0, timeZone: 'UTC' }
  const verdict = judgeOutcome(outcome ?? { kind: 'empty' }, place, judge)
  if (outcome?.kind === 'network' && outcome.proxy !== undefined) {
    return failure(status, ms, `${row.label} was not asked: ${verdict.message}.`, verdict.reason)
  }
  return failure(status, ms, words(row, origin, status, verdict), verdict.reason)
}

const success = (
  { status, ms }: Got & { ms: number },
  message: string,
  models: string[],
  conclusive: boolean,
): ConnectionTest => ({ ok: true, status, ms, reason: null, message, models, conclusive })

const failure = (status: number | null, ms: number, message: string, reason: TestResult['reason']): ConnectionTest => ({
  ok: false,
  status,
  ms,
  reason,
  message,
  models: [],
  conclusive: false,
})

function words(row: ProviderRow, origin: string, status: number | null, verdict: Verdict): string {
  switch (verdict.reason) {
    case 'auth_error':
    case 'forbidden':
      return `${row.label} refused the key (${status}). Enter a valid key.`
    case 'credits_exhausted':
      return `${row.label} says that there is no credit left (${verdict.message}).`
    case 'not_found':
    case 'bad_request':
      return `${origin} has no list of models there (${status}). Check the base URL.`
    default:
      return `${row.label} at ${origin}: ${verdict.message}.`
  }
}
