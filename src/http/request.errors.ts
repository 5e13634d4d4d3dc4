import { errorTable } from '../domain/errors.ts'

/** What is wrong with a request whatever it asks for. What schemas find is `request.invalid`, with issues. */
export const requestErrors = errorTable('request', {
  invalid: ['invalid', '{message}'],
  malformed: ['invalid', 'The request is malformed.'],
  malformedJson: ['invalid', 'The body {reason}.'],
  malformedText: [
    'invalid',
    'A text has NUL or half of a surrogate pair. Send well-formed Unicode without NUL.',
  ],
  truncatedBody: ['invalid', 'The body did not arrive whole. Send the request again.'],
  tooLarge: ['tooLarge', 'The body is larger than {most} bytes. Send less at once.'],
  unsupportedMediaType: [
    'unsupportedMediaType',
    'Send the body as JSON, with Content-Type: application/json.',
  ],
  formUpload: [
    'unsupportedMediaType',
    'Send the bytes of the file themselves as the body, with Content-Type: application/octet-stream, and not a form.',
  ],
  unknownRoute: ['notFound', 'There is no such route.'],
  methodNotAllowed: ['methodNotAllowed', 'This route has only other methods; see Allow.'],
  noVersion: [
    'invalid',
    'What this operation addresses has no version. Send the request without If-Match.',
  ],
  invalidIfMatch: [
    'invalid',
    'If-Match must be a quoted ETag such as "3-q8Yx0dTn2bWc4RkA", several of them with commas between, or *.',
  ],
  invalidCursor: [
    'invalid',
    'This cursor does not belong to this list. Send nextCursor of the page before, with the same filter.',
  ],
  range: ['unsatisfiable', 'Range must be one range within the {size} bytes of the file.'],
})

export const keyErrors = errorTable('idempotency', {
  malformedKey: ['invalid', 'Idempotency-Key must be 1 to 255 visible ASCII characters.'],
})
