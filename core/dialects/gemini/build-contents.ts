// Turns → contents in the order Gemini demands: user first, roles in turn, the results of all calls right behind them.
import type { CanonicalRequest, JsonObject, Part, ToolCallPart } from '../canonical'
import { modelParts, userParts } from './build-parts'
import { NOT_OURS } from './signature'
import { demandsSignatures } from './thinking-config'

type Content = {
  readonly role: 'user' | 'model'
  readonly parts: readonly JsonObject[]
}

export function buildContents({ turns }: Pick<CanonicalRequest, 'turns'>, model: string): readonly JsonObject[] {
  const contents: Content[] = []
  let calls: readonly ToolCallPart[] = []
  for (const run of runsOf(turns)) {
    if (run.isModel) {
      add(contents, 'model', modelParts(run.parts))
      calls = run.parts.filter((part) => part.kind === 'tool-call')
    } else {
      add(contents, 'user', userParts(run.parts, calls))
      calls = []
    }
  }
  if (calls.length > 0) add(contents, 'user', userParts([], calls))
  return demandsSignatures(model) ? signed(contents) : [...contents]
}

interface Run {
  readonly isModel: boolean
  readonly parts: Part[]
}

/** Turns of one side that follow each other are one. Later system messages are said by the user: there is no other place. */
function runsOf(turns: CanonicalRequest['turns']): readonly Run[] {
  const runs: Run[] = []
  for (const { role, parts } of turns) {
    const isModel = role === 'assistant'
    const last = runs.at(-1)
    if (last?.isModel === isModel) last.parts.push(...parts)
    else runs.push({ isModel, parts: [...parts] })
  }
  return runs
}

function add(contents: Content[], role: Content['role'], parts: readonly JsonObject[]): void {
  if (parts.length === 0) return
  if (contents.length === 0 && role === 'model') contents.push({ role: 'user', parts: [{ text: 'Hello.' }] })
  const last = contents.at(-1)
  if (last?.role === role) contents[contents.length - 1] = { role, parts: [...last.parts, ...parts] }
  else contents.push({ role, parts })
}

/** Calls of the running turn that another model made, marked as such (signature.ts). */
function signed(contents: readonly Content[]): readonly Content[] {
  const begin = contents.findLastIndex(({ role, parts }) => role === 'user' && !parts.some(isResponse))
  return contents.map((content, at) => {
    if (at < begin || content.role === 'user') return content
    const first = content.parts.findIndex(isCall)
    if (first < 0 || content.parts[first]?.thoughtSignature !== undefined) return content
    return {
      role: content.role,
      parts: content.parts.map((part, index) => (index === first ? { ...part, thoughtSignature: NOT_OURS } : part)),
    }
  })
}

const isCall = (part: JsonObject): boolean => part.functionCall !== undefined
const isResponse = (part: JsonObject): boolean => part.functionResponse !== undefined
