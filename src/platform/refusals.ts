import { AppError, type ErrorKind, errorTable } from '../domain/errors.ts'
import type { Right } from '../domain/sharing.ts'

// What the service answers where no area has more to say.

/** Makes the error that a request is refused with. */
export interface Refusal {
  (): AppError
  /** Whether it is told as 412 to a caller who sent If-Match. */
  readonly isOfVersion?: true
}

/** The refusal of a premise that something still has the version that was read. */
export const ofVersion = (refusal: () => AppError): Refusal =>
  Object.assign(() => refusal(), { isOfVersion: true as const })

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
  rightNeeded: ['forbidden', 'This needs the right “{right}” on the account. {how}'],
  ownBookingsOnly: [
    'forbidden',
    'On this account you can change only what you recorded yourself. Its owner can let you change more.',
  ],
  notHeld: ['forbidden', 'This concerns permissions that you do not have yourself.'],
  accountHidden: [
    'forbidden',
    'This concerns transactions on accounts that you, or your access token, cannot see.',
  ],
})

/** What the guard of a request asks for is missing. */
export const forbidden = (permission: string): AppError => accessErrors.forbidden({ permission })

/** The refusal of somebody who sees an account, but has too low a right on it. */
export const rightNeeded = (right: Right) => (): AppError =>
  accessErrors.rightNeeded({
    right,
    how: right === 'owner' ? 'Nobody else can do this.' : 'Its owner can give it to you.',
  })

const requestErrors = errorTable('request', {
  conflict: [
    'conflict',
    'This was changed meanwhile, or conflicts with what is stored. Read it again.',
  ],
  stale: [
    'stale',
    'This is not the version that If-Match names. Read it again and send its new ETag; a weak one (W/"…") never matches.',
  ],
  notFound: ['notFound', 'There is nothing here.'],
})

/** What was read has another version by now. */
export const changedMeanwhile = ofVersion(requestErrors.conflict)

export const stale: Refusal = requestErrors.stale

export const nothingHere: Refusal = requestErrors.notFound

export const conflicting: Refusal = requestErrors.conflict

const REFUSED: ReadonlySet<ErrorKind> = new Set(['invalid', 'forbidden', 'notFound', 'conflict'])

/**
 * What a try gives, or undefined when it is refused. What fails in another way may have been stored, so that is
 * thrown.
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
