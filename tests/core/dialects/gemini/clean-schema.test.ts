import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../../core/dialects/canonical'
import { cleanParameters, cleanSchema } from '../../../../core/dialects/gemini/clean-schema'

const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({ type: 'object', properties, ...more })
/** The schema of one property. */
function one(schema: unknown): unknown {
  const { properties } = cleanParameters(object({ p: schema })) as { properties: JsonObject }
  return properties.p
}

describe('a schema for Gemini, which refuses a whole request for one keyword it does not know', () => {
  it('keeps what Gemini knows and loses the rest at every depth, with properties that are called like keywords', () => {
    const schema = {
      $schema: 'http://json-schema.org/draft-07/schema#',
      type: 'object',
      additionalProperties: false,
      properties: {
        limit: { anyOf: [{ type: 'integer', exclusiveMinimum: 0 }, { type: 'null' }] },
        mode: { const: 'fast' },
        tags: { type: 'array', items: { type: 'string', format: 'uri' }, uniqueItems: true },
        additionalProperties: { type: 'string' },
      },
      required: ['limit', 'ghost'],
    }
    const before = structuredClone(schema)
    expect(cleanParameters(schema)).toEqual({
      type: 'OBJECT',
      properties: {
        limit: { type: 'INTEGER', minimum: 1, nullable: true },
        mode: { type: 'STRING', enum: ['fast'] },
        tags: { type: 'ARRAY', items: { type: 'STRING' } },
        additionalProperties: { type: 'STRING' },
      },
      required: ['limit'],
    })
    expect(schema).toEqual(before)
  })

  it.each<[string, unknown, unknown]>([
    ['a type that may be null', { type: ['string', 'null'] }, { type: 'STRING', nullable: true }],
    [
      'several types',
      { type: ['string', 'integer'], description: 'd' },
      {
        anyOf: [
          { type: 'STRING', description: 'd' },
          { type: 'INTEGER', description: 'd' },
        ],
      },
    ],
    [
      'several types or null',
      { type: ['string', 'number', 'null'] },
      {
        anyOf: [
          { type: 'STRING', nullable: true },
          { type: 'NUMBER', nullable: true },
        ],
      },
    ],
    ['one variant', { anyOf: [{ type: 'string' }], description: 'd' }, { type: 'STRING', description: 'd' }],
    ['only null', { anyOf: [{ type: 'null' }] }, { type: 'STRING', nullable: true }],
    [
      'variants, whose words stand in each of them',
      {
        oneOf: [
          { type: 'string', description: 'own' },
          { type: 'array', items: { type: 'string' } },
        ],
        description: 'd',
      },
      {
        anyOf: [
          { type: 'STRING', description: 'own' },
          { type: 'ARRAY', description: 'd', items: { type: 'STRING' } },
        ],
      },
    ],
    [
      'variants that are single words',
      { anyOf: [{ const: 'a' }, { const: 'b', description: 'd' }] },
      { type: 'STRING', enum: ['a', 'b'], description: 'd' },
    ],
    ['parts that must all hold', { allOf: [{ type: 'string' }, { maxLength: 3 }] }, { type: 'STRING', maxLength: 3 }],
    ['words without a type', { enum: ['a', 'b', 'a', ''] }, { type: 'STRING', enum: ['a', 'b'] }],
    ['words or null', { enum: ['a', null] }, { type: 'STRING', enum: ['a'], nullable: true }],
    ['nothing but the empty word', { type: 'string', enum: [''] }, { type: 'STRING' }],
    [
      'numbers to choose from',
      { type: 'integer', enum: [60, 1440], description: 'Minutes.' },
      { type: 'INTEGER', description: 'Minutes. One of: 60, 1440.' },
    ],
    ['one number', { const: 5 }, { type: 'INTEGER', description: 'Always 5.' }],
    ['a flag that is always set', { const: true }, { type: 'BOOLEAN', description: 'Always true.' }],
    [
      'a range that excludes its ends',
      { type: 'integer', exclusiveMinimum: 0.5, exclusiveMaximum: 9 },
      { type: 'INTEGER', minimum: 1, maximum: 8 },
    ],
    ['the same for any number', { type: 'number', exclusiveMinimum: 0 }, { type: 'NUMBER', minimum: 0 }],
    ['the same in draft 4', { type: 'integer', minimum: 0, exclusiveMinimum: true }, { type: 'INTEGER', minimum: 1 }],
    ['a format it knows', { type: 'string', format: 'date-time' }, { type: 'STRING', format: 'date-time' }],
    ['a format of numbers', { type: 'integer', format: 'int64' }, { type: 'INTEGER', format: 'int64' }],
    ['a format it does not know', { type: 'string', format: 'email' }, { type: 'STRING' }],
    ['a format of another type', { type: 'integer', format: 'date-time' }, { type: 'INTEGER' }],
    ['an expression', { type: 'string', pattern: '^a+$' }, { type: 'STRING', pattern: '^a+$' }],
    ['an expression that looks ahead', { type: 'string', pattern: '^(?!a)' }, { type: 'STRING' }],
    ['a list of anything', { type: 'array' }, { type: 'ARRAY', items: { type: 'STRING' } }],
    ['a list of anything, said', { type: 'array', items: true }, { type: 'ARRAY', items: { type: 'STRING' } }],
    [
      'places of a list',
      { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }], minItems: 2 },
      { type: 'ARRAY', minItems: 2, items: { anyOf: [{ type: 'STRING' }, { type: 'NUMBER' }] } },
    ],
    [
      'places of a list in draft 4',
      { type: 'array', items: [{ type: 'string' }] },
      { type: 'ARRAY', items: { type: 'STRING' } },
    ],
    ['an object without properties', { type: 'object', properties: {} }, { type: 'OBJECT' }],
    ['anything', {}, { type: 'STRING' }],
    ['anything, said', true, { type: 'STRING' }],
    ['a type nobody knows', { type: 'date' }, { type: 'STRING' }],
    ['properties without a type', { properties: { a: {} } }, { type: 'OBJECT', properties: { a: { type: 'STRING' } } }],
    ['a list without a type', { items: { type: 'number' } }, { type: 'ARRAY', items: { type: 'NUMBER' } }],
    ['limits that are none', { type: 'string', minLength: -1, maxLength: 'x', pattern: 7 }, { type: 'STRING' }],
    ['a document of OpenAPI', { type: 'STRING', nullable: true }, { type: 'STRING', nullable: true }],
  ])('%s', (_what, schema, cleaned) => {
    expect(one(schema)).toEqual(cleaned)
  })

  it('leaves out a property that allows no value', () => {
    expect(cleanParameters(object({ a: false, b: true }, { required: ['a', 'b', 'b'] }))).toEqual({
      type: 'OBJECT',
      properties: { b: { type: 'STRING' } },
      required: ['b'],
    })
  })

  it('takes a function without arguments for what it is', () => {
    for (const schema of [{ type: 'object', properties: {} }, { type: 'object' }, {}, { type: 'string' }]) {
      expect(cleanParameters(schema)).toBeNull()
    }
  })

  it('makes one object of arguments that are one of several objects', () => {
    const schema = {
      oneOf: [
        object({ kind: { const: 'file' }, path: { type: 'string' } }, { required: ['kind', 'path'] }),
        object({ kind: { const: 'url' }, url: { type: 'string' } }, { required: ['kind', 'url'] }),
      ],
    }
    expect(cleanParameters(schema)).toEqual({
      type: 'OBJECT',
      properties: {
        kind: { type: 'STRING', enum: ['file', 'url'] },
        path: { type: 'STRING' },
        url: { type: 'STRING' },
      },
      required: ['kind'],
    })
  })

  it('keeps the properties of an object whose variants only say which belong together', () => {
    const properties = { a: { type: 'string' }, b: { type: 'string' } }
    expect(one(object(properties, { anyOf: [{ required: ['a'] }, { required: ['b'] }] }))).toEqual({
      type: 'OBJECT',
      properties: { a: { type: 'STRING' }, b: { type: 'STRING' } },
    })
  })

  it('puts what a reference stands for in its place', () => {
    const schema = object(
      { a: { $ref: '#/$defs/Size', description: 'own' }, b: { $ref: '#/definitions/x~1y' }, c: { $ref: 'other.json' } },
      { $defs: { Size: { type: 'integer', description: 'theirs' } }, definitions: { 'x/y': { type: 'boolean' } } },
    )
    expect(cleanParameters(schema)?.properties).toEqual({
      a: { type: 'INTEGER', description: 'own' },
      b: { type: 'BOOLEAN' },
      c: { type: 'STRING' },
    })
  })

  it('cuts a schema that holds itself where it would begin anew', () => {
    const node = object({ name: { type: 'string' }, children: { type: 'array', items: { $ref: '#/$defs/Node' } } })
    expect(cleanParameters({ $ref: '#/$defs/Node', $defs: { Node: node } })).toEqual({
      type: 'OBJECT',
      properties: { name: { type: 'STRING' }, children: { type: 'ARRAY', items: { type: 'OBJECT' } } },
    })
    expect(cleanParameters(object({ self: { $ref: '#' } }))?.properties).toMatchObject({ self: { type: 'OBJECT' } })
    expect(one({ $ref: '#/properties/p' })).toBeDefined()
  })

  it('does not grow without end where references stand for ever more', () => {
    const $defs: Record<string, unknown> = { D0: { type: 'string' } }
    for (let i = 1; i <= 40; i++) {
      const ref = { $ref: `#/$defs/D${i - 1}` }
      $defs[`D${i}`] = object({ a: ref, b: ref })
    }
    const text = JSON.stringify(cleanParameters(object({ p: { $ref: '#/$defs/D40' } }, { $defs })))
    expect(text.length).toBeLessThan(1_000_000)
  })

  const LEAVES = ['type', 'description', 'nullable', 'format', 'pattern']
  const ALLOWED = new Set([
    ...LEAVES,
    'enum',
    'items',
    'minItems',
    'maxItems',
    'properties',
    'required',
    'minimum',
    'maximum',
    'minLength',
    'maxLength',
    'anyOf',
  ])

  function check(schema: JsonObject): void {
    for (const name of Object.keys(schema)) expect(ALLOWED).toContain(name)
    if (schema.anyOf !== undefined) {
      expect(Object.keys(schema)).toEqual(['anyOf'])
      for (const variant of schema.anyOf as JsonObject[]) check(variant)
      return
    }
    expect(['STRING', 'NUMBER', 'INTEGER', 'BOOLEAN', 'ARRAY', 'OBJECT']).toContain(schema.type)
    expect(schema.items !== undefined).toBe(schema.type === 'ARRAY')
    if (schema.items !== undefined) check(schema.items as JsonObject)
    const properties = (schema.properties ?? {}) as Record<string, JsonObject>
    if (schema.properties !== undefined) expect(Object.keys(properties)).not.toHaveLength(0)
    for (const property of Object.values(properties)) check(property)
    for (const name of (schema.required ?? []) as string[]) expect(Object.hasOwn(properties, name)).toBe(true)
    for (const value of (schema.enum ?? []) as unknown[]) expect(value).toBeTypeOf('string')
    if (schema.enum !== undefined) expect(schema.type).toBe('STRING')
  }

  const names = fc.constantFrom(
    'type',
    'properties',
    'anyOf',
    '$ref',
    'enum',
    'a',
    'b',
    '__proto__',
    'additionalProperties',
  )
  const { schema: anySchema } = fc.letrec<{ schema: unknown }>((tie) => ({
    schema: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constantFrom<unknown>(true, false, null, 7, {}, { type: 'null' }, { $ref: '#' }, { $ref: '#/$defs/D' }),
      fc.record(
        {
          type: fc.oneof(
            fc.constantFrom('string', 'number', 'integer', 'boolean', 'array', 'object', 'null', 'STRING', 'odd', 3),
            fc.array(fc.constantFrom('string', 'object', 'null', 'integer', 'array')),
          ),
          description: fc.constantFrom('words', 3),
          properties: fc.dictionary(names, tie('schema'), { maxKeys: 3 }),
          required: fc.oneof(fc.array(fc.oneof(names, fc.constant(1))), fc.constant(true)),
          additionalProperties: fc.oneof(fc.boolean(), tie('schema')),
          items: fc.oneof(tie('schema'), fc.array(tie('schema'), { maxLength: 2 })),
          prefixItems: fc.array(tie('schema'), { maxLength: 2 }),
          anyOf: fc.array(tie('schema'), { maxLength: 3 }),
          oneOf: fc.array(tie('schema'), { maxLength: 3 }),
          allOf: fc.array(tie('schema'), { maxLength: 2 }),
          not: tie('schema'),
          enum: fc.array(fc.constantFrom('a', 'b', '', 1, null, true, {}, [])),
          const: fc.constantFrom('c', 2, null, false),
          minimum: fc.oneof(fc.integer(), fc.constant('x')),
          exclusiveMinimum: fc.oneof(fc.integer(), fc.boolean()),
          exclusiveMaximum: fc.oneof(fc.double(), fc.boolean()),
          minLength: fc.oneof(fc.integer(), fc.constant('1')),
          maxItems: fc.integer(),
          pattern: fc.constantFrom('a', '(?=a)', 1),
          format: fc.constantFrom('uri', 'date-time', 'int32', 'enum', 1),
          $ref: fc.constantFrom('#', '#/$defs/D', '#/properties/a', 'x', 1),
          $defs: fc.record({ D: tie('schema') }),
          default: fc.anything(),
          uniqueItems: fc.boolean(),
          nullable: fc.boolean(),
        },
        { requiredKeys: [] },
      ),
    ),
  }))

  it('holds only what Gemini knows, and never changes what it was made from', () => {
    fc.assert(
      fc.property(anySchema, anySchema, (schema, definition) => {
        const root = object({ p: schema }, { $defs: { D: definition } })
        const before = JSON.stringify(root)
        check(cleanSchema(root))
        const parameters = cleanParameters(root)
        if (parameters !== null) check(parameters)
        expect(JSON.stringify(root)).toBe(before)
      }),
      { numRuns: 1000 },
    )
  })
})
