// Names of tools that the upstream's API would refuse: it is sent others in their place, and the calls of its answer
// get the client's names back. Coding tools pass on whatever an MCP server calls its tools, up to 128 characters.
import type { AnswerEvent, CanonicalRequest, Part, Turn } from './canonical'
import { freeName } from './shortened'

/** Which names of tools an API takes. */
export interface ToolNameRule {
  /** Matches every name it takes, and no other. */
  readonly pattern: RegExp
  /** Characters. */
  readonly maxLength: number
  /** One character that no name may hold. Global, and by code points. */
  readonly refused: RegExp
}

/** Names as the upstream has them → as the client has them. Only those that differ. */
export type RenamedTools = ReadonlyMap<string, string>

export const NOT_RENAMED: RenamedTools = new Map()

export interface WithToolNames {
  readonly request: CanonicalRequest
  readonly renamed: RenamedTools
}

/**
 * The request with names that the rule allows, the same in tools, choice and conversation. Names that it allows
 * already stay, and no other name becomes one of them.
 */
export function renameTools(request: CanonicalRequest, rule: ToolNameRule): WithToolNames {
  const names = namesIn(request)
  const refused = [...names].filter((name) => !rule.pattern.test(name))
  if (refused.length === 0) return { request, renamed: NOT_RENAMED }
  const toUpstream = new Map<string, string>()
  const renamed = new Map<string, string>()
  for (const name of refused) {
    const given = freeName(allowed(name, rule), rule.maxLength, (taken) => names.has(taken) || renamed.has(taken))
    toUpstream.set(name, given)
    renamed.set(given, name)
  }
  return { request: withNames(request, (name) => toUpstream.get(name) ?? name), renamed }
}

/** The events of an answer with the client's names of its tools. */
export function withClientNames(events: readonly AnswerEvent[], renamed: RenamedTools): readonly AnswerEvent[] {
  if (renamed.size === 0) return events
  return events.map((event) =>
    event.kind === 'tool-call' ? { ...event, name: renamed.get(event.name) ?? event.name } : event,
  )
}

function namesIn({ tools, toolChoice, turns }: CanonicalRequest): ReadonlySet<string> {
  const names = new Set(tools.map(({ name }) => name))
  if (toolChoice?.kind === 'tool') names.add(toolChoice.name)
  for (const { parts } of turns) {
    for (const part of parts) if (isNamed(part) && part.name !== null) names.add(part.name)
  }
  return names
}

/** The nearest name of allowed characters. It may be too long still. */
function allowed(name: string, { pattern, maxLength, refused }: ToolNameRule): string {
  const plain = name.replace(refused, '_')
  // What is refused for its first character only, or because it is empty.
  return pattern.test(plain.slice(0, maxLength)) ? plain : `_${plain}`
}

type Rename = (name: string) => string

function withNames(request: CanonicalRequest, rename: Rename): CanonicalRequest {
  const { tools, toolChoice, turns } = request
  return {
    ...request,
    tools: tools.map((tool) => ({ ...tool, name: rename(tool.name) })),
    toolChoice: toolChoice?.kind === 'tool' ? { kind: 'tool', name: rename(toolChoice.name) } : toolChoice,
    turns: turns.map((turn): Turn => ({ ...turn, parts: turn.parts.map((part) => withName(part, rename)) })),
  }
}

function withName(part: Part, rename: Rename): Part {
  return isNamed(part) && part.name !== null ? { ...part, name: rename(part.name) } : part
}

/** Documents have names too, and keep them. */
const isNamed = (part: Part): part is Extract<Part, { kind: 'tool-call' | 'tool-result' }> =>
  part.kind === 'tool-call' || part.kind === 'tool-result'
