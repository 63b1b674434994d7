// How well families of models do at kinds of task, from 0 to 1: rough, and only for comparing. Names nobody here knows
// are 0.5. The first row that matches counts.
import type { Task } from '../../../contract/auto-words'

interface FitRow {
  /** Of the bare model name, in lower case. */
  readonly models: RegExp
  readonly fit: number
  readonly tasks?: Readonly<Partial<Record<Task, number>>>
}

export const UNKNOWN_FIT = 0.5

const ROWS: readonly FitRow[] = [
  { models: /embed|whisper|tts|image|dall-e|moderation/, fit: 0 },
  { models: /codex/, fit: 0.85, tasks: { coding: 0.95, debugging: 0.95, review: 0.92, documentation: 0.75 } },
  { models: /opus/, fit: 0.95 },
  { models: /sonnet/, fit: 0.9, tasks: { coding: 0.93, debugging: 0.92 } },
  { models: /haiku|gpt-.*(mini|nano)|flash-lite/, fit: 0.65, tasks: { documentation: 0.75, planning: 0.55 } },
  { models: /gpt-[5-9]|\bo[134](-|$)/, fit: 0.9, tasks: { planning: 0.94, analysis: 0.94 } },
  { models: /gemini.*flash/, fit: 0.7, tasks: { documentation: 0.78 } },
  { models: /gemini.*pro|gemini-[3-9]/, fit: 0.87, tasks: { analysis: 0.92, planning: 0.9 } },
  { models: /reasoner|-r1|thinking/, fit: 0.8, tasks: { planning: 0.88, analysis: 0.88 } },
  {
    models: /devstral|codestral|coder|starcoder|codellama/,
    fit: 0.65,
    tasks: { coding: 0.82, debugging: 0.78, review: 0.75 },
  },
  { models: /deepseek|kimi|glm-[5-9]|minimax/, fit: 0.8, tasks: { coding: 0.84 } },
  { models: /grok/, fit: 0.8, tasks: { analysis: 0.84 } },
  { models: /qwen.*max|mistral-(large|medium)|command-a|nova-premier/, fit: 0.76 },
  { models: /gpt-oss-120b|llama.*(405b|70b|maverick)|qwen3/, fit: 0.7 },
  { models: /(^|[^\d])([1-9]|1[0-4])b([^a-z0-9]|$)|tiny|mini|small|nano|lite/, fit: 0.4 },
]

const MOST_REMEMBERED = 2_000
/** Patterns are tried once per name. */
const remembered = new Map<string, FitRow | null>()

function rowOf(model: string): FitRow | null {
  const known = remembered.get(model)
  if (known !== undefined) return known
  const name = model.toLowerCase()
  const row = ROWS.find(({ models }) => models.test(name)) ?? null
  if (remembered.size >= MOST_REMEMBERED) remembered.clear()
  remembered.set(model, row)
  return row
}

/** @param task null: nobody can tell; then the model in general */
export function taskFit(model: string, task: Task | null): number {
  const row = rowOf(model)
  if (row === null) return UNKNOWN_FIT
  return (task === null ? undefined : row.tasks?.[task]) ?? row.fit
}

/** Words that give a task away, in the order in which they are looked for. */
const SIGNS: readonly (readonly [Task, RegExp])[] = [
  [
    'debugging',
    /\b(debug|stack ?trace|traceback|exception|segfault|why (does|is) .{0,40}(fail|crash)|fix (the|this|a) (bug|error))/i,
  ],
  ['review', /\b(code review|review (this|the|my)|pull request|critique)\b/i],
  ['documentation', /\b(document(ation)?|docstring|readme|changelog|javadoc|jsdoc)\b/i],
  ['planning', /\b(plan|roadmap|design doc|architecture|break (it|this) down|milestones?)\b/i],
  ['coding', /```|\b(implement|refactor|function|class|compile|unit tests?|typescript|python|rust|golang|java|sql)\b/i],
  ['analysis', /\b(analy[sz]e|analysis|compare|evaluate|summari[sz]e|explain)\b/i],
]

/** Only the beginning of a text is read. */
const READ_CHARS = 4_000

/** What the user's last words are about; null: nobody can tell. */
export function taskOf(text: string): Task | null {
  const beginning = text.slice(0, READ_CHARS)
  return SIGNS.find(([, sign]) => sign.test(beginning))?.[0] ?? null
}
