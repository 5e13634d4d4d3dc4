import { allErrors, type DeclaredError, STATUS_OF } from '../../domain/errors.ts'
import { tellsIssues } from '../issues.ts'
import type {
  DescribedOperation,
  DescribedResponse,
  Document,
  JsonSchema,
  Reference,
} from './document.ts'
import { impliedCodes } from './error-codes.ts'

/** Gives each error of an operation the codes that it can have as an enumeration, and the likeliest one as its example. */
export function tellErrors({ paths, components }: Document): void {
  const errors = new Map(allErrors().map((error) => [error.code, error]))
  for (const [path, item] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(item)) {
      const known = (operation['x-error-codes'] ?? []).flatMap((code) => errors.get(code) ?? [])
      const implied = impliedCodes(operation, method)
      const fault = faultIn(operation, components.schemas, tellsIssues(path))
      for (const [status, response] of Object.entries(operation.responses)) {
        tellError(
          response,
          known.filter(({ kind }) => STATUS_OF[kind] === Number(status)),
          { implied, fault },
        )
      }
    }
  }
}

function tellError(
  response: DescribedResponse | Reference,
  declared: DeclaredError[],
  { implied, fault }: { implied: string[]; fault: object },
): void {
  const media = 'content' in response ? response.content?.['application/json'] : undefined
  const likeliest = likeliestOf(declared, implied)
  if (media?.schema && likeliest) {
    media.schema = { allOf: [media.schema, oneOf(declared.map(({ code }) => code))] }
    media.example = {
      error: likeliest.message.replaceAll(/\{\w+\}/g, '…'),
      code: likeliest.code,
      requestId: 'req_01k9v3q8m5t0w2x4y6z8a1b3c5',
      ...(likeliest.code === 'request.invalid' ? fault : {}),
    }
  }
}

/**
 * Returns the operation's own error for 404 and 409, else the first one that every such operation answers, such as
 * `request.invalid`.
 */
function likeliestOf(declared: DeclaredError[], implied: string[]): DeclaredError | undefined {
  const own = declared.find(
    ({ code, kind }) => ['notFound', 'conflict'].includes(kind) && !implied.includes(code),
  )
  return (
    own ??
    implied.flatMap((code) => declared.find((one) => one.code === code) ?? [])[0] ??
    declared[0]
  )
}

const oneOf = (codes: string[]): JsonSchema => ({
  type: 'object',
  properties: { code: { type: 'string', enum: codes } },
  required: ['code'],
})

/** A mistake that can be made with this operation. */
function faultIn(
  operation: DescribedOperation,
  schemas: Record<string, JsonSchema>,
  isListed: boolean,
): object {
  const [field, code, predicate] = mistakeIn(operation, schemas)
  const error = `${field} ${predicate}.`
  return { error, field, ...(isListed ? { issues: [{ field, code, message: error }] } : {}) }
}

function mistakeIn(
  { parameters = [], requestBody }: DescribedOperation,
  schemas: Record<string, JsonSchema>,
): [field: string, code: string, predicate: string] {
  const body = requestBody?.content['application/json']?.schema
  const named = body?.$ref === undefined ? body : schemas[body.$ref.split('/').at(-1) ?? '']
  const [required] = named?.required ?? []
  if (required !== undefined) {
    return [required, 'required', 'is required']
  }
  const id = parameters.find((one) => 'in' in one && one.in === 'path' && one.schema?.pattern)
  return id && 'name' in id
    ? [id.name, 'format', `must be an id such as ${String(id.schema?.example)}`]
    : ['page', 'unknown', 'is not a parameter here']
}
