import { expect, it } from 'vitest'
import { described, fieldsOf } from '../support/described.ts'

// `from` and `to` are days, `fromMonth` and `toMonth` months, `since` and `until` instants.

const FORMATS: Record<string, string> = {
  from: 'date',
  to: 'date',
  fromDate: 'date',
  toDate: 'date',
  since: 'date-time',
  until: 'date-time',
}
const MONTH = '^[0-9]{4}-(?:0[1-9]|1[0-2])$'

/** What these names mean elsewhere, and why. */
const OTHERWISE: Record<string, string> = {
  'listExchangeRates from, to': 'currencies of a pair',
  'listSystemRates from, to': 'currencies of a pair',
  'convertAmount from, to': 'currencies of a pair',
  'createExchangeRate from, to': 'currencies of a pair',
  'updateExchangeRate from, to': 'currencies of a pair',
  'moveMoney from, to': 'lines of a budget',
  'verifyAuditLog from': 'the number of a commit',
  'listAllQueueTasks from, to': 'instants; the names are fixed with the schema QueueTasksQueryDTO',
}

const asked = described.flatMap(({ operationId, parameters, body }) => {
  const schema = body?.['application/json']?.schema
  const fields = Object.entries(schema ? fieldsOf(schema) : {})
  return [
    ...parameters.filter((one) => one.in === 'query').map(({ name, schema: of }) => ({ name, of })),
    ...fields.map(([name, of]) => ({ name, of })),
  ].map((one) => ({ operationId, ...one }))
})

it('means by the ends of a span the same unit everywhere', () => {
  const spans = asked.filter(({ name }) => name in FORMATS || /^(from|to)Month$/.test(name))
  expect(spans.length).toBeGreaterThan(20)
  const others = spans.filter(({ name, of }) =>
    name.endsWith('Month') ? of.pattern !== MONTH : of.format !== FORMATS[name],
  )
  const named = Map.groupBy(others, ({ operationId }) => operationId)
  expect(
    [...named].map(([id, ends]) => `${id} ${ends.map(({ name }) => name).join(', ')}`),
  ).toEqual(expect.arrayContaining(Object.keys(OTHERWISE)))
  expect(named.size).toBe(Object.keys(OTHERWISE).length)
})
