import { AppError } from '../../domain/errors.ts'

/** Why something failed, in a sentence for the operator. */
export function reasonOf(error: unknown): string {
  const { cause, message } = error as Error
  // What is wrong with a variable is told to the operator alone, as the cause.
  return error instanceof AppError && cause instanceof Error ? `${cause.message}.` : message
}
