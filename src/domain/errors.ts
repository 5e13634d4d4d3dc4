/** What went wrong, as the caller must understand it. The only place that knows HTTP statuses. */
export const STATUS_OF = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  notFound: 404,
  methodNotAllowed: 405,
  conflict: 409,
  stale: 412,
  tooLarge: 413,
  unsupportedMediaType: 415,
  unsatisfiable: 416,
  limited: 429,
  internal: 500,
  unavailable: 503,
} as const

export type ErrorKind = keyof typeof STATUS_OF

export interface ErrorDetail {
  /** The error underneath; goes to the log, never to the caller. */
  cause?: unknown
  /** Dotted path of the offending request field. */
  field?: string
  /** Seconds until a retry can succeed, for `limited` and `unavailable`. */
  retryAfter?: number
}

/**
 * The one error that carries an answer. `code` is `area.reason` and stable; `message` is a sentence
 * for the caller and never contains a secret or another user's data.
 */
export class AppError extends Error {
  readonly kind: ErrorKind
  readonly code: string
  readonly field: string | undefined
  readonly retryAfter: number | undefined

  constructor(kind: ErrorKind, code: string, message: string, detail: ErrorDetail = {}) {
    super(message, detail.cause === undefined ? undefined : { cause: detail.cause })
    this.name = 'AppError'
    this.kind = kind
    this.code = code
    this.field = detail.field
    this.retryAfter = detail.retryAfter
  }
}

/** Makes an area's error table: `errors.nameTaken({ field: 'name' })` is the `AppError` `accounts.nameTaken`. */
export function errorTable<const T extends Record<string, readonly [ErrorKind, string]>>(
  area: string,
  table: T,
): { [Reason in keyof T]: (detail?: ErrorDetail) => AppError } {
  const factories = Object.entries(table).map(([reason, [kind, message]]) => [
    reason,
    (detail?: ErrorDetail) => new AppError(kind, `${area}.${reason}`, message, detail),
  ])
  return Object.fromEntries(factories)
}
