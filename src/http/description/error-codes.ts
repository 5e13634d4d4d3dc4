import type { DescribedOperation, Document } from './document.ts'
import errorCodes from './error-codes.json' with { type: 'json' }

// The errors that an operation can answer: those that its shape implies, and its own, which tests have seen. Only the
// description has them, so a release has none of this.

/** The errors of each operation besides those that its shape implies. `npm run errors` adds what tests see. */
export const ERROR_CODES: Record<string, string> = errorCodes

/** The errors that the shape of an operation implies, with the condition for each group. */
const IMPLIED: [
  implies: (operation: DescribedOperation, method: string) => boolean,
  codes: string[],
][] = [
  [() => true, ['request.invalid', 'service.failed', 'service.unavailable']],
  [
    (operation) => operation['x-access'] !== 'public',
    [
      ...['auth.required', 'auth.tokenExpired', 'auth.tokenInvalid', 'auth.forbidden'],
      ...['request.tooManyAtOnce', 'request.budgetExhausted'],
    ],
  ],
  [
    (operation) => takes(operation, 'application/json'),
    [
      ...['request.malformedJson', 'request.malformedText', 'request.truncatedBody'],
      ...['request.tooLarge', 'request.unsupportedMediaType'],
    ],
  ],
  [
    ({ requestBody }, method) => requestBody === undefined && method !== 'get',
    ['request.bodyNotTaken', 'request.truncatedBody'],
  ],
  [(operation) => takes(operation, 'application/octet-stream'), ['request.formUpload']],
  [
    ({ parameters = [] }) => parameters.some((one) => 'name' in one && one.name === 'cursor'),
    ['request.invalidCursor'],
  ],
  [(_, method) => method === 'post', ['idempotency.malformedKey', 'idempotency.mismatch']],
  [
    (operation, method) => method === 'post' && '404' in operation.responses,
    ['idempotency.notVisible'],
  ],
  [
    ({ responses }) => '412' in responses,
    ['request.invalidIfMatch', 'request.stale', 'request.conflict'],
  ],
  [
    ({ responses }, method) => ['put', 'patch', 'delete'].includes(method) && !('412' in responses),
    ['request.noVersion', 'request.conflict'],
  ],
  [
    ({ responses }, method) => method === 'post' && '413' in responses,
    ['idempotency.answerTooLarge'],
  ],
  [({ responses }) => '416' in responses, ['request.range']],
]

const takes = ({ requestBody }: DescribedOperation, type: string) =>
  type in (requestBody?.content ?? {})

/** The codes that follow from what an operation is. */
export const impliedCodes = (operation: DescribedOperation, method: string): string[] =>
  IMPLIED.flatMap(([implies, codes]) => (implies(operation, method) ? codes : []))

/** Adds to each operation of a document which errors it can answer; its parameters are not shared yet. */
export function addErrorCodes({ paths }: Document): void {
  for (const item of Object.values(paths)) {
    for (const [method, operation] of Object.entries(item)) {
      const own = ERROR_CODES[operation.operationId]?.split(' ') ?? []
      operation['x-error-codes'] = [
        ...new Set([...impliedCodes(operation, method), ...own]),
      ].toSorted()
    }
  }
}
