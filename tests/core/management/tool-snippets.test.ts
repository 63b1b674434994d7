import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { toolSnippets } from '../../../core/management/tool-snippets'

const INPUT = { url: 'http://127.0.0.1:4517', key: 'bw-…4f2a', model: 'practice/echo' }
const textOf = (tool: string, more: Partial<typeof INPUT> = {}): string =>
  toolSnippets({ ...INPUT, ...more }).find((snippet) => snippet.tool === tool)?.text ?? ''

describe('the settings of a tool', () => {
  it('say for every tool where they belong', () => {
    const all = toolSnippets(INPUT)
    expect(all.length).toBeGreaterThan(5)
    expect(new Set(all.map(({ tool }) => tool)).size).toBe(all.length)
    for (const { label, where, text } of all) {
      expect(label).not.toBe('')
      expect(where).toMatch(/^(shell|~\/.+)$/)
      expect(text).toContain('127.0.0.1:4517')
    }
  })

  it.each(['claude-code', 'zed', 'opencode'])('of %s are JSON, whatever the model’s name is', (tool) => {
    for (const model of ['practice/echo', 'ollama/a"b\\c', 'ollama/漢']) {
      expect(JSON.stringify(JSON.parse(textOf(tool, { model })))).toContain(JSON.stringify(model).slice(1, -1))
    }
  })

  // The SDKs differ in whether they add /v1 themselves.
  it.each([
    ['claude-code', '"http://127.0.0.1:4517"'],
    ['anthropic-sdk', 'ANTHROPIC_BASE_URL=http://127.0.0.1:4517\n'],
    ['openai-sdk', 'OPENAI_BASE_URL=http://127.0.0.1:4517/v1\n'],
    ['aider', 'http://127.0.0.1:4517/v1\n'],
    ['zed', '"http://127.0.0.1:4517/v1"'],
    ['opencode', '"http://127.0.0.1:4517/v1"'],
    ['curl', 'http://127.0.0.1:4517/v1/chat/completions'],
  ])('of %s have the address that it needs', (tool, address) => {
    expect(textOf(tool)).toContain(address)
  })

  it.each(['claude-code', 'aider', 'opencode', 'openai-sdk', 'anthropic-sdk', 'curl'])(
    'of %s carry the key that is given, once',
    (tool) => {
      expect(textOf(tool).split(INPUT.key)).toHaveLength(2)
    },
  )

  it('of Zed carry no key: it keeps its own', () => {
    expect(JSON.stringify(toolSnippets(INPUT).filter(({ tool }) => tool === 'zed'))).not.toContain(INPUT.key)
  })

  it.each(['practice/echo', "ollama/it's", 'ollama/$(x) `y` "z" \\'])('of curl survive the shell: %s', (model) => {
    const command = textOf('curl', { model }).replace('curl ', 'printf "%s\\n" ')
    const printed = execFileSync('/bin/sh', ['-c', command], { encoding: 'utf8' }).trimEnd().split('\n')
    expect(printed).toContain(`Authorization: Bearer ${INPUT.key}`)
    expect(JSON.parse(printed.at(-1) ?? '')).toMatchObject({ model, messages: [{ role: 'user' }] })
  })
})
