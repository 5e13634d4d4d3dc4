import { AppError } from '../../domain/errors.ts'
import { accessErrors, conflicting, forbidden, type Refusal } from './refusals.ts'
import { rangeErrors, serviceErrors } from '../platform.errors.ts'

/** Worth another try: the batch may or may not have run, so only for what can be repeated. */
const TRANSIENT = [
  'Network connection lost',
  'storage caused object to be reset',
  'reset because its code was updated',
  'transient issue on remote node',
  "Can't read from request stream",
]

/** The store is there but cannot serve now. On Node that is a full or broken disk, one that is read-only, or another process that writes. */
const OVERLOADED = [
  'overloaded',
  'exceeded timeout',
  'memory limit',
  'CPU time limit',
  'SQLITE_BUSY',
  'SQLITE_FULL',
  'SQLITE_IOERR',
  'readonly database',
  'fdatasync',
]

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
const mentions = (error: unknown, parts: string[]) =>
  parts.some((part) => messageOf(error).includes(part))

export const isTransient = (error: unknown): boolean => mentions(error, TRANSIENT)

export const isRepeatedKey = (error: unknown): boolean =>
  mentions(error, ['idempotency_keys.key_hash'])

/** True if a batch failed at a rule after the access guard, which comes first and has confirmed the caller. */
export const isRefusalOfCaller = (error: unknown): boolean =>
  mentions(error, ['constraint failed']) && !mentions(error, ['access_session'])

/** Projections are bounded by CHECKs, so what would overflow is refused before it is stored. */
const RANGE_CHECKS = ['_range']

/**
 * The answer to a failed batch. Constraint names become errors of the area or of the platform; what is
 * unknown becomes a 500 whose cause is for the log alone.
 * @param permission what the access guard asked for
 * @param premises the errors of the batch's premises, by their numbers from 1
 * @param conflicts by column (`accounts.name_key`) or index name, as SQLite words a broken UNIQUE
 */
export function toAppError(
  error: unknown,
  permission: string,
  premises: Refusal[] = [],
  conflicts: Record<string, Refusal> = {},
): AppError {
  if (error instanceof AppError) {
    return error
  }
  const message = messageOf(error)
  const [, access, number] = /constraint failed: (?:access_(\w+)|premise_(\d+))/.exec(message) ?? []
  if (access !== undefined) {
    return access === 'session' ? accessErrors.tokenInvalid() : forbidden(permission)
  }
  const refusal = premises[Number(number) - 1]
  if (refusal) {
    return refusal()
  }
  const conflict = Object.entries(conflicts).find(([name]) => message.includes(name))
  if (conflict) {
    return conflict[1]()
  }
  if (message.includes('CHECK constraint failed') && mentions(error, RANGE_CHECKS)) {
    return rangeErrors.outOfRange()
  }
  if (message.includes('FOREIGN KEY constraint failed')) {
    return conflicting()
  }
  if (mentions(error, [...TRANSIENT, ...OVERLOADED])) {
    return serviceErrors.unavailable({
      cause: error,
      retryAfter: 2,
    })
  }
  return serviceErrors.failed({ cause: error })
}
