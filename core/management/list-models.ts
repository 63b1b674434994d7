// The models the gateway can name without asking anyone: those of the practice provider, for now. Any other name of a
// connected provider passes through.
import type { ListedModel } from '../http/endpoints/models'
import { PRACTICE_MODELS } from '../practice/practice-models'
import { PRACTICE_ID } from '../providers/catalogue'
import type { Parts } from './parts'

export function listModels({ book }: Parts): ListedModel[] {
  const practice = book.registry().get(PRACTICE_ID)
  if (practice === undefined) return []
  return PRACTICE_MODELS.map(({ id }) => ({
    id: `${PRACTICE_ID}/${id}`,
    label: `${practice.row.label}: ${id}`,
    owner: PRACTICE_ID,
  }))
}
