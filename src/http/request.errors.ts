import { errorTable } from '../domain/errors.ts'

/** Errors of requests in general. Mistakes that schemas find are `request.invalid`, with issues. */
export const requestErrors = errorTable('request', {
  invalid: ['invalid', '{message}'],
  malformed: [
    'invalid',
    'The request cannot be read. Check that its address is percent-encoded and that its headers are well formed.',
  ],
  malformedJson: ['invalid', 'The body {reason}.'],
  malformedText: [
    'invalid',
    'A text contains NUL or an unpaired surrogate. Send well-formed Unicode without NUL.',
  ],
  truncatedBody: ['invalid', 'The body is incomplete. Send the request again.'],
  tooLarge: ['tooLarge', 'The body is larger than {most} bytes. Send less per request.'],
  bodyNotTaken: ['invalid', 'This operation takes no body. {how}'],
  unsupportedMediaType: [
    'unsupportedMediaType',
    'Send the body as JSON, with Content-Type: application/json.',
  ],
  formUpload: [
    'unsupportedMediaType',
    'Do not send a form. Send the bytes of the file as the body, with Content-Type: application/octet-stream.',
  ],
  unknownRoute: [
    'notFound',
    'There is no such path. Compare it with the paths in the API description, /openapi.json.',
  ],
  methodNotAllowed: [
    'methodNotAllowed',
    'This path does not support {method}. It supports {allowed}.',
  ],
  noVersion: ['invalid', 'This resource has no version. Send the request without If-Match.'],
  invalidIfMatch: [
    'invalid',
    'If-Match must be a quoted ETag such as "3-q8Yx0dTn2bWc4RkA", several of them separated by commas, or *.',
  ],
  invalidCursor: [
    'invalid',
    'This cursor does not belong to this list. Send nextCursor of the previous page, with the same filter.',
  ],
  range: ['unsatisfiable', 'Range must be a single range within the {size} bytes of the file.'],
})

export const keyErrors = errorTable('idempotency', {
  malformedKey: ['invalid', 'Idempotency-Key must be 1 to 255 visible ASCII characters.'],
})
