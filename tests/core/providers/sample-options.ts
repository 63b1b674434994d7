import type { ProviderRow } from '../../../core/providers/provider-row'

/** A value for every option, of the kind a user would give. */
const SAMPLES: Readonly<Record<string, string>> = {
  resource: 'my-models',
  apiVersion: '2024-10-21',
  region: 'eu-central-1',
  account: '0123456789abcdef0123456789abcdef',
  gateway: 'default',
  project: 'my-project-1',
  location: 'europe-west4',
  workspace: 'dbc-1234-abcd.cloud.databricks.com',
}

export const sampleOptions = (row: ProviderRow): Record<string, string> =>
  Object.fromEntries(row.options.map(({ key }) => [key, SAMPLES[key] ?? '']))
