// Looks for model servers on this machine: asks the ports that local providers usually listen on, and recognises who
// answers by what only that server says. No key is sent, and nothing but this machine is asked.
import type { Clock } from '../clock'
import { parseModelList } from '../models/parse-model-list'
import type { Transport } from '../pipeline/transport'
import { type Got, getText } from './get-text'
import { type LocalSign, mainDialect, type ProviderRow } from './provider-row'

export interface LocalServer {
  readonly provider: string
  readonly baseUrl: string
  readonly models: readonly string[]
}

/** A port, and the provider that is taken to be there where nothing tells. */
export interface LocalPlace {
  readonly port: number
  readonly row: ProviderRow
}

/** For each answer. What runs here answers at once, or is not there. */
const LIMIT_MS = 500
const USUAL_BASE = '/v1'
/** The row for servers that nobody recognises, if there is one. */
const UNKNOWN = 'local-server'

export const localPlaces = (rows: readonly ProviderRow[]): LocalPlace[] =>
  rows.flatMap((row) => (row.localPort === null ? [] : [{ port: row.localPort, row }]))

export async function discoverLocal(
  rows: readonly ProviderRow[],
  transport: Transport,
  clock: Clock,
  places: readonly LocalPlace[] = localPlaces(rows),
): Promise<LocalServer[]> {
  const ports = [...new Set(places.map(({ port }) => port))]
  const found = await Promise.all(
    ports.map((port) => {
      const here = places.filter((place) => place.port === port).map(({ row }) => row)
      return lookAt(port, rows, here, askAt(port, transport, clock))
    }),
  )
  return found.flatMap((server) => (server === null ? [] : [server]))
}

type Ask = (path: string) => Promise<Got>

/** Each path once, however often it is asked for. */
function askAt(port: number, transport: Transport, clock: Clock): Ask {
  const asked = new Map<string, Promise<Got>>()
  const headers = ['accept', 'application/json']
  return (path) => {
    const known = asked.get(path)
    if (known !== undefined) return known
    const got = getText(transport, { origin: `http://127.0.0.1:${port}`, path, headers }, clock, LIMIT_MS)
    asked.set(path, got)
    return got
  }
}

async function lookAt(
  port: number,
  rows: readonly ProviderRow[],
  usualHere: readonly ProviderRow[],
  ask: Ask,
): Promise<LocalServer | null> {
  const first = await ask(`${USUAL_BASE}/models`)
  if (first.status === null) return null
  const local = rows.filter(({ localSigns }) => localSigns.length > 0)
  const shown = await Promise.all(local.map(({ localSigns }) => showsSign(localSigns, ask)))
  const recognised = local.find((_row, i) => shown[i])
  const row = recognised ?? usualHere.find(({ localSigns }) => localSigns.length === 0) ?? unknown(rows)
  if (row === undefined) return null
  const base = basePathOf(row)
  const models = parseModelList((await ask(`${base}/models`)).text)?.models.map(({ id }) => id)
  // A recognised server may want a key first; anything else without a list of models is no model server.
  if (models === undefined && recognised === undefined) return null
  return { provider: row.id, baseUrl: `http://127.0.0.1:${port}${base}`, models: models ?? [] }
}

const unknown = (rows: readonly ProviderRow[]): ProviderRow | undefined => rows.find(({ id }) => id === UNKNOWN)

async function showsSign(signs: readonly LocalSign[], ask: Ask): Promise<boolean> {
  const shown = await Promise.all(signs.map(async ({ path, answer }) => answer.test((await ask(path)).text)))
  return shown.includes(true)
}

function basePathOf(row: ProviderRow): string {
  const base = row.endpoints[mainDialect(row)] ?? ''
  return base === '' ? USUAL_BASE : new URL(base).pathname.replace(/\/+$/, '')
}
