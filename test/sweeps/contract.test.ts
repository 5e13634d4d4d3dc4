import { tellsIssues } from '../../src/http/issues.ts'
import { describe as group, expect, it } from 'vitest'
import { createApp } from '../../src/app.ts'
import { describe } from '../../src/http/openapi.ts'
import { faultsIn, type Schema as JsonSchema } from '../support/json-schema.ts'

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
  responses: Record<
    string,
    {
      description?: string
      content?: Record<string, { schema?: Schema; example?: { code?: string } }>
    }
  >
}

const told = JSON.stringify(describe(createApp()))

const { components: shared } = JSON.parse(told) as {
  components: Record<string, Record<string, object>>
}

/** What is described once stands where it is referred to, but for schemas. */
const document = JSON.parse(told, (_, value: unknown) => {
  const reference =
    typeof value === 'object' && value !== null && '$ref' in value ? String(value.$ref) : ''
  const [, kind = '', name = ''] =
    /^#\/components\/(parameters|responses)\/(\w+)$/.exec(reference) ?? []
  return shared[kind]?.[name] ?? value
}) as {
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

/** What the interface names. */
const INTERFACE = [
  'GET /account getUserAccounts',
  'POST /account createAccount',
  'GET /account/home-page getHomePage',
  'GET /account/{id} getAccountByID',
  'PUT /account/{id} updateAccount',
  'DELETE /account/{id} deleteAccount',
  'GET /account/{id}/details getAccountDetails',
  'PUT /account/{id}/share-group shareAccountToGroup',
  'GET /account-history getAccountHistory',
  'DELETE /account-history/{id} deleteAccountHistory',
  'PATCH /account-history/{id} updateAccountHistoryComment',
  'GET /admin/api-reference getAPIReference',
  'GET /admin/download-metrics',
  'GET /admin/growth-trends',
  'GET /admin/groups listAllGroups',
  'PUT /admin/groups/{id}/storage-class',
  'POST /admin/queue-tasks listAllQueueTasks',
  'POST /admin/share',
  'DELETE /admin/share',
  'GET /admin/identity-providers listIdentityProviders',
  'POST /admin/identity-providers createIdentityProvider',
  'PUT /admin/identity-providers/{id} updateIdentityProvider',
  'DELETE /admin/identity-providers/{id} deleteIdentityProvider',
  'GET /admin/permissions listPermissions',
  'GET /admin/roles listRoles',
  'POST /admin/roles createRole',
  'GET /admin/roles/{id} getRole',
  'PUT /admin/roles/{id} updateRole',
  'DELETE /admin/roles/{id} deleteRole',
  'POST /auth/v2/login',
  'POST /auth/refresh-token',
  'POST /auth/register',
  'GET /health',
  'GET /version',
]

/** What the interface documents otherwise than the rest; all the same it is enforced like the rest. */
const ODD: Record<string, object[]> = {
  'get /admin/download-metrics': [],
  'put /admin/groups/{id}/storage-class': [{ Bearer: [] }],
}

it('has every operation that the interface names', () => {
  const names = new Set(
    operations.flatMap(({ path, method, operation: { operationId } }) => [
      `${method.toUpperCase()} ${path}`,
      `${method.toUpperCase()} ${path} ${operationId}`,
    ]),
  )
  expect(INTERFACE.filter((name) => !names.has(name))).toEqual([])
})

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
    for (const { name, path, operation } of operations) {
      for (const [status, { content }] of Object.entries(operation.responses)) {
        if (Number(status) >= 400) {
          const { allOf: [base, own] = [] } = content?.['application/json']?.schema ?? {}
          const of = `${name} ${status}`
          const shape = tellsIssues(path) ? 'ErrorResponse' : 'AdminErrorResponse'
          expect(base, of).toEqual({ $ref: `#/components/schemas/${shape}` })
          const codes = own?.properties?.['code']?.enum ?? []
          expect(codes, of).not.toEqual([])
          expect(codes, of).toContain(content?.['application/json']?.example?.code)
        }
      }
    }
  })

  it('has no schema with a name that generators of clients make for an operation', () => {
    const made = operations.flatMap(({ operation: { operationId } }) => {
      const name = operationId.charAt(0).toUpperCase() + operationId.slice(1)
      return ['Data', 'Error', 'Errors', 'Response', 'Responses'].map((what) => `${name}${what}`)
    })
    const taken = Object.keys(document.components.schemas).filter((name) => made.includes(name))
    // The interface names both, and the schema as well.
    expect(taken.toSorted()).toEqual(['ListPermissionsResponse', 'ListRolesResponse'])
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
  it('describes its fields', () => {
    const undescribed = Object.entries(document.components.schemas).flatMap(([name, schema]) =>
      [...fieldsOf(schema, name)].filter(([, field]) => !field.$ref && !hasWords(field)),
    )
    expect(undescribed.map(([path]) => path)).toEqual([])
  })
})

/** An object that speaks of its parts. */
const SPEAKS_OF_PARTS = [
  'ChangeTransactionsRequest.changes',
  'ReorderBudgetLinesRequest.parents',
  'UpdateBudgetPeriodRequest.lineNotes',
]

const named = document.components.schemas as Record<string, JsonSchema>

it('takes null for every field whose description speaks of it, and for no schema with a name', () => {
  const speaking = Object.entries(document.components.schemas)
    .flatMap(([name, schema]) => [...fieldsOf(schema, name)])
    .filter(([, field]) => /\bnull\b/.test(JSON.stringify(field.description ?? field.allOf ?? '')))
  expect(speaking.length).toBeGreaterThan(100)
  const refusing = speaking.filter(
    ([, field]) => faultsIn(field as JsonSchema, null, named).length > 0,
  )
  expect(refusing.map(([path]) => path)).toEqual(SPEAKS_OF_PARTS)
  const nullable = Object.keys(named).filter(
    (name) => faultsIn(named[name] ?? {}, null, named).length === 0,
  )
  expect(nullable).toEqual([])
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
