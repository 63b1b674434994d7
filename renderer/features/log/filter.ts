import type { RequestView } from '../../../core/contract/views'

export interface LogFilter {
  readonly search: string
  readonly outcome: RequestView['outcome'] | 'all'
}

/** Whether a pushed request belongs in the list as it is filtered now. */
export function matches(request: RequestView, { search, outcome }: LogFilter): boolean {
  if (outcome !== 'all' && request.outcome !== outcome) return false
  const wanted = search.trim().toLowerCase()
  if (wanted === '') return true
  const { id, model, target, tool, clientKey, code, message } = request
  return [id, model, target, tool, clientKey, code, message].some(
    (text) => text?.toLowerCase().includes(wanted) ?? false,
  )
}
