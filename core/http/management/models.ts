// /api/models and /api/aliases: what models there are, what the user says of them, and the user's own names.
import { z } from 'zod'
import { AliasView, ModelListState, ModelsPage, ModelView } from '../../contract/model-views'
import { OPERATIONS } from '../../contract/operations'
import { DONE, Done, providerText, queryInt } from './fields'
import { type ManagementRoute, route } from './route'

const { id: _, ...aliasFields } = OPERATIONS['aliases:update'].input.shape

export const modelRows: readonly ManagementRoute[] = [
  route({
    method: 'GET',
    path: '/api/models',
    about: 'The models of providers that can be used now. `search`: a part of name or label.',
    query: z.strictObject({
      provider: providerText.optional(),
      search: z.string().max(200).optional(),
      limit: queryInt(1, 5000).optional(),
    }),
    answer: ModelsPage,
    run: ({ query: { limit = 500, ...query } }, { operations }) => operations['models:list']({ ...query, limit }),
  }),
  route({
    method: 'POST',
    path: '/api/models',
    about: 'Adds a model that the provider does not list.',
    body: z.strictObject(OPERATIONS['models:add'].input.shape),
    status: 201,
    answer: ModelView,
    run: ({ body }, { operations }) => operations['models:add'](body),
  }),
  route({
    method: 'PATCH',
    path: '/api/models',
    about: 'Says of a model what lists do not, or hides it. `null` takes a value back.',
    body: z.strictObject(OPERATIONS['models:edit'].input.shape),
    answer: ModelView,
    run: ({ body }, { operations }) => operations['models:edit'](body),
  }),
  route({
    method: 'DELETE',
    path: '/api/models',
    about: 'Takes back what was added by hand, or all edits of a listed model.',
    body: z.strictObject(OPERATIONS['models:remove'].input.shape),
    answer: Done,
    async run({ body }, { operations }) {
      await operations['models:remove'](body)
      return DONE
    },
  }),
  route({
    method: 'POST',
    path: '/api/models/refresh',
    about: 'Fetches the lists of one provider, or all, and waits for them.',
    body: z.strictObject(OPERATIONS['models:refresh'].input.shape),
    answer: z.object({ lists: z.array(ModelListState) }),
    run: async ({ body }, { operations }) => ({ lists: await operations['models:refresh'](body) }),
  }),
  route({
    method: 'GET',
    path: '/api/aliases',
    about: 'Your own names for models, and where they lead.',
    answer: z.object({ aliases: z.array(AliasView) }),
    run: async (_, { operations }) => ({ aliases: await operations['aliases:list'](undefined) }),
  }),
  route({
    method: 'POST',
    path: '/api/aliases',
    about: 'Adds a name, or a pattern with `*` and `?`. `clientKeyId` left out: for all keys.',
    body: z.strictObject(OPERATIONS['aliases:add'].input.shape),
    status: 201,
    answer: AliasView,
    run: ({ body }, { operations }) => operations['aliases:add'](body),
  }),
  route({
    method: 'PATCH',
    path: '/api/aliases/{id}',
    about: 'Changes a name.',
    body: z.strictObject(aliasFields),
    answer: AliasView,
    run: ({ params, body }, { operations }) => operations['aliases:update']({ ...body, id: params.id ?? '' }),
  }),
  route({
    method: 'DELETE',
    path: '/api/aliases/{id}',
    about: 'Removes a name.',
    answer: Done,
    async run({ params }, { operations }) {
      await operations['aliases:remove']({ id: params.id ?? '' })
      return DONE
    },
  }),
]
