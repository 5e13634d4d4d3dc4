import { AppError } from '../domain/errors.ts'

/** One structured line per request and per failure. Never a body, a query string or a secret. */
export interface RequestLine {
  requestId: string
  operation: string
  actorId: string | null
  status: number
  ms: number
  trips: number
  rowsRead: number
  rowsWritten: number
  databaseMs: number
  workMs: number
}

let print = (line: string): void => console.log(line)

/** Redirects all further lines from the console to a printer. */
export function printTo(printer: typeof print): void {
  print = printer
}

const write = (line: object) => print(JSON.stringify(line))

export const logRequest = (line: RequestLine): void =>
  write({ level: 'info', event: 'request', ...line })

export const logFailure = (requestId: string, error: AppError): void =>
  write({ level: 'error', event: 'failure', requestId, ...detailOf(error) })

/**
 * Returns the loggable part of an error: its code, and unless it is a refusal, its cause and the place where it was
 * thrown. The message of a refusal may quote user input, so it is left out.
 */
export function detailOf(error: unknown): { code: string; cause?: string; stack?: string } {
  const code = codeOf(error)
  const cause = causeOf(error)
  return cause instanceof Error
    ? { code, cause: cause.message.slice(0, 300), ...(cause.stack ? { stack: cause.stack } : {}) }
    : { code }
}

export const codeOf = (error: unknown): string =>
  error instanceof AppError ? error.code : 'service.failed'

function causeOf(error: unknown): unknown {
  if (!(error instanceof AppError)) {
    return error
  }
  return error.cause ?? (error.kind === 'internal' ? error : undefined)
}

/** Logs an event outside of any request: tasks, schedules. */
export const logEvent = (level: 'info' | 'error', event: string, detail: object): void =>
  write({ level, event, ...detail })
