// /api/providers: connections, under the name that the wire has for them, and what is done with one.
import { z } from 'zod'
import { CONNECTION_PATCH_FIELDS, fromWireNames, settingsOf } from '../../contract/connection-settings'
import type { Operations } from '../../contract/operations'
import { OPERATIONS } from '../../contract/operations'
import type { ConnectionView } from '../../contract/views'
import { TestResult } from '../../contract/views'
import { badInput, notFound } from '../../errors'
import { connectionJson, connectionsJson, OneConnection, RestConnection } from './connection-json'
import { DONE, Done, providerText } from './fields'
import { type ManagementCore, type ManagementRoute, route } from './route'

const { settings: _added, ...addFields } = OPERATIONS['connections:add'].input.shape
const { id: _id, settings: _changed, ...changeFields } = OPERATIONS['connections:update'].input.shape

/** Settings of a connection stand beside its other fields, under the names of the wire. */
const AddBody = z.preprocess(fromWireNames, z.strictObject({ ...addFields, ...CONNECTION_PATCH_FIELDS }))
const ChangeBody = z.preprocess(
  fromWireNames,
  z.strictObject({
    ...changeFields,
    /** The wire's word for `enabled`. */
    isActive: z.boolean().optional(),
    ...CONNECTION_PATCH_FIELDS,
  }),
)

/** All that may stand in a draft: what makes a whole one is checked by the operation. */
const DraftBody = z.strictObject({
  provider: providerText.optional(),
  dialect: z.string().optional(),
  apiKey: z.string().max(8192).optional(),
  baseUrl: z.string().max(2048).optional(),
  options: z.record(z.string().max(40), z.string().max(200)).optional(),
})

export const connectionRoutes: readonly ManagementRoute[] = [
  route({
    method: 'GET',
    path: '/api/providers',
    about: 'All connections, in the order they are tried; `provider` (id or alias) picks those of one.',
    query: z.strictObject({ provider: providerText.optional() }),
    answer: z.object({ connections: z.array(RestConnection) }),
    async run({ query: { provider } }, { operations }) {
      const views = await viewsOf(provider, operations)
      return { connections: await connectionsJson(views, provider, operations) }
    },
  }),
  route({
    method: 'POST',
    path: '/api/providers',
    about: 'Adds a connection to a provider.',
    body: AddBody,
    status: 201,
    answer: OneConnection,
    async run({ body }, { operations }) {
      const view = await operations['connections:add']({ ...body, settings: settingsOf(body) })
      return connectionJson(view, operations)
    },
  }),
  route({
    method: 'POST',
    path: '/api/providers/test',
    about:
      'Tests what is not saved: `provider` with what it needs, or an endpoint given by `dialect` and `baseUrl`. Costs nothing.',
    body: DraftBody,
    answer: TestResult,
    async run({ body }, { operations }) {
      if ((body.provider === undefined) === (body.dialect === undefined))
        throw badInput('provider', 'either this or "dialect" must be given, not both.')
      const parsed = OPERATIONS['connections:test'].input.safeParse(body)
      if (parsed.success) return operations['connections:test'](parsed.data)
      if (body.baseUrl === undefined) throw badInput('baseUrl', 'is missing')
      throw badInput('dialect', 'is not a dialect the gateway speaks.')
    },
  }),
  route({
    method: 'GET',
    path: '/api/providers/{id}',
    about: 'One connection.',
    answer: OneConnection,
    run: async ({ params }, { operations }) => connectionJson(await viewOf(params.id, operations), operations),
  }),
  changeRoute(
    'PATCH',
    'Changes what is given. `baseUrl: null` falls back to the provider’s; an empty `apiKey` removes the key; `null` clears a setting.',
  ),
  changeRoute('PUT', 'The same as `PATCH`, but that `rateLimitProtection` is taken and ignored.'),
  route({
    method: 'DELETE',
    path: '/api/providers/{id}',
    about: 'Removes a connection. It can be brought back until the gateway stops.',
    answer: Done,
    async run({ params }, { operations }) {
      await operations['connections:remove']({ id: params.id ?? '' })
      return DONE
    },
  }),
  onOne('restore', 'Brings a removed connection back.', (id, { operations }) =>
    operations['connections:restore']({ id }),
  ),
  route({
    method: 'POST',
    path: '/api/providers/{id}/test',
    about: 'A live test that costs nothing. A success ends what is held against the connection.',
    answer: TestResult,
    run: ({ params }, { operations }) => operations['connections:test']({ id: params.id ?? '' }),
  }),
  onOne(
    'reset',
    'Forgets all that is held against the connection: rest, locks of its models, terminal state.',
    (id, { operations }) => operations['connections:reset']({ id }),
  ),
  onOne('refresh', 'Renews the tokens of a connection that signs in with OAuth.', (id, { operations }) =>
    operations['oauth:refresh']({ connectionId: id }),
  ),
]

function changeRoute(method: 'PATCH' | 'PUT', about: string): ManagementRoute {
  return route({
    ...{ method, path: '/api/providers/{id}', about, body: ChangeBody, answer: OneConnection },
    async run({ params, body }, { operations }) {
      if (Object.keys(body).length === 0) throw badInput('', 'At least one field must be given.')
      const { isActive, enabled = isActive } = body
      if (isActive !== undefined && isActive !== enabled)
        throw badInput('isActive', 'says the opposite of "enabled". Send one of them.')
      const { rateLimitProtection, ...others } = settingsOf(body)
      const settings = method === 'PUT' ? others : settingsOf(body)
      const { apiKey, baseUrl, name, options, priority, proxy } = body
      const view = await operations['connections:update']({
        ...{ id: params.id ?? '', apiKey, baseUrl, name, options, priority, proxy, enabled },
        ...(Object.keys(settings).length === 0 ? {} : { settings }),
      })
      return connectionJson(view, operations)
    },
  })
}

function onOne(
  verb: string,
  about: string,
  run: (id: string, core: ManagementCore) => Promise<ConnectionView>,
): ManagementRoute {
  return route({
    ...{ method: 'POST', path: `/api/providers/{id}/${verb}`, about, answer: OneConnection },
    run: async ({ params }, core) => connectionJson(await run(params.id ?? '', core), core.operations),
  })
}

async function viewsOf(
  provider: string | undefined,
  operations: Pick<Operations, 'providers:list'>,
): Promise<ConnectionView[]> {
  const all = await operations['providers:list'](undefined)
  return all
    .filter(({ id, aliases }) => provider === undefined || id === provider || aliases.includes(provider))
    .flatMap(({ connections }) => connections)
}

/** @throws GatewayError 404 */
async function viewOf(id: string | undefined, operations: Pick<Operations, 'providers:list'>): Promise<ConnectionView> {
  const found = (await viewsOf(undefined, operations)).find((view) => view.id === id)
  if (found === undefined) throw notFound('connection', id ?? '')
  return found
}
