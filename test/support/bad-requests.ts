import { fetchRaw, type Principal } from './api.ts'
import {
  type Described,
  described,
  faultsOfRead,
  fieldsOf,
  type Parameter,
  requiredOf,
  textOf,
} from './described.ts'
import { hostile, leadsElsewhere } from './foreign-ids.ts'
import type { Schema } from './json-schema.ts'
import { pathWith } from './operations.ts'
import type { Sample } from './samples.ts'
import { someOf } from './rotation.ts'

/** A request that must be refused, and how. */
export interface BadRequest {
  what: string
  path: Record<string, string>
  query: string
  body: string | undefined
  headers: Record<string, string>
  /** Any 4xx where it is none of these. */
  status?: number
  /** The part of the path that is no id. */
  noId?: string
}

/** The sample of an operation, spoilt in one thing after the other, as its sender asks. */
export function badRequestsOf(
  operation: Described,
  sample: Sample,
  { accessToken }: Principal,
): BadRequest[] {
  const type = { 'Content-Type': sample.bytes ? 'application/octet-stream' : 'application/json' }
  const headers = { ...type, Authorization: `Bearer ${accessToken}` }
  const good: Omit<BadRequest, 'what'> = {
    ...{ path: sample.path ?? {}, query: sample.query ?? '', headers },
    body: sample.bytes ?? (sample.json && JSON.stringify(sample.json)),
  }
  const spoilt = (what: string, changed: Partial<BadRequest>) => ({ ...good, what, ...changed })
  const withHeader = (header: object) => ({ headers: { ...headers, ...header } })
  return [
    ...(operation.isPublic
      ? []
      : [
          spoilt('no token', { headers: type, status: 401 }),
          spoilt('no such token', { ...withHeader({ Authorization: 'Bearer x' }), status: 401 }),
        ]),
    ...pathsOf(operation, good.path).map(([what, changed]) => spoilt(what, changed)),
    ...queriesOf(operation).map((query) =>
      spoilt(query, { query: withQuery(good.query, query), status: 400 }),
    ),
    ...bodiesOf(operation, sample).map(([what, body]) => spoilt(what, { body, status: 400 })),
    // The type of a file is told by its bytes alone.
    ...(operation.body?.['application/json']
      ? [spoilt('another type', { ...withHeader({ 'Content-Type': 'text/plain' }), status: 415 })]
      : []),
    ...(needsBody(operation) ? [spoilt('no body', { body: '', status: 400 })] : []),
    ...(operation.method === 'post' && !operation.isPublic
      ? [spoilt('a bad key', { ...withHeader({ 'Idempotency-Key': 'ä'.repeat(9) }), status: 400 })]
      : []),
  ]
}

/** Whether there must be a body: bytes, a change, or JSON with a required field. Other bodies can be left out. */
const needsBody = ({ method, body }: Described): boolean => {
  const schema = body?.['application/json']?.schema
  const canBeEmpty = schema && (method === 'post' || method === 'delete')
  return canBeEmpty ? requiredOf(schema).length > 0 : body !== undefined
}

/** What is wrong with how a request is answered that must be refused. */
export async function faultsOfBad(operation: Described, bad: BadRequest): Promise<string[]> {
  const path = pathWith(operation, bad.path, 'none')
  const response = await fetchRaw(path + bad.query, {
    method: operation.method.toUpperCase(),
    headers: bad.headers,
    ...(bad.body === undefined ? {} : { body: bad.body }),
  })
  const text = await textOf(response)
  const { status } = response
  const isElsewhere = leadsElsewhere(operation, path, described)
  const isRight = isElsewhere
    ? status < 500
    : bad.status
      ? status === bad.status
      : status >= 400 && status < 500
  const isOfField = bad.noId === undefined || isElsewhere || text.includes(`"field":"${bad.noId}"`)
  return [
    ...(isRight && isOfField ? [] : [`gets ${status} ${text.slice(0, 300)}`]),
    ...(isElsewhere ? [] : faultsOfRead(operation, response, text)),
  ].map((fault) => `${operation.operationId}, ${bad.what}: ${fault}`)
}

/** So many of the hostile ids are tried in each place. */
const IDS_TRIED = 17

function pathsOf(operation: Described, path: Record<string, string>) {
  const params = operation.parameters.filter((one) => one.in === 'path')
  return params.flatMap(({ name, schema: { pattern } }) => {
    const own = path[name] ?? 'none'
    const ids = hostile(own).filter((id) => id !== own)
    return someOf(ids, IDS_TRIED, `${operation.operationId} ${name}`).map((id) => {
      const isOther = pattern === undefined && !/(^id|Id)$/.test(name)
      const isId = isOther || new RegExp(pattern ?? '^$').test(id)
      const refused = isId ? {} : { status: 400, noId: name }
      return [`${name} ${id.slice(0, 80)}`, { path: { ...path, [name]: id }, ...refused }] as const
    })
  })
}

/** What the limit of every list is refused with. */
const LIMITS = ['0', '-1', '100000', '1.5', '1e1', 'x', '', '1&limit=2']

function queriesOf(operation: Described): string[] {
  const params = operation.parameters.filter((one) => one.in === 'query')
  return [
    ...(params.length > 0 ? ['surplus=1', '__proto__=1'] : []),
    ...params.flatMap((parameter) => {
      const { name } = parameter
      if (name === 'limit') {
        return LIMITS.map((limit) => `limit=${limit}`)
      }
      return [
        ...(isFreeText(parameter) ? [] : [`${name}=no%20such%20thing%21`]),
        ...(parameter.schema.type === 'array' ? [] : [`${name}=1&${name}=1`]),
      ]
    }),
  ]
}

const isFreeText = ({ name, schema }: Parameter) =>
  name !== 'cursor' && schema.type === 'string' && !schema.enum && !schema.pattern && !schema.format

/** The query of a sample, with one parameter of it as it must not be. */
function withQuery(query: string, bad: string): string {
  const kept = new URLSearchParams(query)
  kept.delete(bad.split('=')[0] ?? '')
  return `?${kept.size > 0 ? `${kept.toString()}&` : ''}${bad}`
}

function bodiesOf(operation: Described, { json }: Sample): (readonly [string, string])[] {
  const schema = operation.body?.['application/json']?.schema
  if (!schema) {
    return []
  }
  const good = (json ?? {}) as Record<string, unknown>
  const wrong = Object.entries(fieldsOf(schema)).map(([name, field]) => ({
    [name]: wrongFor(field),
  }))
  return [
    ...['{', '[]', 'null', '"x"', '1', '{"a":1,"a":2}', '{"a":"\\u0000"}', '\u00ff{}'].map(
      (text) => [text, text] as const,
    ),
    ...[{ surplus: 1 }, { constructor: 1 }, ...wrong].map((changed) => {
      return [JSON.stringify(changed), JSON.stringify({ ...good, ...changed })] as const
    }),
  ]
}

/** A value of a type that the field does not have. */
function wrongFor({ type, $ref, allOf, anyOf }: Schema): unknown {
  const isObject = $ref ?? allOf ?? anyOf ?? [type].flat().includes('object')
  return isObject ? 7 : { no: 'such thing' }
}
