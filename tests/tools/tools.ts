// The tools that are tried, each set up as its own documentation says (docs/tools.md).
import { join } from 'node:path'
import type { CommandLineTool } from './tool'

const modules = (folder: string, ...names: string[]): string => join(folder, 'node_modules', ...names)

const claudeCode: CommandLineTool = {
  name: 'claude-code',
  dialect: 'anthropic',
  program: (folder) => [process.execPath, modules(folder, '@anthropic-ai', 'claude-code', 'cli-wrapper.cjs')],
  prepare: ({ url, key, model }, prompt) => ({
    files: {},
    env: {
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_AUTH_TOKEN: key,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
    },
    args: ['-p', prompt, '--model', model],
  }),
}

const codex: CommandLineTool = {
  name: 'codex',
  dialect: 'openai-responses',
  program: (folder) => [process.execPath, modules(folder, '@openai', 'codex', 'bin', 'codex.js')],
  prepare: ({ url, key, model }, prompt) => ({
    files: {
      '.codex/config.toml': `model = "${model}"
model_provider = "gateway"
[model_providers.gateway]
name = "Local gateway"
base_url = "${url}/v1"
wire_api = "responses"
env_key = "GATEWAY_KEY"
`,
    },
    env: { GATEWAY_KEY: key },
    // Its own sandbox needs rights that a container seldom gives.
    args: ['exec', '--skip-git-repo-check', '--sandbox', 'danger-full-access', prompt],
  }),
}

const geminiCli: CommandLineTool = {
  name: 'gemini-cli',
  dialect: 'gemini',
  program: (folder) => [process.execPath, modules(folder, '@google', 'gemini-cli', 'bundle', 'gemini.js')],
  prepare: ({ url, key, model }, prompt) => ({
    files: { '.gemini/settings.json': '{"security":{"auth":{"selectedType":"gemini-api-key"}}}' },
    env: { GOOGLE_GEMINI_BASE_URL: url, GEMINI_API_KEY: key },
    args: ['--skip-trust', '-m', model, '-p', prompt],
  }),
}

const SYSTEMS: Readonly<Record<string, string>> = { win32: 'windows' }

const opencode: CommandLineTool = {
  name: 'opencode',
  dialect: 'openai-chat',
  program: (folder) => {
    const system = SYSTEMS[process.platform] ?? process.platform
    const file = process.platform === 'win32' ? 'opencode.exe' : 'opencode'
    return [modules(folder, `opencode-${system}-${process.arch}`, 'bin', file)]
  },
  prepare: ({ url, key, model }, prompt) => ({
    files: {
      '.config/opencode/opencode.json': JSON.stringify({
        provider: {
          gateway: {
            npm: '@ai-sdk/openai-compatible',
            name: 'Local gateway',
            options: { baseURL: `${url}/v1`, apiKey: key },
            models: { [model]: { name: 'The model' } },
          },
        },
      }),
    },
    env: {},
    args: ['run', '-m', `gateway/${model}`, prompt],
  }),
}

export const TOOLS: readonly CommandLineTool[] = [claudeCode, codex, geminiCli, opencode]
