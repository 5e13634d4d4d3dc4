import type { AppError } from '../domain/errors.ts'

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

/** Where lines go from now on, in place of the console. */
export function printTo(printer: typeof print): void {
  print = printer
}

const write = (line: object) => print(JSON.stringify(line))

export const logRequest = (line: RequestLine): void =>
  write({ level: 'info', event: 'request', ...line })

export function logFailure(requestId: string, error: AppError): void {
  const { cause } = error
  const detail =
    cause instanceof Error ? { cause: cause.message.slice(0, 300), stack: cause.stack } : {}
  write({ level: 'error', event: 'failure', requestId, code: error.code, ...detail })
}

/** What happened outside of any request: tasks, schedules. */
export const logEvent = (level: 'info' | 'error', event: string, detail: object): void =>
  write({ level, event, ...detail })
