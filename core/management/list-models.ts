// The state of the fetched model lists, in sentences.
import type { ModelListState } from '../contract/model-views'
import type { ModelBook } from '../models/model-book'

export const listStates = (book: ModelBook): ModelListState[] =>
  book.places().map(({ place: { provider, address }, fetchedAt, count, failure }) => ({
    provider,
    address,
    fetchedAt,
    count,
    why: failure === null ? '' : `Not fetched: ${failure}.`,
  }))
