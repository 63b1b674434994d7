// /api/combos: named lists of models with a strategy. Each is reached by its id or its name.
import type { IncomingHttpHeaders } from 'node:http'
import { z } from 'zod'
import { AutoVariantView, ComboExplanation, ComboTest, ComboView } from '../../contract/combo-views'
import { MOST_STEPS, Step } from '../../contract/combos'
import { OPERATIONS } from '../../contract/operations'
import { badInput } from '../../errors'
import { WISH_HEADERS } from '../../routing/strategies/auto/wishes'
import { DONE, Done } from './fields'
import { type ManagementRoute, route } from './route'

const { id: _id, replace: _replace, ...fields } = OPERATIONS['combos:update'].input.shape
/** Of a body only: what is wrong with the rest is told together with it. */
const steps = z.array(Step).min(1, 'must have at least one step').max(MOST_STEPS)
const WholeBody = z.strictObject({ ...fields, steps })
const ChangeBody = z.strictObject({ ...fields, steps: steps.optional() })

/** The headers in which a request says what it wishes of `auto`. */
const wishesIn = (headers: IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(
    Object.values(WISH_HEADERS).flatMap((name) => {
      const value = headers[name]
      return typeof value === 'string' ? [[name, value] as const] : []
    }),
  )

export const comboRoutes: readonly ManagementRoute[] = [
  route({
    method: 'GET',
    path: '/api/combos',
    about: 'All combos, in your order, each with what stands in the way of its steps right now.',
    answer: z.object({ combos: z.array(ComboView) }),
    run: async (_, { operations }) => ({ combos: await operations['combos:list'](undefined) }),
  }),
  route({
    method: 'POST',
    path: '/api/combos',
    about:
      'Makes a combo. A step needs a `model` (provider/model, a plain name, or a pattern with `*`) or a `combo`, and nothing else; connections by id, or by name. `strategy` left out: `priority`. What of ComboConfig the strategy does not know is refused. Circles of combos, and nests deeper than three, are refused; models nobody has yet are taken, with a warning.',
    body: z.strictObject({ ...WholeBody.shape, name: OPERATIONS['combos:create'].input.shape.name }),
    status: 201,
    answer: ComboView,
    run: ({ body }, { operations }) => operations['combos:create'](body),
  }),
  route({
    method: 'GET',
    path: '/api/combos/auto',
    about: 'The names of `auto`, which choose among all models and need no combo.',
    answer: z.object({ variants: z.array(AutoVariantView) }),
    run: async (_, { operations }) => ({ variants: await operations['combos:auto'](undefined) }),
  }),
  route({
    method: 'POST',
    path: '/api/combos/explain',
    about:
      'Whom a combo that is not saved would ask now, as `POST /api/combos/{id}/explain` says it of a saved one. `request`: a Chat Completions body; left out: any.',
    body: z.strictObject({
      ...WholeBody.shape,
      name: OPERATIONS['combos:create'].input.shape.name.default('preview'),
      request: OPERATIONS['combos:explain'].input.shape.request,
    }),
    answer: ComboExplanation,
    run: ({ body: { request, ...draft }, headers }, { operations }) =>
      operations['combos:explain']({ draft, request, headers: wishesIn(headers) }),
  }),
  route({
    method: 'POST',
    path: '/api/combos/reorder',
    about: 'Puts all combos in this order; ids or names.',
    body: z.strictObject(OPERATIONS['combos:reorder'].input.shape),
    answer: z.object({ combos: z.array(ComboView) }),
    run: async ({ body }, { operations }) => ({ combos: await operations['combos:reorder'](body) }),
  }),
  route({
    method: 'GET',
    path: '/api/combos/{id}',
    about: 'One combo, by its id or name (a slash in it as `%2F`).',
    answer: ComboView,
    run: ({ params }, { operations }) => operations['combos:get']({ id: params.id ?? '' }),
  }),
  route({
    method: 'POST',
    path: '/api/combos/{id}/explain',
    about:
      'For this request (a Chat Completions body; `{}` for any) at this moment: whom the combo would ask, in which order and with what scores, and who is left out, why and until when. Nothing is sent. Names of `auto` too. `X-OmniRoute-*` headers count as the request’s.',
    body: z.looseObject({}),
    answer: ComboExplanation,
    run: ({ params, body, headers }, { operations }) =>
      operations['combos:explain']({ id: params.id ?? '', request: body, headers: wishesIn(headers) }),
  }),
  route({
    method: 'PATCH',
    path: '/api/combos/{id}',
    about:
      'Changes what is given; `config` key by key, where `null` takes a value back, and `steps` as a whole. Steps and names that lead here follow a new name.',
    body: ChangeBody,
    answer: ComboView,
    async run({ params, body }, { operations }) {
      if (Object.keys(body).length === 0) throw badInput('', 'At least one field must be given.')
      return operations['combos:update']({ ...body, id: params.id ?? '' })
    },
  }),
  route({
    method: 'PUT',
    path: '/api/combos/{id}',
    about: 'Replaces it: what is left out is as the strategy has it. `name` left out stays.',
    body: WholeBody,
    answer: ComboView,
    run: ({ params, body }, { operations }) =>
      operations['combos:update']({ ...body, id: params.id ?? '', replace: true }),
  }),
  route({
    method: 'DELETE',
    path: '/api/combos/{id}',
    about: 'Removes it; 409 while it is a step of another. It can be brought back until the gateway stops.',
    answer: Done,
    async run({ params }, { operations }) {
      await operations['combos:remove']({ id: params.id ?? '' })
      return DONE
    },
  }),
  route({
    method: 'POST',
    path: '/api/combos/{id}/restore',
    about: 'Brings a removed combo back, by its id.',
    answer: ComboView,
    run: ({ params }, { operations }) => operations['combos:restore']({ id: params.id ?? '' }),
  }),
  route({
    method: 'POST',
    path: '/api/combos/{id}/duplicate',
    about: 'Makes another one like it, right behind it. `name` left out: the old one with "-copy" behind it.',
    body: z.strictObject({ name: OPERATIONS['combos:duplicate'].input.shape.name }).default({}),
    status: 201,
    answer: ComboView,
    run: ({ params, body }, { operations }) => operations['combos:duplicate']({ ...body, id: params.id ?? '' }),
  }),
  route({
    method: 'POST',
    path: '/api/combos/{id}/test',
    about:
      'Asks what each step leads to for one word, through the gateway itself, and says what came of it. Costs a few tokens at each; of a pattern’s models three are asked. `steps`: only these places, from 0.',
    body: z.strictObject({ steps: OPERATIONS['combos:test'].input.shape.steps }).default({}),
    answer: ComboTest,
    run: ({ params, body }, { operations }) => operations['combos:test']({ ...body, id: params.id ?? '' }),
  }),
]
