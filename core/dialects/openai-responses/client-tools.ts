// The tools of a request under the names a model of another dialect knows them by. Namespaces are flattened, for no
// other dialect has them; the answer's calls find their way back by the same table, never by splitting a name.
import { badInput } from '../../errors'
import type { JsonObject, ToolDefinition } from '../canonical'
import { isObject, maybeBoolean, maybeString, needArray, needObject, needString, objectsOf } from '../json'
import { shortened } from '../shortened'
import type { FieldNotes } from '../translation'
import { type BuiltIn, builtInOf } from './built-in-tools'

export interface ClientTool {
  readonly kind: 'function' | 'custom' | BuiltIn
  /** null outside of a namespace, and in the one that stands for none. */
  readonly namespace: string | null
  /** Within its namespace. */
  readonly ownName: string
  /** Its name is the flattened one. */
  readonly definition: ToolDefinition
}

/** The namespace in which Codex puts the tools that have none. */
const NO_NAMESPACE = 'functions'

/** Longest name that every provider takes. */
const MAX_NAME = 64

/** Without effect on another dialect, and said so. */
const DROPPED_MEMBERS = ['allowed_callers', 'async', 'defer_loading', 'output_schema'] as const

export class ClientTools {
  private readonly byName = new Map<string, ClientTool>()
  private readonly byOwnName = new Map<string, ClientTool>()
  /** Types of the tools that were left out: they run at OpenAI. */
  readonly hosted = new Set<string>()

  /** @throws GatewayError 400 naming the field */
  constructor(
    body: JsonObject,
    private readonly notes: FieldNotes,
  ) {
    if (body.tools !== undefined && body.tools !== null) this.addAll(body.tools, 'tools')
    if (!Array.isArray(body.input)) return
    body.input.forEach((item, index) => {
      if (isObject(item) && LOADING_ITEMS.has(item.type)) this.addAll(item.tools, `input[${index}].tools`)
    })
  }

  get all(): readonly ClientTool[] {
    return [...this.byName.values()]
  }

  /** By the name a model called it. */
  get(name: string): ClientTool | undefined {
    return this.byName.get(name)
  }

  /** The flattened name of a tool, also of one that is no longer offered. */
  nameOf(namespace: string | null, ownName: string): string {
    const known = this.byOwnName.get(keyOf(spaceOf(namespace), ownName))
    return known?.definition.name ?? flatName(spaceOf(namespace), ownName)
  }

  private addAll(tools: unknown, path: string): void {
    needArray(tools, path).forEach((tool, index) => {
      this.addTool(needObject(tool, `${path}[${index}]`), `${path}[${index}]`)
    })
  }

  private addTool(tool: JsonObject, path: string): void {
    const type = needString(tool.type, `${path}.type`)
    if (type === 'function' || type === 'custom') return this.addOwn(tool, path, null, null)
    if (type === 'namespace') return this.addNamespace(tool, path)
    const builtIn = builtInOf(tool)
    if (builtIn !== null) return this.add({ ...builtIn, namespace: null, ownName: builtIn.kind })
    this.hosted.add(type)
    this.notes.dropped(`tools[].${type}`)
  }

  private addNamespace(tool: JsonObject, path: string): void {
    const namespace = needString(tool.name, `${path}.name`)
    const members = needArray(tool.tools, `${path}.tools`)
    // The model is told once what the tools of a namespace are about: with the first of them.
    let about = spaceOf(namespace) === null ? null : maybeString(tool.description, `${path}.description`)
    members.forEach((member, index) => {
      const at = `${path}.tools[${index}]`
      const inner = needObject(member, at)
      if (inner.type !== 'function' && inner.type !== 'custom') {
        throw badInput(`${at}.type`, 'must be "function" or "custom".')
      }
      this.addOwn(inner, at, namespace, about)
      about = null
    })
  }

  private addOwn(tool: JsonObject, path: string, namespace: string | null, about: string | null): void {
    const ownName = needString(tool.name, `${path}.name`)
    if (ownName === '') throw badInput(`${path}.name`, 'must not be empty.')
    const space = spaceOf(namespace)
    const description = joined(about, maybeString(tool.description, `${path}.description`))
    const name = this.freeName(flatName(space, ownName), keyOf(space, ownName))
    for (const member of DROPPED_MEMBERS) {
      if (tool[member] !== undefined && tool[member] !== null && tool[member] !== false)
        this.notes.dropped(`tools[].${member}`)
    }
    if (tool.type === 'custom') {
      const text = joined(description, grammarOf(tool))
      const definition = { name, description: text, schema: null, strict: null, freeForm: true }
      return this.add({ kind: 'custom', namespace: space, ownName, definition })
    }
    // Some clients send schemas that are no objects: such a tool takes whatever the model gives.
    const schema = isObject(tool.parameters) ? tool.parameters : null
    const strict = maybeBoolean(tool.strict, `${path}.strict`)
    this.add({
      kind: 'function',
      namespace: space,
      ownName,
      definition: { name, description, schema, strict, freeForm: false },
    })
  }

  /** The first definition of a tool wins: later items repeat it. */
  private add(tool: ClientTool): void {
    const key = keyOf(tool.namespace, tool.ownName)
    if (this.byOwnName.has(key)) return
    this.byOwnName.set(key, tool)
    this.byName.set(tool.definition.name, tool)
  }

  private freeName(wanted: string, key: string): string {
    for (let count = 1; ; count++) {
      const name = count === 1 ? wanted : shortened(`${wanted}_${count}`, MAX_NAME)
      const taken = this.byName.get(name)
      if (taken === undefined || keyOf(taken.namespace, taken.ownName) === key) return name
    }
  }
}

/** Items of a conversation that bring further tools. */
const LOADING_ITEMS: ReadonlySet<unknown> = new Set(['additional_tools', 'tool_search_output'])

/** What each tool of a list is called, for results that name the tools they found. */
export const toolNames = (tools: ClientTools, list: unknown): string[] =>
  objectsOf(list).flatMap((tool) => {
    if (typeof tool.name !== 'string') return []
    const { name } = tool
    if (tool.type !== 'namespace') return [tools.nameOf(null, name)]
    return objectsOf(tool.tools).flatMap((inner) =>
      typeof inner.name === 'string' ? [tools.nameOf(name, inner.name)] : [],
    )
  })

const spaceOf = (namespace: string | null): string | null =>
  namespace === null || namespace === '' || namespace === NO_NAMESPACE ? null : namespace

const keyOf = (namespace: string | null, ownName: string): string => `${namespace ?? ''}\n${ownName}`

function flatName(namespace: string | null, ownName: string): string {
  if (namespace === null) return ownName
  const glue = namespace.endsWith('_') || ownName.startsWith('_') ? '' : '__'
  return shortened(`${namespace}${glue}${ownName}`.replace(/[^\w-]/g, '_'), MAX_NAME)
}

const joined = (...texts: readonly (string | null)[]): string | null =>
  texts.filter((text) => text !== null && text !== '').join('\n\n') || null

function grammarOf({ format }: JsonObject): string | null {
  if (!isObject(format) || typeof format.definition !== 'string') return null
  const syntax = typeof format.syntax === 'string' ? `${format.syntax} ` : ''
  return `The input is plain text, not JSON, and must match this ${syntax}grammar:\n\n${format.definition}`
}
