/** The HTTP status of each kind of error. No other code maps errors to HTTP statuses. */
export const STATUS_OF = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  notFound: 404,
  methodNotAllowed: 405,
  conflict: 409,
  gone: 410,
  stale: 412,
  tooLarge: 413,
  unsupportedMediaType: 415,
  unsatisfiable: 416,
  limited: 429,
  internal: 500,
  unavailable: 503,
} as const

export type ErrorKind = keyof typeof STATUS_OF

/** One problem of a request. */
export interface Issue {
  /** Dotted path of the request field; absent when the problem is with the request as a whole. */
  field?: string
  code: string
  message: string
}

export interface ErrorDetail {
  /** The error underneath; goes to the log, never to the caller. */
  cause?: unknown
  /** Dotted path of the offending request field. */
  field?: string
  /** All problems of the request, where more is known than one. */
  issues?: readonly Issue[]
  /** Seconds until a retry can succeed, for `limited` and `unavailable`. */
  retryAfter?: number
  /** The path of what is there already, for `conflict`. */
  location?: string
}

/**
 * The one error that carries an answer. `code` is `area.reason` and stable; `message` is a sentence
 * for the caller and never contains a secret or another user's data.
 */
export class AppError extends Error {
  readonly kind: ErrorKind
  readonly code: string
  readonly field: string | undefined
  readonly issues: readonly Issue[]
  readonly retryAfter: number | undefined
  readonly location: string | undefined

  constructor(kind: ErrorKind, code: string, message: string, detail: ErrorDetail = {}) {
    super(message, detail.cause === undefined ? undefined : { cause: detail.cause })
    const { field, issues, retryAfter, location } = detail
    this.name = 'AppError'
    this.kind = kind
    this.code = code
    this.field = field
    this.issues = issues ?? (field === undefined ? [] : [{ field, code, message }])
    this.retryAfter = retryAfter
    this.location = location
  }
}

/** The end of a sentence that says how to force a request. */
export const SEND_FORCE =
  'send force: true in the body, or force=true in the query where no body is taken'

type Results<Checks extends readonly (() => unknown)[]> = {
  [At in keyof Checks]: ReturnType<Checks[At]>
}

/**
 * Runs checks of a request of which each can fail alone, and gives what they found. What they refuse is thrown as one
 * error: the first, with the issues of all. What is not `invalid` is thrown as it comes.
 */
export function checkAll<Checks extends readonly (() => unknown)[]>(
  ...checks: Checks
): Results<Checks> {
  const outcomes = checks.map(resultOrRefusal)
  const refused = outcomes.filter((one) => one instanceof AppError)
  const [first] = refused
  if (first) {
    const { kind, code, message, field } = first
    const issues = refused.flatMap((error) => error.issues)
    throw new AppError(kind, code, message, { issues, ...(field === undefined ? {} : { field }) })
  }
  return outcomes as Results<Checks>
}

/** Returns the result, or the refusal of something that is invalid. */
export function resultOrRefusal<Result>(attempt: () => Result): Result | AppError {
  try {
    return attempt()
  } catch (error) {
    if (error instanceof AppError && error.kind === 'invalid') {
      return error
    }
    throw error
  }
}

/** Runs a check of a part of a request, so that what it refuses names its field below that part. */
export function checkBelow<Result>(place: string, check: () => Result): Result {
  const outcome = resultOrRefusal(check)
  if (outcome instanceof AppError) {
    const { kind, code, message, field } = outcome
    throw new AppError(kind, code, message, {
      field: field === undefined ? place : `${place}.${field}`,
    })
  }
  return outcome
}

/** The names of the `{gaps}` of a message. */
type Gaps<Message> = Message extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Gaps<Rest>
  : never

/** A message with gaps needs what they are filled with. */
type Factory<Message> = [Gaps<Message>] extends [never]
  ? (detail?: ErrorDetail) => AppError
  : (values: Record<Gaps<Message>, string | number>, detail?: ErrorDetail) => AppError

/** An error as a table declares it; `message` may have `{gaps}`. */
export interface DeclaredError {
  code: string
  kind: ErrorKind
  message: string
}

const declared: DeclaredError[] = []

/** All errors of the modules that are loaded. */
export const allErrors = (): readonly DeclaredError[] => declared

/**
 * Makes an area's error table: `errors.nameTaken({ field: 'name' })` is the `AppError` `accounts.nameTaken`. Gaps of a
 * message are filled by the call: `errors.tooLong({ most: 5 }, { field: 'name' })` for `At most {most}.`
 */
export function errorTable<const T extends Record<string, readonly [ErrorKind, string]>>(
  area: string,
  table: T,
): { [Reason in keyof T]: Factory<T[Reason][1]> } {
  const factories = Object.entries(table).map(([reason, [kind, message]]) => {
    const code = `${area}.${reason}`
    declared.push({ code, kind, message })
    return [
      reason,
      message.includes('{')
        ? (values: Record<string, string | number>, detail?: ErrorDetail) =>
            new AppError(kind, code, filled(message, values), detail)
        : (detail?: ErrorDetail) => new AppError(kind, code, message, detail),
    ]
  })
  return Object.fromEntries(factories)
}

const filled = (message: string, values: Record<string, string | number>) =>
  message.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values[name]))
