import { AppError, checkAll } from '../../../../domain/errors.ts'
import { type LedgerRow } from '../../../../ledger/ledger.public.ts'
import { labelsAt, labelsOf, WHOLE } from '../../../../ledger/labels/labels.public.ts'
import { MOST_TAGS } from '../../../../domain/ledger-ids.ts'
import { transactionErrors as errors } from '../transactions.errors.ts'
import type { TransactionChanges } from '../transactions.rules.ts'

/** The most transactions of one request. */
export const MOST_TRANSACTIONS = 500

/** The most lines of these together, parts included. */
export const MOST_BULK_LINES = 5000

export function requireFewLines(counts: number[]): void {
  if (counts.reduce((sum, count) => sum + count, 0) > MOST_BULK_LINES) {
    throw errors.tooManyLines()
  }
}

/** The result of a run, or the reason for its refusal. */
export function attempt<Result>(run: () => Result): Result | AppError {
  try {
    return run()
  } catch (error) {
    if (error instanceof AppError && error.kind !== 'internal') {
      return error
    }
    throw error
  }
}

/** Returns the refusal for another field, and names the transaction if the field does not show which one it is. */
export const refusalAt = (
  { kind, code, message }: AppError,
  field: string,
  id?: string,
): AppError => new AppError(kind, code, id === undefined ? message : `${id}: ${message}`, { field })

/** Returns a refusal with all its issues, for the thing at this place of the request. */
export function refusalIn({ kind, code, message, ...error }: AppError, place: string): AppError {
  const inPlace = (field: string | undefined) => (field === undefined ? place : `${place}.${field}`)
  const field = inPlace(error.field)
  const issues = error.issues.map((issue) => ({ ...issue, field: inPlace(issue.field) }))
  return new AppError(kind, code, message, issues.length === 0 ? { field } : { field, issues })
}

/**
 * The outcomes for the items of a request, if none is refused.
 * @param list the field that lists the items; undefined where the request is the item
 */
export const noneRefused = <Outcome extends object>(
  decided: readonly (Outcome | AppError)[],
  list: string | undefined,
): Outcome[] =>
  checkAll(
    ...decided.map((one, at) => () => {
      if (one instanceof AppError) {
        throw list === undefined ? one : refusalIn(one, `${list}.${at}`)
      }
      return one
    }),
  )

/** A change of many transactions. Tags can also be added or removed. */
export interface ManyChanges extends TransactionChanges {
  addTagIds?: string[] | undefined
  removeTagIds?: string[] | undefined
}

/** Returns the change for one of the transactions. */
export function changeOfOne(
  row: LedgerRow,
  { addTagIds = [], removeTagIds = [], ...sent }: ManyChanges,
): TransactionChanges {
  if (addTagIds.length + removeTagIds.length === 0) {
    return sent
  }
  const before = sent.tagIds ?? labelsAt(labelsOf(row), WHOLE).tagIds
  const removed = new Set(removeTagIds)
  const tagIds = [...new Set([...before, ...addTagIds])].filter((id) => !removed.has(id))
  if (tagIds.length > MOST_TAGS) {
    throw errors.tooManyTags({ field: 'addTagIds' })
  }
  return { ...sent, tagIds }
}
