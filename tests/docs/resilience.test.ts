import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { STRATEGIES } from '../../core/contract/combo-strategies'
import { TERMINAL_STATES } from '../../core/contract/health-words'
import { REASONS } from '../../core/contract/kinds'
import { MANAGEMENT } from '../../core/http/management/routes'
import { rulesPage, settingsPage } from './resilience-pages'

const root = resolve(import.meta.dirname, '../..')
const page = readFileSync(join(root, 'docs/resilience.md'), 'utf8')
const headings = [...page.matchAll(/^#{1,4} (.+)$/gm)].map(([, text]) => text as string)

it('docs/resilience-settings.md is what the table says', async () => {
  await expect(settingsPage()).toMatchFileSnapshot('../../docs/resilience-settings.md')
})

it('docs/provider-rules.md is what the rules say', async () => {
  await expect(rulesPage()).toMatchFileSnapshot('../../docs/provider-rules.md')
})

/** All sources of the product. */
function* sources(): Iterable<readonly [file: string, text: string]> {
  for (const folder of ['core', 'electron', 'renderer']) {
    for (const entry of readdirSync(join(root, folder), { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || !/\.tsx?$/.test(entry.name)) continue
      const file = join(entry.parentPath, entry.name)
      yield [file.slice(root.length + 1), readFileSync(file, 'utf8')]
    }
  }
}

describe('docs/resilience.md', () => {
  it('has every section that the sources name', () => {
    const missing: string[] = []
    let named = 0
    for (const [file, text] of sources()) {
      // A comment may break anywhere between two words.
      const flat = text.replaceAll(/\n\s*(?:\/\/|\*)\s*/g, ' ')
      for (const [, list = ''] of flat.matchAll(/docs\/resilience\.md, ((?:"[^"]+"(?:, )?)+)/g)) {
        for (const [, section = ''] of list.matchAll(/"([^"]+)"/g)) {
          named++
          if (!headings.includes(section)) missing.push(`${file}: "${section}"`)
        }
      }
    }
    expect(named).toBeGreaterThan(40)
    expect(missing).toEqual([])
  })

  it('tells of every reason, terminal state and strategy', () => {
    // The last of them is only ever an attempt's own.
    for (const reason of REASONS.filter((each) => each !== 'throughput_too_low'))
      expect(page).toContain(`\`${reason}\``)
    for (const state of TERMINAL_STATES) expect(page).toContain(`\`${state}\``)
    for (const strategy of STRATEGIES) expect(headings).toContain(`Strategies: ${strategy}`)
  })

  it('names only paths that are served', () => {
    const served = new Set(MANAGEMENT.flatMap(({ routes }) => routes.map(({ method, path }) => `${method} ${path}`)))
    const said = [...page.matchAll(/`(GET|POST|PATCH|DELETE) (\/api\/[\w/{}-]+)`/g)].map(
      ([, method, path]) => `${method} ${path}`,
    )
    expect(said.length).toBeGreaterThan(8)
    expect(said.filter((each) => !served.has(each))).toEqual([])
  })

  it('links to places that are there', () => {
    const anchors = new Set(
      headings.map((text) =>
        text
          .toLowerCase()
          .replaceAll(/[^\w -]/g, '')
          .replaceAll(' ', '-'),
      ),
    )
    for (const [, target = ''] of page.matchAll(/\]\(#([^)]+)\)/g)) expect(anchors).toContain(target)
    for (const [, file = ''] of page.matchAll(/\]\(([\w-]+\.md)\)/g))
      expect(readdirSync(join(root, 'docs'))).toContain(file)
  })
})
