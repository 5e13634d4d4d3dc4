import { AppError, type ErrorKind } from '../domain/errors.ts'

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

export const unauthenticated: Refusal = () =>
  new AppError('unauthenticated', 'auth.required', 'Sign in to do this.')

export const forbidden: Refusal = () =>
  new AppError('forbidden', 'auth.forbidden', 'You do not have the permission that this needs.')

/** What was read has another version by now. */
export const changedMeanwhile = ofVersion(
  () =>
    new AppError('conflict', 'request.conflict', 'Somebody changed this meanwhile; read it again.'),
)

export const stale: Refusal = () =>
  new AppError(
    'stale',
    'request.stale',
    'This is not the version that If-Match names; read it again.',
  )

export const nothingHere: Refusal = () =>
  new AppError('notFound', 'request.notFound', 'There is nothing here.')

export const conflicting: Refusal = () =>
  new AppError('conflict', 'request.conflict', 'This conflicts with what is stored.')

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
