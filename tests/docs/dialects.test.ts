import { describe, expect, it } from 'vitest'
import { DIALECTS } from '../../core/contract/kinds'
import type { JsonObject } from '../../core/dialects/canonical'
import { dialectModules } from '../../core/dialects/dialects'
import { translateRequest } from '../../core/dialects/translate'
import type { BuildTarget, FieldRule, Translation } from '../../core/dialects/translation'
import { GatewayError } from '../../core/errors'
import { dialectsPage } from './dialects-page'
import { sampleRequest } from './sample-requests'

const TARGET: BuildTarget = {
  model: 'm1',
  stream: true,
  maxTokensField: 'max_completion_tokens',
  reportsUsageOnRequest: false,
  maxOutputTokens: null,
}

it('docs/dialects.md is what the tables say', async () => {
  await expect(dialectsPage()).toMatchFileSnapshot('../../docs/dialects.md')
})

const translationOf = (dialect: (typeof DIALECTS)[number]): Translation =>
  dialectModules[dialect].translation as Translation

const pairs = DIALECTS.flatMap((from) => DIALECTS.filter((to) => to !== from).map((to) => [from, to] as const))

describe.each(pairs)('from %s to %s', (from, to) => {
  const { fields } = translationOf(from)
  const translate = (body: JsonObject) =>
    translateRequest(body, translationOf(from), { name: to, translation: translationOf(to) }, TARGET)

  it.each(fields.map((rule) => [rule.to[to] ?? 'mapped', rule.field, rule] as const))('%s: %s', (fate, field, rule) => {
    const body = sampleRequest(from, rule)
    if (fate === 'refused') return expect(() => translate(body)).toThrow(GatewayError)
    const made = translate(body)
    const without = translate(sampleRequest(from, null)).dropped
    const more = made.dropped.filter((name) => !without.includes(name))
    if (fate === 'dropped') expect(more, `x-breakwater-dropped must name ${field}`).not.toEqual([])
    else expect(made.dropped, `${field} must not be dropped`).not.toContain(field)
    if (fate === 'carried')
      expect(JSON.stringify(made.body)).toContain(`"${field.split('.').at(-1)}":${JSON.stringify(rule.example)}`)
  })

  it('a field nobody knows is dropped and named', () => {
    expect(translate({ ...sampleRequest(from, null), brand_new_field: 1 }).dropped).toContain('brand_new_field')
  })

  it('a value that says nothing is left out without a word', () => {
    const before = translate(sampleRequest(from, null)).dropped
    for (const rule of fields) {
      for (const value of rule.harmless ?? []) {
        const dropped = translate(sampleRequest(from, { ...rule, example: value })).dropped
        expect(dropped, `${rule.field}: ${JSON.stringify(value)}`).toEqual(before)
      }
    }
  })
})

describe.each(DIALECTS)('the table of %s', (dialect) => {
  const { fields } = translationOf(dialect)

  it('lists each field once, with a fate towards each of the others', () => {
    expect(new Set(fields.map(({ field }: FieldRule) => field)).size).toBe(fields.length)
    for (const { field, to } of fields)
      expect(Object.keys(to).sort(), field).toEqual(DIALECTS.filter((other) => other !== dialect).sort())
  })
})
