// Subscriptions one signs in to. Their makers document no sign-in for other programs, so none is built in: what stands
// empty here is entered by the user, who knows what the account allows.
import { type ProviderRow, providerRow } from '../provider-row'

const account = (fields: Parameters<typeof providerRow>[0]): ProviderRow =>
  providerRow({
    group: 'lab',
    class: 'oauth',
    auth: 'bearer',
    keyHint: 'an access token',
    modelsPath: null,
    oauth: { authorizeUrl: null, deviceUrl: null, tokenUrl: null, clientId: null, scopes: [] },
    ...fields,
  })

export const ACCOUNTS: readonly ProviderRow[] = [
  account({
    id: 'claude',
    aliases: ['claude-code', 'anthropic-oauth'],
    label: 'Claude subscription',
    endpoints: { anthropic: 'https://api.anthropic.com/v1' },
    docsUrl: 'https://claude.ai/settings',
    note: 'Anthropic documents subscriptions for its own programs only: ask whether your plan allows this use.',
    source: { url: 'https://code.claude.com/docs/en/authentication', tried: false },
  }),
  account({
    id: 'codex',
    aliases: ['cx', 'openai-codex', 'chatgpt'],
    label: 'ChatGPT subscription (Codex)',
    endpoints: { 'openai-responses': '' },
    docsUrl: 'https://chatgpt.com/codex',
    perModelQuota: true,
    quotaFamilies: [
      { family: 'spark', models: /spark/i },
      { family: 'codex', models: /./ },
    ],
    note: 'OpenAI documents no address for other programs: enter the one you may use.',
    source: { url: 'https://developers.openai.com/codex/auth', tried: false },
  }),
  account({
    id: 'antigravity',
    aliases: ['agy', 'gemini-cloudcode', 'cloudcode', 'gemini-cli'],
    label: 'Google account (Antigravity, Gemini Code Assist)',
    endpoints: { gemini: '' },
    docsUrl: 'https://antigravity.google',
    perModelQuota: true,
    overloadIsPerModel: true,
    quotaTimeZone: 'America/Los_Angeles',
    note: 'Google documents no address for other programs: enter the one you may use.',
    source: { url: 'https://cloud.google.com/gemini/docs/quotas', tried: false },
  }),
  account({
    id: 'github-copilot',
    aliases: ['github', 'copilot', 'gh'],
    label: 'GitHub Copilot',
    endpoints: { 'openai-chat': '' },
    docsUrl: 'https://github.com/settings/copilot',
    perModelQuota: true,
    note: 'GitHub documents no address for other programs: enter the one you may use.',
    source: { url: 'https://docs.github.com/en/copilot', tried: false },
  }),
]
