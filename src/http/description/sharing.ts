import {
  type DescribedResponse,
  type Document,
  operationsOf,
  type Parameter,
  type Reference,
} from './document.ts'

/** The parameters that many operations have, by the name under which they are described once. */
const PARAMETERS: Record<string, string> = {
  limit: 'Limit',
  cursor: 'Cursor',
  'Idempotency-Key': 'IdempotencyKey',
  'If-Match': 'IfMatch',
  'If-None-Match': 'IfNoneMatch',
}

const RESPONSES: Record<string, string> = {
  304: 'NotModified',
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  412: 'PreconditionFailed',
  413: 'ContentTooLarge',
  415: 'UnsupportedMediaType',
  416: 'RangeNotSatisfiable',
  429: 'TooManyRequests',
  500: 'InternalServerError',
  503: 'ServiceUnavailable',
}

/**
 * Describes once, under `components`, what many operations share. Of several forms, such as limits with other bounds, the
 * commonest is shared, and the others stay where they are.
 */
export function shareParts(document: Document): void {
  const parameters: Use<Parameter>[] = []
  const responses: Use<DescribedResponse>[] = []
  for (const operation of operationsOf(document)) {
    const { parameters: own = [] } = operation
    own.forEach((part, at) => {
      if (!('$ref' in part)) {
        const put = (shared: Reference) => own.splice(at, 1, shared)
        parameters.push({ name: PARAMETERS[part.name], part, put })
      }
    })
    for (const [status, part] of Object.entries(operation.responses)) {
      if (!('$ref' in part)) {
        const put = (shared: Reference) => (operation.responses[status] = shared)
        responses.push({ name: nameOf(status, part), part, put })
      }
    }
  }
  document.components.parameters = share('parameters', parameters)
  document.components.responses = share('responses', responses)
}

/** Errors on the routes of administrators have a schema of their own. */
function nameOf(status: string, { content = {} }: DescribedResponse): string | undefined {
  const [base] = content['application/json']?.schema?.allOf ?? []
  const name = RESPONSES[status]
  return name && base?.$ref?.endsWith('/AdminErrorResponse') ? `Admin${name}` : name
}

interface Use<Part> {
  /** Under which it is shared; undefined for what is not. */
  name: string | undefined
  part: Part
  put: (shared: Reference) => unknown
}

function share<Part>(kind: string, uses: Use<Part>[]): Record<string, Part> {
  const shared: Record<string, Part> = {}
  for (const name of new Set(uses.flatMap((use) => use.name ?? []))) {
    const forms = Map.groupBy(
      uses.filter((use) => use.name === name),
      ({ part }) => JSON.stringify(part),
    )
    const [commonest = []] = [...forms.values()].toSorted((a, b) => b.length - a.length)
    for (const { part, put } of commonest) {
      shared[name] = part
      put({ $ref: `#/components/${kind}/${name}` })
    }
  }
  return shared
}
