import { AppError, type ErrorKind, errorTable } from '../../domain/errors.ts'
import type { Right } from '../../domain/sharing.ts'
import type { Statement } from './statements.ts'

// The errors of the service where no area has more specific ones.

/** Makes the error that a request is refused with. */
export interface Refusal {
  (): AppError
  /** True if callers who sent If-Match get status 412. */
  readonly isOfVersion?: true
}

/** The refusal of a premise that something still has the version that was read. */
export const ofVersion = (refusal: () => AppError): Refusal =>
  Object.assign(() => refusal(), { isOfVersion: true as const })

/** An error that only a read after the refusal can tell in full: the unit of work runs it. */
export class Unexplained extends AppError {
  readonly finder: Statement<unknown[]>
  readonly explain: (rows: unknown[]) => AppError | undefined

  constructor(
    { kind, code, message, field }: AppError,
    finder: Statement<unknown[]>,
    explain: (rows: unknown[]) => AppError | undefined,
  ) {
    super(kind, code, message, field === undefined ? {} : { field })
    this.finder = finder
    this.explain = explain
  }
}

/**
 * A refusal whose error is made from the rows of a finder, once the commit has failed. If they no longer show the reason,
 * the error of `refusal` is answered.
 */
export const explainedBy =
  <Row>(
    refusal: () => AppError,
    finder: Statement<Row[]>,
    explain: (rows: Row[]) => AppError | undefined,
  ): Refusal =>
  () =>
    new Unexplained(refusal(), finder, explain as (rows: unknown[]) => AppError | undefined)

export const accessErrors = errorTable('auth', {
  required: [
    'unauthenticated',
    'Sign in to do this: send an access token as “Authorization: Bearer …”.',
  ],
  tokenExpired: [
    'unauthenticated',
    'The access token has expired. Get a new one with POST /auth/refresh-token.',
  ],
  tokenInvalid: [
    'unauthenticated',
    'The access token is not valid, or its session has ended. Sign in again.',
  ],
  forbidden: [
    'forbidden',
    'This needs the permission {permission}. You do not have it, or your access token has no scope for it.',
  ],
  rightNeeded: ['forbidden', 'You need the right “{right}” on this account. {how}'],
  ownBookingsOnly: [
    'forbidden',
    'On this account you can change only what you recorded yourself. Its owner can let you change more.',
  ],
  notHeld: [
    'forbidden',
    'This request grants permissions, or concerns a user with permissions, that you do not hold yourself. Ask an administrator who holds them.',
  ],
  accountHidden: [
    'forbidden',
    'Some of the transactions concerned are on accounts that you cannot see, or that your access token excludes. Use a token without a restriction to accounts, or ask the owner of the accounts.',
  ],
})

/** The refusal of a caller who lacks the permission that the guard requires. */
export const forbidden = (permission: string): AppError => accessErrors.forbidden({ permission })

/** The refusal of somebody who sees an account, but has too low a right on it. */
export const rightNeeded = (right: Right) => (): AppError =>
  accessErrors.rightNeeded({
    right,
    how:
      right === 'owner'
        ? 'Only the owner can do this.'
        : 'Ask its owner for it. If it is shared with a group, viewers of the group only read.',
  })

const requestErrors = errorTable('request', {
  conflict: [
    'conflict',
    'This, or something that it refers to, was changed or deleted while the request ran. Read it again, then decide what to send.',
  ],
  stale: [
    'stale',
    'The resource has another version than If-Match names. Read it again, and send its new ETag. A weak ETag (W/"…") never matches.',
  ],
  notFound: [
    'notFound',
    'Something that the request names does not exist, or you can no longer see it. Check the ids.',
  ],
})

/** The refusal if something has another version than was read. */
export const changedMeanwhile = ofVersion(requestErrors.conflict)

export const stale: Refusal = requestErrors.stale

export const nothingHere: Refusal = requestErrors.notFound

export const conflicting = requestErrors.conflict

const REFUSED: ReadonlySet<ErrorKind> = new Set(['invalid', 'forbidden', 'notFound', 'conflict'])

/**
 * Returns the result of an attempt, or undefined when it is refused. Other failures are thrown, because the change
 * may have been stored.
 */
export async function unlessRefused<Result>(
  attempt: () => Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await attempt()
  } catch (error) {
    if (error instanceof AppError && REFUSED.has(error.kind)) {
      return undefined
    }
    throw error
  }
}

/**
 * True if an attempt that failed with this error committed nothing. In the uncertain case, objects of the bucket
 * stay, and are swept if no row names them.
 */
export const isCertain = (error: unknown): boolean =>
  !(error instanceof AppError && ['unavailable', 'internal'].includes(error.kind))
