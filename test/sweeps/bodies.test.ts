import { expect, it } from 'vitest'
import { type ErrorBody, fetchRaw } from '../support/api.ts'
import { type Described, described, requiredOf } from '../support/described.ts'
import { pathOfNobody } from '../support/foreign-ids.ts'
import { isWhole, operations } from '../support/operations.ts'
import { newAdmin } from '../support/world.ts'

// A body of which no field is required can be left out, with its Content-Type: that is the same as sending {}. A PUT or
// PATCH needs its body, because it would change nothing without one. Where no body is taken, one that asks for something is
// refused, because it would be ignored.

const ids = new Set(operations.map(({ operationId }) => operationId))
const visited = described.filter(({ operationId }) => ids.has(operationId))

const withoutRequired = visited.filter(({ body }) => {
  const schema = body?.['application/json']?.schema
  return schema && requiredOf(schema).length === 0
})

const named = (operations: Described[]) =>
  operations.map((operation) => [operation.operationId, operation] as const)

const isChange = ({ method }: Described) => method === 'put' || method === 'patch'
const optional = withoutRequired.filter((operation) => !isChange(operation))
const bodyless = visited.filter(({ body, method }) => body === undefined && method !== 'get')
const changes = withoutRequired.filter(isChange)

/** What a new administrator gets who sends this body, about things that do not exist. */
async function answerTo(operation: Described, init: { body?: string; type?: string }) {
  const { status, code } = await refusalOf(operation, init)
  return [status, code]
}

async function refusalOf(operation: Described, init: { body?: string; type?: string }) {
  const { accessToken } = await newAdmin()
  const { body, type } = init
  const response = await fetchRaw(pathOfNobody(operation.operationId), {
    method: operation.method.toUpperCase(),
    headers: {
      Authorization: `Bearer ${accessToken}`,
      ...(type === undefined ? {} : { 'Content-Type': type }),
    },
    ...(body === undefined ? {} : { body }),
  })
  const { error, code } = JSON.parse((await response.text()) || '{}') as Partial<ErrorBody>
  return { status: response.status, code: error === undefined ? '' : code, error }
}

it.runIf(isWhole)('knows operations whose body has no required field', () => {
  expect(optional.map(({ operationId }) => operationId)).toEqual(
    expect.arrayContaining(['acceptShare', 'closeAccount', 'createStarterCategories']),
  )
})

it.each(named(optional))('%s takes a missing body for an empty object', async (_, operation) => {
  const type = 'application/json'
  const expected = await answerTo(operation, { body: '{}', type })
  expect(expected[0]).not.toBe(415)
  expect(await answerTo(operation, {})).toEqual(expected)
  expect(await answerTo(operation, { body: '', type })).toEqual(expected)
})

it.each(named(changes))('%s needs a body', async (_, operation) => {
  expect(await answerTo(operation, {})).toEqual([415, 'request.unsupportedMediaType'])
  const empty = { body: '', type: 'application/json' }
  expect(await answerTo(operation, empty)).toEqual([400, 'request.malformedJson'])
})

it.each(named(bodyless))('%s takes no body, but for an empty object', async (_, operation) => {
  const type = 'application/json'
  const expected = await answerTo(operation, {})
  expect(expected[1]).not.toBe('request.bodyNotTaken')
  expect(await answerTo(operation, { body: ' {\n} ', type })).toEqual(expected)
  for (const body of ['{"force":true}', '[]', 'force=true', `{${' '.repeat(100)}}`]) {
    const refused = await refusalOf(operation, { body, type })
    expect([refused.status, refused.code]).toEqual([400, 'request.bodyNotTaken'])
    const inQuery = operation.parameters.filter((one) => one.in === 'query')
    expect(refused.error).toContain(inQuery.map(({ name }) => name).join(', '))
  }
})
