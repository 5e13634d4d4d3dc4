import { describe as group, expect, it } from 'vitest'
import { createApp } from '../../src/app.ts'
import { describe } from '../../src/http/openapi.ts'

interface Schema {
  $ref?: string
  type?: string | string[]
  description?: string
  example?: unknown
  examples?: unknown
  properties?: Record<string, Schema>
  items?: Schema
  enum?: unknown[]
  allOf?: Schema[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  additionalProperties?: unknown
}

interface Operation {
  operationId: string
  summary?: string
  tags?: string[]
  security?: object[]
  'x-access'?: string
  requestBody?: { required?: boolean }
  parameters?: { name: string; in: string; description?: string; schema?: Schema }[]
  responses: Record<string, { description?: string; content?: Record<string, { schema?: Schema }> }>
}

const document = JSON.parse(JSON.stringify(describe(createApp()))) as {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema>; securitySchemes: Record<string, unknown> }
}

const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({
    name: `${method} ${path}`,
    method,
    path,
    operation,
  })),
)

/** What the interface documents otherwise than the rest; all the same it is enforced like the rest. */
const ODD: Record<string, object[]> = {
  'get /admin/download-metrics': [],
  'put /admin/groups/{id}/storage-class': [{ Bearer: [] }],
}

group('every operation', () => {
  it('has an id of its own, a summary and an area', () => {
    const ids = operations.map(({ operation }) => operation.operationId)
    expect(new Set(ids).size).toBe(ids.length)
    for (const { name, operation } of operations) {
      expect([operation.summary, operation.tags?.length], name).toEqual([expect.any(String), 1])
    }
  })

  it('documents the access that guards it', () => {
    for (const { name, operation } of operations) {
      const isPublic = operation['x-access'] === 'public'
      const usual = isPublic ? [] : [{ BearerAuth: [] }]
      expect(operation.security, name).toEqual(ODD[name] ?? usual)
      if (!isPublic) {
        expect(Object.keys(operation.responses), name).toEqual(
          expect.arrayContaining(['401', '403']),
        )
      }
    }
  })

  it('marks its body as required, and describes its parameters', () => {
    for (const { name, operation } of operations) {
      expect(operation.requestBody?.required ?? true, name).toBe(true)
      for (const parameter of operation.parameters ?? []) {
        expect(
          parameter.description ?? parameter.schema?.description,
          `${name} ${parameter.name}`,
        ).toEqual(expect.any(String))
      }
    }
  })

  it('answers every error in the one flat shape', () => {
    for (const { name, operation } of operations) {
      for (const [status, { content }] of Object.entries(operation.responses)) {
        if (Number(status) >= 400) {
          expect(content?.['application/json']?.schema, `${name} ${status}`).toEqual({
            $ref: '#/components/schemas/ErrorResponse',
          })
        }
      }
    }
  })

  it('has no path that another one hides', () => {
    const patterns = operations.map(({ method, path }) => ({
      method,
      path,
      pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
    }))
    patterns.forEach(({ method, path }, at) => {
      const hiding = patterns
        .slice(0, at)
        .filter((one) => one.method === method && one.path !== path && one.pattern.test(path))
      expect(
        hiding.map((one) => one.path),
        path,
      ).toEqual([])
    })
  })
})

group('every schema', () => {
  it.each(Object.keys(document.components.schemas))(
    '%s describes its fields, with examples',
    (name) => {
      const undescribed = [...fieldsOf(document.components.schemas[name] ?? {}, name)].filter(
        ([, field]) => !field.$ref && !hasWords(field),
      )
      expect(undescribed.map(([path]) => path)).toEqual([])
    },
  )
})

const hasWords = (field: Schema): boolean =>
  field.description !== undefined || [...(field.allOf ?? []), ...(field.anyOf ?? [])].some(hasWords)

function* fieldsOf(schema: Schema, path: string): Generator<[string, Schema]> {
  for (const [key, field] of Object.entries(schema.properties ?? {})) {
    yield [`${path}.${key}`, field]
    yield* fieldsOf(field, `${path}.${key}`)
  }
  if (schema.items && !schema.items.$ref) {
    yield* fieldsOf(schema.items, `${path}[]`)
  }
}
