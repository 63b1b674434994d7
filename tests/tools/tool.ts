// How a command-line tool is set up and run once, without a person: in a home of its own, with nothing of the tester's
// environment.
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Dialect } from '../../core/contract/kinds'

export interface ToolSetting {
  /** The gateway's address, without a path. */
  readonly url: string
  readonly key: string
  /** "provider/model" */
  readonly model: string
}

export interface ToolRun {
  /** Configuration files, relative to the tool's home. */
  readonly files: Readonly<Record<string, string>>
  readonly env: Readonly<Record<string, string>>
  readonly args: readonly string[]
}

export interface CommandLineTool {
  /** As build/command-line-tools.mjs calls it. */
  readonly name: string
  /** What it speaks itself. */
  readonly dialect: Dialect
  /** The program and its first arguments, relative to the folder with the tool's node_modules. */
  program(folder: string): readonly [string, ...string[]]
  prepare(setting: ToolSetting, prompt: string): ToolRun
}

export interface ToolOutput {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Longer than any of them takes; one that waits for a person would wait for ever. */
const GIVE_UP_MS = 90_000

/** @param work the folder the tool is started in */
export async function runTool(
  tool: CommandLineTool,
  folder: string,
  setting: ToolSetting,
  prompt: string,
  work: string,
): Promise<ToolOutput> {
  const home = mkdtempSync(join(tmpdir(), `breakwater-${tool.name}-`))
  const { files, env, args } = tool.prepare(setting, prompt)
  for (const [name, text] of Object.entries(files)) {
    const file = join(home, name)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  const [program, ...first] = tool.program(folder)
  try {
    return await run(program, [...first, ...args], work, { HOME: home, ...env })
  } finally {
    rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
  }
}

function run(
  program: string,
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<ToolOutput> {
  return new Promise((done, failed) => {
    const child = spawn(program, args, {
      cwd,
      env: { PATH: process.env.PATH ?? '', LANG: 'C.UTF-8', TERM: 'dumb', NO_COLOR: '1', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const texts = { stdout: '', stderr: '' }
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8').on('data', (piece: string) => {
        texts[name] += piece
      })
    }
    const timer = setTimeout(() => child.kill('SIGKILL'), GIVE_UP_MS)
    child.on('error', failed)
    child.on('close', (code) => {
      clearTimeout(timer)
      done({ code, ...texts })
    })
  })
}
