import type { Database } from 'better-sqlite3'
import type { ModelFacts } from '../contract/model-facts'

/** What the user says of one model. */
export interface UserModel {
  readonly provider: string
  readonly model: string
  /** Added by hand: it is listed whether the provider lists it or not. */
  readonly added: boolean
  readonly hidden: boolean
  readonly label: string | null
  readonly facts: ModelFacts
  readonly changedAt: number
}

export interface ModelsTable {
  list(): UserModel[]
  find(provider: string, model: string): UserModel | null
  /** Inserts, or replaces the one of the same provider and name. */
  save(model: UserModel): void
  remove(provider: string, model: string): void
}

interface Row {
  provider: string
  model: string
  added: number
  hidden: number
  label: string | null
  context_window: number | null
  max_output: number | null
  input_price: number | null
  output_price: number | null
  cache_read_price: number | null
  cache_write_price: number | null
  tools: number | null
  images: number | null
  reasoning: number | null
  changed_at: number
}

export function openModelsTable(database: Database): ModelsTable {
  const list = database.prepare<[], Row>('SELECT * FROM models ORDER BY provider, model')
  const find = database.prepare<[string, string], Row>('SELECT * FROM models WHERE provider = ? AND model = ?')
  const save = database.prepare(
    `INSERT OR REPLACE INTO models VALUES
     (@provider, @model, @added, @hidden, @label, @contextWindow, @maxOutput, @inputPrice, @outputPrice,
      @cacheReadPrice, @cacheWritePrice, @tools, @images, @reasoning, @changedAt)`,
  )
  const remove = database.prepare('DELETE FROM models WHERE provider = ? AND model = ?')
  return {
    list: () => list.all().map(toModel),
    find(provider, model) {
      const row = find.get(provider, model)
      return row === undefined ? null : toModel(row)
    },
    save({ facts, added, hidden, ...rest }) {
      save.run({
        ...rest,
        added: bit(added),
        hidden: bit(hidden),
        contextWindow: facts.contextWindow ?? null,
        maxOutput: facts.maxOutput ?? null,
        inputPrice: facts.inputPrice ?? null,
        outputPrice: facts.outputPrice ?? null,
        cacheReadPrice: facts.cacheReadPrice ?? null,
        cacheWritePrice: facts.cacheWritePrice ?? null,
        tools: bit(facts.tools),
        images: bit(facts.images),
        reasoning: bit(facts.reasoning),
      })
    },
    remove: (provider, model) => void remove.run(provider, model),
  }
}

function bit(flag: boolean): number
function bit(flag: boolean | undefined): number | null
function bit(flag: boolean | undefined): number | null {
  return flag === undefined ? null : flag ? 1 : 0
}

const toModel = (row: Row): UserModel => ({
  provider: row.provider,
  model: row.model,
  added: row.added === 1,
  hidden: row.hidden === 1,
  label: row.label,
  facts: {
    ...(row.context_window === null ? {} : { contextWindow: row.context_window }),
    ...(row.max_output === null ? {} : { maxOutput: row.max_output }),
    ...(row.input_price === null ? {} : { inputPrice: row.input_price }),
    ...(row.output_price === null ? {} : { outputPrice: row.output_price }),
    ...(row.cache_read_price === null ? {} : { cacheReadPrice: row.cache_read_price }),
    ...(row.cache_write_price === null ? {} : { cacheWritePrice: row.cache_write_price }),
    ...(row.tools === null ? {} : { tools: row.tools === 1 }),
    ...(row.images === null ? {} : { images: row.images === 1 }),
    ...(row.reasoning === null ? {} : { reasoning: row.reasoning === 1 }),
  },
  changedAt: row.changed_at,
})
