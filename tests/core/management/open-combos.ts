// The operations on combos over databases in memory: two providers with two connections each, whose lists are known.
import { vi } from 'vitest'
import {
  OPERATIONS,
  type OperationName,
  type OperationOutput,
  type Operations,
} from '../../../core/contract/operations'
import { ClientKeys } from '../../../core/management/client-keys'
import { comboViews } from '../../../core/management/combo-views'
import { comboOperations, type ExplainCombo } from '../../../core/management/combos'
import { aliasOperations } from '../../../core/management/model-aliases'
import type { Parts } from '../../../core/management/parts'
import type { TryTarget } from '../../../core/management/try-request'
import { ModelBook } from '../../../core/models/model-book'
import { loadModelTable } from '../../../core/models/model-table'
import { modelsCall } from '../../../core/providers/models-call'
import { buildConnection, type Provider, type Registry } from '../../../core/providers/registry'
import { ComboBook } from '../../../core/routing/combo-book'
import { openClientKeysTable } from '../../../core/store/client-keys-table'
import { openCombosTable } from '../../../core/store/combos-table'
import { openListedModelsTable } from '../../../core/store/listed-models-table'
import { openModelAliasesTable } from '../../../core/store/model-aliases-table'
import { openModelsTable } from '../../../core/store/models-table'
import { ManualClock } from '../../support/manual-clock'
import { memoryDatabase } from '../../support/memory-databases'
import { ROWS } from '../models/worlds'
import { quietLogger } from './open-config'

/** `con_<provider>_<name>`; "work" is the name of one connection of each provider. */
export const CONNECTIONS = { openai: ['work', 'home'], glm: ['work', 'spare'] } as const

function registryOf(connections: Readonly<Record<string, readonly string[]>>): Registry {
  return new Map<string, Provider>(
    ROWS.map((row) => {
      const made = (connections[row.id] ?? []).map((name, i) =>
        buildConnection(
          row,
          { id: `con_${row.id}_${name}`, name, priority: i + 1, enabled: !name.startsWith('off'), baseUrl: null },
          'sk-test',
          false,
          null,
        ),
      )
      return [row.id, { row, connections: made }]
    }),
  )
}

export interface ComboWorldParts {
  readonly connections?: Readonly<Record<string, readonly string[]>>
  /** Model names by provider; null: its list was never fetched. */
  readonly listed?: Readonly<Record<string, readonly string[]>>
  readonly tryTarget?: TryTarget
}

export function openCombos({
  connections = CONNECTIONS,
  listed = { openai: ['gpt-5', 'gpt-5-mini', 'shared'], glm: ['glm-5', 'shared'] },
  tryTarget = { port: 9, key: '' },
}: ComboWorldParts = {}) {
  const [config, state] = [memoryDatabase('config'), memoryDatabase('state')]
  const [clock, log] = [new ManualClock(), quietLogger()]
  const current = { registry: registryOf(connections) }
  const told = vi.fn()
  const keys = new ClientKeys(openClientKeysTable(config), clock, log)
  const tables = { userModels: openModelsTable(config), aliases: openModelAliasesTable(config) }
  const modelBook = new ModelBook({
    ...{ registry: () => current.registry, callOf: modelsCall, lists: openListedModelsTable(state), ...tables },
    ...{ loadTable: loadModelTable, startedAt: clock.now(), changed: told },
    combos: () => ({ snapshot: combos.snapshot(), membersOf: combos.membersOf }),
  })
  const table = openCombosTable(config)
  const combos: ComboBook = new ComboBook({
    ...{ stored: table.list, models: modelBook.world, inherited: () => NOTHING },
    changed: () => modelBook.combosChanged(),
  })
  for (const { place } of modelBook.places()) {
    const names = listed[place.provider]
    const models = (names ?? []).map((id) => ({ id, label: null, embeds: id.startsWith('embed'), facts: {} }))
    if (names !== undefined) modelBook.fetched(place, models, clock.now())
  }
  const book = {
    registry: () => current.registry,
    rows: () => ROWS,
    find(id: string) {
      for (const provider of current.registry.values()) {
        const connection = provider.connections.find((known) => known.id === id)
        if (connection !== undefined) return { provider, connection }
      }
      return null
    },
  }
  const parts = {
    ...{ clock, log, book, keys, combos, combosTable: table, redact: (text: string) => text },
    models: { book: modelBook, ...tables },
  } as unknown as Parts
  told.mockClear()
  const operations = { ...comboOperations(parts, () => tryTarget, nothingExplained), ...aliasOperations(parts) }
  return {
    ...{ operations, combos, table, parts, clock, modelBook, told, keys },
    views: () => comboViews(parts),
    connect: (next: Readonly<Record<string, readonly string[]>>) => {
      current.registry = registryOf(next)
    },
    /** As the window asks: input checked, so that what is left out has its default. */
    ask: <N extends Asked>(name: N, input: unknown): Promise<OperationOutput<N>> =>
      (operations as unknown as Operations)[name](OPERATIONS[name].input.parse(input) as never) as never,
    /** A combo of these models, and `combo/…` for others. */
    make: (name: string, ...models: readonly string[]) =>
      operations['combos:create']({ name, steps: models.map((model) => ({ model })) }),
  }
}

type Asked = Extract<OperationName, `combos:${string}` | `aliases:${string}`>

const NOTHING = {}
const nothingExplained: ExplainCombo = async () => ({ reasons: [], staying: new Map() })
