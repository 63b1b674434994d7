// The catalogue of providers, those of the user's own, and servers found on this machine.
import { z } from 'zod'
import { OPERATIONS } from '../../contract/operations'
import { FoundServer, ProviderView } from '../../contract/views'
import { DONE, Done } from './fields'
import { type ManagementRoute, route } from './route'

/** A provider without its connections: those are told of under /api/providers. */
export const CatalogueEntry = ProviderView.omit({ connections: true })
type CatalogueEntry = z.infer<typeof CatalogueEntry>

const entry = ({ connections: _, ...view }: ProviderView): CatalogueEntry => view

export const providerRoutes: readonly ManagementRoute[] = [
  route({
    method: 'GET',
    path: '/api/catalogue',
    about: 'Every provider that connections can be made to, built in or of your own.',
    answer: z.object({ providers: z.array(CatalogueEntry) }),
    run: async (_, { operations }) => ({ providers: (await operations['providers:list'](undefined)).map(entry) }),
  }),
  route({
    method: 'GET',
    path: '/api/custom-providers',
    about: 'The providers of your own.',
    answer: z.object({ providers: z.array(CatalogueEntry) }),
    run: async (_, { operations }) => ({
      providers: (await operations['providers:list'](undefined)).filter(({ builtIn }) => !builtIn).map(entry),
    }),
  }),
  route({
    method: 'POST',
    path: '/api/custom-providers',
    about:
      'Adds a provider of your own: an endpoint that speaks one of the dialects. Without `id` it is made of the label.',
    body: z.strictObject(OPERATIONS['providers:add'].input.shape),
    status: 201,
    answer: z.object({ provider: CatalogueEntry }),
    run: async ({ body }, { operations }) => ({ provider: entry(await operations['providers:add'](body)) }),
  }),
  route({
    method: 'DELETE',
    path: '/api/custom-providers/{id}',
    about: 'Removes a provider of your own that has no connections.',
    answer: Done,
    async run({ params }, { operations }) {
      await operations['providers:remove']({ id: params.id ?? '' })
      return DONE
    },
  }),
  route({
    method: 'POST',
    path: '/api/discover',
    about: 'Looks for model servers on this machine, at the ports they usually listen on.',
    answer: z.object({ servers: z.array(FoundServer) }),
    run: async (_, { operations }) => ({ servers: await operations['providers:discover'](undefined) }),
  }),
]
