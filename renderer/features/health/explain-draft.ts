// A pasted error: what is entered, what is wrong with it, and what is sent. Pure.
import type { CallInput, IpcError } from '../../../core/contract/ipc'
import { messageAtField } from '../../app/error-words'

export interface ExplainDraft {
  /** A provider's id; empty: not chosen yet. */
  readonly provider: string
  readonly status: string
  readonly model: string
  /** One a line: "retry-after: 20". */
  readonly headers: string
  readonly body: string
}
export type ExplainErrors = Partial<Record<keyof ExplainDraft | 'general', string>>

export const NO_ERROR: ExplainDraft = { provider: '', status: '', model: '', headers: '', body: '' }

const MOST_CHARACTERS = 1_000_000

type ReadHeaders =
  | { readonly ok: true; readonly headers: Record<string, string> }
  | { readonly ok: false; readonly message: string }

/** "name: value" a line, or a JSON object as programs print it. */
export function readHeaders(text: string): ReadHeaders {
  const trimmed = text.trim()
  if (trimmed === '') return { ok: true, headers: {} }
  if (trimmed.startsWith('{')) return readJsonHeaders(trimmed)
  const headers: Record<string, string> = {}
  for (const [index, line] of text.split('\n').entries()) {
    const plain = withoutMark(line).trim()
    if (plain === '') continue
    const [, name, value] = /^([^\s:]+)\s*:\s*(.*)$/.exec(plain) ?? []
    if (name === undefined) return { ok: false, message: `Line ${index + 1}: write "name: value", one a line.` }
    headers[name.toLowerCase()] = value ?? ''
  }
  return { ok: true, headers }
}

function readJsonHeaders(text: string): ReadHeaders {
  const wrong: ReadHeaders = { ok: false, message: 'Not a JSON object of names and texts.' }
  try {
    const entries = Object.entries(JSON.parse(text) as object)
    const isPlain = entries.every(([, value]) => typeof value === 'string' || typeof value === 'number')
    return isPlain ? { ok: true, headers: Object.fromEntries(entries.map(([k, v]) => [k, String(v)])) } : wrong
  } catch {
    return wrong
  }
}

/** curl -v puts "< " in front of what came. */
const withoutMark = (line: string): string => line.replace(/^<\s?/, '')

/** A whole answer with its status line, as `curl -i` prints it, taken apart; null: it is a body alone. */
export function takeApart(text: string): Pick<ExplainDraft, 'status' | 'headers' | 'body'> | null {
  const lines = text.trimStart().split(/\r?\n/)
  const status = /^(?:<\s?)?HTTP\/[\d.]+ (\d{3})/.exec(lines[0] ?? '')?.[1]
  if (status === undefined) return null
  const end = lines.findIndex((line, index) => index > 0 && withoutMark(line).trim() === '')
  const head = lines.slice(1, end === -1 ? undefined : end).map(withoutMark)
  return {
    status,
    headers: head.join('\n'),
    body:
      end === -1
        ? ''
        : lines
            .slice(end + 1)
            .join('\n')
            .trim(),
  }
}

export function checkExplain({ provider, status, headers, body }: ExplainDraft): ExplainErrors {
  const read = readHeaders(headers)
  return {
    ...(provider === '' ? { provider: 'Choose the provider that the error came from.' } : {}),
    ...(/^[1-5]\d\d$/.test(status.trim()) ? {} : { status: 'An HTTP status, 100 to 599, such as 429.' }),
    ...(read.ok ? {} : { headers: read.message }),
    ...(body.length > MOST_CHARACTERS ? { body: 'At most a million characters: the first part is enough.' } : {}),
  }
}

export function toExplain({ provider, status, model, headers, body }: ExplainDraft): CallInput<'failures:explain'> {
  const read = readHeaders(headers)
  return {
    ...{ provider, status: Number(status), body },
    headers: read.ok ? read.headers : {},
    ...(model.trim() === '' ? {} : { model: model.trim() }),
  }
}

const FIELDS = ['provider', 'status', 'model', 'headers', 'body'] as const

/** A refusal at the field it is about. */
export function placeExplainError(error: IpcError): ExplainErrors {
  const field = FIELDS.find((each) => error.field === each || error.field?.startsWith(`${each}.`))
  return field === undefined ? { general: error.message } : { [field]: messageAtField(error) }
}
