// The options that several providers ask for, with what their values may look like. Every pattern is for the whole
// value and leaves out what could end its place in an address.
import type { ProviderOption } from '../provider-row'

/** One label of a host name. */
const HOST_LABEL = /^[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?$/
/** One path segment, and never a run of dots. */
const SEGMENT = /^[a-zA-Z0-9][a-zA-Z0-9._-]{0,99}$/

export const resourceName = (help: string): ProviderOption => ({
  key: 'resource',
  label: 'Resource name',
  help,
  default: null,
  pattern: HOST_LABEL,
})

export const apiVersion = (version: string): ProviderOption => ({
  key: 'apiVersion',
  label: 'API version',
  help: `A date, often with "-preview" behind it: ${version}.`,
  default: version,
  pattern: /^\d{4}-\d{2}-\d{2}(?:-preview)?$/,
})

export const region = (example: string, help: string): ProviderOption => ({
  key: 'region',
  label: 'Region',
  help,
  default: example,
  pattern: HOST_LABEL,
})

export const accountId: ProviderOption = {
  key: 'account',
  label: 'Account ID',
  help: 'The 32 letters and digits that the dashboard shows beside the account.',
  default: null,
  pattern: /^[a-fA-F0-9]{32}$/,
}

export const gatewayName: ProviderOption = {
  key: 'gateway',
  label: 'Gateway name',
  help: 'Letters, digits and dashes, as the gateway is called in the dashboard.',
  default: 'default',
  pattern: SEGMENT,
}

export const projectId: ProviderOption = {
  key: 'project',
  label: 'Project ID',
  help: 'The ID, not the display name: lower-case letters, digits and dashes.',
  default: null,
  pattern: /^[a-z][a-z0-9-]{4,28}[a-z0-9]$/,
}

export const accountHost = (help: string): ProviderOption => ({
  key: 'account',
  label: 'Account identifier',
  help,
  default: null,
  // Organisation and account are joined by a dash or a dot; every part is a label of its own.
  pattern: /^[a-zA-Z0-9](?:[a-zA-Z0-9_-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?){0,3}$/,
})

export const workspaceHost: ProviderOption = {
  key: 'workspace',
  label: 'Workspace host',
  help: 'The host name of the workspace, for example dbc-1234.cloud.databricks.com.',
  default: null,
  pattern:
    /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.\d{1,4})?\.(?:cloud\.databricks\.com|azuredatabricks\.net|gcp\.databricks\.com)$/,
}
