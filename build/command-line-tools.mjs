// The command-line tools that `npm run test:tools` tries: fetched by their exact versions, kept in the cache. Install
// scripts are not run: each tool is started from the files of its own package for this machine.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { npm } from './context.mjs'
import { ensureUnpacked } from './pinned-package.mjs'
import { run } from './programs.mjs'

export const COMMAND_LINE_TOOLS = [
  { name: 'claude-code', spec: '@anthropic-ai/claude-code@2.1.197', megabytes: 235 },
  { name: 'codex', spec: '@openai/codex@0.171.0', megabytes: 425 },
  { name: 'gemini-cli', spec: '@google/gemini-cli@0.61.0', megabytes: 100 },
  { name: 'opencode', spec: 'opencode-ai@1.18.33', megabytes: 355 },
]

/** @returns {Promise<{ folder: string } | { missing: string }>} where its node_modules lie, or why it is not there */
export async function ensureTool({ name, spec, megabytes }) {
  const version = spec.slice(spec.lastIndexOf('@') + 1)
  try {
    const folder = await ensureUnpacked({
      folder: `tool-${name}-${version}`,
      because: `Fetching ${spec} (${megabytes} MB, once)`,
      fill: async (fresh) => {
        writeFileSync(join(fresh, 'package.json'), '{ "private": true }\n')
        const quiet = ['--no-audit', '--no-fund', '--loglevel=error', '--ignore-scripts']
        const [command, args] = npm('install', spec, ...quiet)
        await run(command, args, { cwd: fresh, quiet: true })
      },
    })
    return { folder }
  } catch (error) {
    return { missing: error.message }
  }
}
