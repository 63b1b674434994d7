// The gateway itself: its state, pausing, the vault, tools, the configuration file.
import { z } from 'zod'
import { OPERATIONS } from '../../contract/operations'
import { GatewayStatus, ToolSnippet, VaultView } from '../../contract/views'
import { DONE, Done } from './fields'
import { type ManagementRoute, route } from './route'

const ConfigFile = z.record(z.string(), z.unknown()).meta({ title: 'ConfigurationFile' })

export const gatewayRoutes: readonly ManagementRoute[] = [
  route({
    method: 'GET',
    path: '/api/gateway',
    about: 'How the gateway is.',
    answer: GatewayStatus,
    run: (_, { operations }) => operations['gateway:status'](undefined),
  }),
  route({
    method: 'POST',
    path: '/api/pause',
    about:
      'Pauses the gateway, or lets it go on. New requests get 503 `gateway_paused`; running answers finish. Survives a restart.',
    body: z.strictObject(OPERATIONS['gateway:pause'].input.shape),
    answer: GatewayStatus,
    run: ({ body }, { operations }) => operations['gateway:pause'](body),
  }),
  route({
    method: 'POST',
    path: '/api/vault',
    about: 'Chooses what protects keys on a system without a key store.',
    body: z.strictObject(OPERATIONS['vault:choose'].input.shape),
    answer: VaultView,
    run: ({ body }, { operations }) => operations['vault:choose'](body),
  }),
  route({
    method: 'GET',
    path: '/api/tools',
    about: 'The settings of each tool for a model, the client key masked.',
    query: z.strictObject({ model: z.string().min(1, 'must not be empty').max(200), keyId: z.string().optional() }),
    answer: z.object({ tools: z.array(ToolSnippet) }),
    run: async ({ query }, { operations }) => ({ tools: await operations['tools:snippets'](query) }),
  }),
  route({
    method: 'GET',
    path: '/api/export',
    about: 'The [configuration file](configuration-file.md), without keys.',
    answer: ConfigFile,
    run: async (_, { exportConfig }) => JSON.parse(exportConfig()) as unknown,
  }),
  route({
    method: 'POST',
    path: '/api/import',
    about: 'Takes over a [configuration file](configuration-file.md), all of it or nothing.',
    body: ConfigFile,
    answer: Done,
    async run({ body }, { importConfig }) {
      await importConfig(JSON.stringify(body))
      return DONE
    },
  }),
]
