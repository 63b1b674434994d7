// /api/keys: who may call the gateway. A key stands in clear in the one answer that makes it.
import { z } from 'zod'
import { OPERATIONS } from '../../contract/operations'
import { ClientKeyView } from '../../contract/views'
import { DONE, Done } from './fields'
import { type ManagementRoute, route } from './route'

export const keyRoutes: readonly ManagementRoute[] = [
  route({
    method: 'GET',
    path: '/api/keys',
    about: 'The client keys, masked.',
    answer: z.object({ keys: z.array(ClientKeyView) }),
    run: async (_, { operations }) => ({ keys: await operations['keys:list'](undefined) }),
  }),
  route({
    method: 'POST',
    path: '/api/keys',
    about: 'Makes a client key. `key` is the key itself, told this once and never again.',
    body: z.strictObject(OPERATIONS['keys:create'].input.shape),
    status: 201,
    answer: ClientKeyView.extend({ key: z.string() }),
    async run({ body }, { operations, plainKey }) {
      const view = await operations['keys:create'](body)
      return { ...view, key: plainKey(view.id) ?? '' }
    },
  }),
  route({
    method: 'DELETE',
    path: '/api/keys/{id}',
    about: 'Removes a client key; who uses it gets 401 from then on.',
    answer: Done,
    async run({ params }, { operations }) {
      await operations['keys:remove']({ id: params.id ?? '' })
      return DONE
    },
  }),
]
