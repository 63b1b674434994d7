// /api/explain: an error that someone has before them, explained.
import { OPERATIONS } from '../../contract/operations'
import { type ManagementRoute, route } from './route'

export const explainRoutes: readonly ManagementRoute[] = [
  route({
    method: 'POST',
    path: '/api/explain',
    about:
      'What a provider’s error proves and what would follow from it, as if it came first, with the settings in force. `id` is given back; `now` left out: now. Further fields are ignored, and nothing is changed.',
    body: OPERATIONS['failures:explain'].input,
    answer: OPERATIONS['failures:explain'].output,
    run: ({ body }, { operations }) => operations['failures:explain'](body),
  }),
]
