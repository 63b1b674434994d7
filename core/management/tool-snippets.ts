// The settings of each tool, ready to paste. The text is made with a placeholder for the key; who shows it puts a mask
// there, who copies it the key.
import type { ToolSnippet } from '../contract/views'

export interface SnippetInput {
  /** "http://127.0.0.1:4517", without /v1. */
  readonly url: string
  readonly key: string
  readonly model: string
}

interface ToolRow {
  readonly tool: string
  readonly label: string
  readonly where: string
  readonly note: string
  readonly text: (input: SnippetInput) => string
}

const json = (value: unknown): string => JSON.stringify(value, null, 2)
/** For a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

const TOOLS: readonly ToolRow[] = [
  {
    tool: 'claude-code',
    label: 'Claude Code',
    where: '~/.claude/settings.json',
    note: 'Put the lines into the file’s "env". Any model works, of whatever provider.',
    text: ({ url, key, model }) =>
      json({ env: { ANTHROPIC_BASE_URL: url, ANTHROPIC_AUTH_TOKEN: key, ANTHROPIC_MODEL: model } }),
  },
  {
    tool: 'codex',
    label: 'Codex',
    where: '~/.codex/config.toml',
    note: 'Codex reads the file when it starts. The key is in the file, so that the app finds it too.',
    text: ({ url, key, model }) =>
      [
        `model = ${JSON.stringify(model)}`,
        'model_provider = "breakwater"',
        '',
        '[model_providers.breakwater]',
        'name = "Breakwater"',
        `base_url = "${url}/v1"`,
        'wire_api = "responses"',
        `experimental_bearer_token = "${key}"`,
      ].join('\n'),
  },
  {
    tool: 'gemini-cli',
    label: 'Gemini CLI',
    where: '~/.gemini/.env',
    note: 'Choose "gemini-api-key" in ~/.gemini/settings.json under security.auth.selectedType.',
    text: ({ url, key, model }) => `GOOGLE_GEMINI_BASE_URL=${url}\nGEMINI_API_KEY=${key}\nGEMINI_MODEL=${model}`,
  },
  {
    tool: 'aider',
    label: 'aider',
    where: '~/.aider.conf.yml',
    note: '',
    text: ({ url, key, model }) => `openai-api-base: ${url}/v1\nopenai-api-key: ${key}\nmodel: openai/${model}`,
  },
  {
    tool: 'zed',
    label: 'Zed',
    where: '~/.config/zed/settings.json',
    note: 'Zed asks for the key in its own settings, or takes it from BREAKWATER_API_KEY.',
    text: ({ url, model }) =>
      json({
        language_models: {
          openai_compatible: {
            Breakwater: { api_url: `${url}/v1`, available_models: [{ name: model, max_tokens: 128_000 }] },
          },
        },
      }),
  },
  {
    tool: 'opencode',
    label: 'opencode',
    where: '~/.config/opencode/opencode.json',
    note: '',
    text: ({ url, key, model }) =>
      json({
        provider: {
          breakwater: {
            npm: '@ai-sdk/openai-compatible',
            options: { baseURL: `${url}/v1`, apiKey: key },
            models: { [model]: {} },
          },
        },
      }),
  },
  {
    tool: 'openai-sdk',
    label: 'OpenAI SDK',
    where: 'shell',
    note: 'For every program that uses an OpenAI client.',
    text: ({ url, key }) => `export OPENAI_BASE_URL=${url}/v1\nexport OPENAI_API_KEY=${key}`,
  },
  {
    tool: 'anthropic-sdk',
    label: 'Anthropic SDK',
    where: 'shell',
    note: 'For every program that uses an Anthropic client.',
    text: ({ url, key }) => `export ANTHROPIC_BASE_URL=${url}\nexport ANTHROPIC_API_KEY=${key}`,
  },
  {
    tool: 'curl',
    label: 'curl',
    where: 'shell',
    note: 'A first request by hand.',
    text: ({ url, key, model }) =>
      `curl ${url}/v1/chat/completions \\\n  -H "Authorization: Bearer ${key}" -H "Content-Type: application/json" \\\n  -d ${quoted(JSON.stringify({ model, messages: [{ role: 'user', content: 'Say hello' }] }))}`,
  },
]

export const toolSnippets = (input: SnippetInput): ToolSnippet[] =>
  TOOLS.map(({ text, ...row }) => ({ ...row, text: text(input) }))
