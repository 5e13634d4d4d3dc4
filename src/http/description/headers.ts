import {
  type DescribedOperation,
  type DescribedResponse,
  type Document,
  type DescribedHeader,
  type JsonSchema,
  operationsOf,
} from './document.ts'

const text = (description: string): DescribedHeader => ({ description, schema: { type: 'string' } })

const ETAG = text('The version of the answer, for `If-Match` and `If-None-Match`.')
const RETRY_AFTER: DescribedHeader = {
  description: 'Number of seconds to wait before trying again.',
  schema: { type: 'integer' },
}
const AUTHENTICATE = text('What is missing, as defined by RFC 6750.')
const REPLAYED = text('`true` if this is a stored answer for the `Idempotency-Key`.')

/** Describes the headers of answers that follow from their shape. */
export function addHeaders(document: Document): void {
  const { schemas } = document.components
  for (const operation of operationsOf(document)) {
    for (const [status, response] of Object.entries(operation.responses)) {
      const headers = '$ref' in response ? {} : headersOf(operation, status, response, schemas)
      if (!('$ref' in response) && Object.keys(headers).length > 0) {
        response.headers = headers
      }
    }
  }
}

function headersOf(
  { parameters = [], responses }: DescribedOperation,
  status: string,
  response: DescribedResponse,
  schemas: Record<string, JsonSchema>,
): Record<string, DescribedHeader> {
  const takes = (name: string) =>
    parameters.some((parameter) => 'name' in parameter && parameter.name === name)
  const isGood = status.startsWith('2')
  // What says more about its headers, such as a file, declares all of them.
  const isTagged = '304' in responses && response.headers === undefined
  return {
    ...(isGood && (isVersioned(response, schemas) || isTagged) ? { ETag: ETAG } : {}),
    ...(isGood && takes('Idempotency-Key') ? { 'Idempotency-Replayed': REPLAYED } : {}),
    ...(status === '401' ? { 'WWW-Authenticate': AUTHENTICATE } : {}),
    ...(status === '429' || status === '503' ? { 'Retry-After': RETRY_AFTER } : {}),
  }
}

/** True if the response is one thing with a version. */
const isVersioned = ({ content }: DescribedResponse, schemas: Record<string, JsonSchema>) =>
  hasVersion(content?.['application/json']?.schema, schemas)

function hasVersion(schema: JsonSchema | undefined, schemas: Record<string, JsonSchema>): boolean {
  const { $ref, properties, allOf = [] } = schema ?? {}
  const { type = [] } = properties?.['version'] ?? {}
  return (
    [type].flat().includes('integer') ||
    ($ref !== undefined && hasVersion(schemas[$ref.split('/').at(-1) ?? ''], schemas)) ||
    allOf.some((part) => hasVersion(part, schemas))
  )
}
