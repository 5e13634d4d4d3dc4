import type { Entry, Status } from './ledger.ts'

/** True if two lists of entries are the same lines with the same content, in whatever order. */
export const isSameBooking = (one: Entry[], other: Entry[]): boolean =>
  JSON.stringify(comparable(one)) === JSON.stringify(comparable(other))

/**
 * True if two bookings differ in categories and notes of parts at most. The category of an income says if a line is
 * on the side of the income or, as a refund, of the expenses.
 */
export const isSameMoney = (one: Entry[], other: Entry[]): boolean =>
  isSameBooking(one.map(withoutWords), other.map(withoutWords))

/** The statuses between which a line may change in place: each counts in the balance, and says how far it is confirmed. */
const IN_PLACE: Status[] = ['uncleared', 'cleared', 'reconciled']

/** True if one booking becomes the other without adding or removing a line. A change in place moves no money. */
export const isSameInPlace = (one: Entry[], other: Entry[]): boolean =>
  isSameMoney(one.map(withoutStep), other.map(withoutStep))

const withoutStep = (line: Entry): Entry => ({
  ...line,
  status: IN_PLACE.includes(line.status) ? 'uncleared' : line.status,
})

/** The accounts whose lines are not the same money in two lists of entries. */
export function accountsMoved(one: Entry[], other: Entry[]): string[] {
  const of = (entries: Entry[], accountId: string) =>
    entries.filter((entry) => entry.accountId === accountId)
  const ids = new Set([...one, ...other].map(({ accountId }) => accountId))
  return [...ids].filter((id) => !isSameMoney(of(one, id), of(other, id)))
}

const withoutWords = ({ side, ...line }: Entry): Entry => ({
  ...line,
  side: side === 'income' ? 'expense' : side,
  categoryId: null,
  note: null,
  payeeRaw: null,
})

const comparable = (entries: Entry[]) =>
  entries
    .toSorted((a, b) => a.line - b.line)
    .map((one) => Object.entries(one).toSorted(([a], [b]) => (a < b ? -1 : 1)))

/** The fields of one thing that another one has not, or has otherwise. */
export const fieldsThatDiffer = <Fields extends object>(
  one: Fields,
  other: object,
): Partial<Fields> => {
  const others = new Map<string, unknown>(Object.entries(other))
  return Object.fromEntries(
    Object.entries(one).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(others.get(name)),
    ),
  ) as Partial<Fields>
}

/** A field that differs, with both values; null for nothing. */
export interface FieldChange {
  field: string
  before: unknown
  after: unknown
}

type Fields = Record<string, unknown> | undefined

/** Returns the fields in which two snapshots of one thing differ, compared by their JSON. Either snapshot may be missing. */
export const fieldChanges = (before: Fields, after: Fields): FieldChange[] =>
  Object.keys(after ?? before ?? {})
    .map((field) => ({ field, before: before?.[field] ?? null, after: after?.[field] ?? null }))
    .filter((change) => JSON.stringify(change.before) !== JSON.stringify(change.after))
