// Every row of the management surface.
import type { EndpointRoute } from '../router'
import { comboRoutes } from './combos'
import { connectionRoutes } from './connections'
import { managementEndpoint } from './endpoint'
import { explainRoutes } from './explain'
import { gatewayRoutes } from './gateway'
import { keyRoutes } from './keys'
import { modelRows } from './models'
import { monitoringRoutes } from './monitoring'
import { oauthRoutes } from './oauth'
import { providerRoutes } from './providers'
import { requestRoutes } from './requests'
import { resilienceRoutes } from './resilience'
import type { ManagementCore, ManagementRoute } from './route'
import { settingRoutes } from './settings'

/** By chapter, in the order of docs/rest.md. */
export const MANAGEMENT: readonly { readonly title: string; readonly routes: readonly ManagementRoute[] }[] = [
  { title: 'The gateway', routes: [...monitoringRoutes, ...gatewayRoutes] },
  { title: 'Connections', routes: connectionRoutes },
  { title: 'Signing in with an account', routes: oauthRoutes },
  { title: 'Providers', routes: providerRoutes },
  { title: 'Models and names', routes: modelRows },
  { title: 'Combos', routes: comboRoutes },
  { title: 'Client keys', routes: keyRoutes },
  { title: 'Settings', routes: settingRoutes },
  { title: 'Resilience', routes: [...resilienceRoutes, ...explainRoutes] },
  { title: 'Requests and figures', routes: requestRoutes },
]

export const managementRoutes = (core: ManagementCore): EndpointRoute[] =>
  MANAGEMENT.flatMap(({ routes }) => routes).map((row) => managementEndpoint(row, core))
