import type { RowIdentity } from '../../../../domain/imports/identity.ts'
import type { SettledRow } from '../../../../domain/imports/rows.ts'
import type { Decision, Verdict, DuplicateReason } from '../../../../domain/imports/verdicts.ts'
import { jsonLine } from '../../../../domain/text.ts'
import type { LedgerRow } from '../../../../ledger/ledger.public.ts'
import type { IgnoredReason, RowError, RowErrorCode } from '../../../../domain/bank-files/source.ts'
import { importErrors } from '../imports.errors.ts'

/** A row of a file as the object with all rows has it. */
export interface ReadRow {
  /** Its position is `row.at`. */
  row: SettledRow
  /** None of an ignored row. */
  identity?: RowIdentity
  found: Decision
}

/** The decision and values of the user for a row, as they are stored. */
interface RowNote {
  decision: 'book' | 'skip' | 'match' | null
  once: boolean
  matchId: string | null
  /** JSON. */
  overrides: string | null
  /** JSON of a `Decision`. */
  found: string | null
}

/** Values of the user in place of those of the file. */
export interface Overrides {
  date?: string | undefined
  /** Decimal text, signed. */
  amount?: string | undefined
  accountId?: string | undefined
  categoryId?: string | null | undefined
  payeeId?: string | null | undefined
  description?: string | undefined
  tagIds?: string[] | undefined
  note?: string | null | undefined
  /** True if a matched transaction gets the date of the row. */
  takeDate?: boolean | undefined
}

/** A row with all that was found and decided. */
export interface DecidedRow {
  read: ReadRow
  note: RowNote | undefined
  /** The decision of the comparison. */
  found: Decision
  /** The verdict after the user's decision. */
  verdict: Verdict
  reason: string | null
  matchedId: string | null
  overrides: Overrides
}

/** The stored values of the user for a row. */
export interface StoredOverrides extends Overrides {
  /** The transaction that the user has matched the row with was pending, and the row is not. */
  isPosting?: boolean | undefined
}

export const saidOf = (note: Pick<RowNote, 'overrides'> | undefined): StoredOverrides =>
  note?.overrides ? (JSON.parse(note.overrides) as StoredOverrides) : {}

/** Returns the final verdict on a row from the comparison with the books and the decision of the user. */
export function decidedRow(row: ReadRow, note?: RowNote): DecidedRow {
  const { isPosting, ...overrides } = saidOf(note)
  const found = note?.found ? (JSON.parse(note.found) as Decision) : row.found
  const read = found.identity ? { ...row, identity: found.identity } : row
  const decided = { read, note, found, overrides }
  const isLocked =
    found.verdict === 'locked' && overrides.date === undefined && overrides.accountId === undefined
  if (note?.decision === 'book' && !isLocked && isCompleteRow(read.row, overrides)) {
    return { ...decided, verdict: 'new', reason: null, matchedId: null }
  }
  if (note?.decision === 'skip') {
    return { ...decided, verdict: 'skipped', reason: note.once ? 'once' : null, matchedId: null }
  }
  if (note?.decision === 'match') {
    const verdict = isPosting === true ? ('updated' as const) : ('matched' as const)
    return { ...decided, verdict, reason: 'chosen', matchedId: note.matchId }
  }
  const { reason = null, matchedId = null } = found
  const isMended =
    (found.verdict === 'error' && isMendedBy(read.row, overrides)) ||
    // It was moved to another day or account. The commit looks whether that is locked, too.
    (found.verdict === 'locked' && !isLocked)
  const verdict = isMended ? ('new' as const) : found.verdict
  return { ...decided, verdict, reason: isMended ? null : reason, matchedId }
}

/** Returns what a row came to once it was booked, and until then what is decided. */
export function settledRow(read: ReadRow, note?: RowNote): DecidedRow {
  const decided = decidedRow(read, note)
  const { became } = decided.found
  return became === undefined
    ? decided
    : { ...decided, ...became, matchedId: became.verdict === 'new' ? null : decided.matchedId }
}

/** Tells whether the file and the user give all values that a booking needs. */
const isCompleteRow = ({ accountId, date, minor }: SettledRow, overrides: Overrides): boolean =>
  (overrides.accountId ?? accountId) !== '' &&
  (overrides.date ?? date) !== undefined &&
  (overrides.amount !== undefined || Boolean(minor))

/** Returns the verdict that a locked row has if its lock may be overridden. */
export const unlockedRow = (decided: DecidedRow): DecidedRow =>
  decided.verdict === 'locked'
    ? {
        ...decided,
        verdict: decided.note?.decision === 'book' ? 'new' : (decided.found.unlocked ?? 'new'),
      }
    : decided

/** Tells whether nothing is wrong with a row but what the user has said instead. */
function isMendedBy({ errors, date, minor }: SettledRow, overrides: Overrides): boolean {
  const isDated = overrides.date !== undefined
  const isPriced = overrides.amount !== undefined
  return (
    (isDated || date !== undefined) &&
    (isPriced || minor !== undefined) &&
    errors.every(({ code }) =>
      code.startsWith('date') ? isDated : isPriced && OF_AMOUNT.has(code),
    )
  )
}

const OF_AMOUNT: ReadonlySet<string> = new Set([
  ...['amountMissing', 'money.malformed', 'money.tooManyDigits', 'money.outOfRange'],
  ...['amountStyleMixed', 'bothSides', 'lastRecordCut'],
])

/** The characters of rows that are written at once. */
const WRITTEN_LENGTH = 65_536

/** The bytes of rows, a line each, in parts. */
export function* bytesOfRows(rows: readonly ReadRow[]): Generator<Uint8Array> {
  const encoder = new TextEncoder()
  let text = ''
  for (const row of rows) {
    text += jsonLine(row)
    if (text.length >= WRITTEN_LENGTH) {
      yield encoder.encode(text)
      text = ''
    }
  }
  yield encoder.encode(text)
}

// Rows that the user says are transactions that are there.

/** A row can be matched that has what a transaction has, and that is no transaction yet. */
export function requireMatchable(
  { row, found }: ReadRow,
  note: RowNote | undefined,
  storedOverrides: StoredOverrides,
): void {
  const { verdict } = note?.found ? (JSON.parse(note.found) as Decision) : found
  if (verdict === 'duplicate') {
    throw importErrors.rowKnown({ field: 'decision' })
  }
  if (!isCompleteRow(row, { ...saidOf(note), ...storedOverrides })) {
    throw importErrors.rowIncomplete({ field: 'decision' })
  }
}

/** One transaction is one row of a file. */
export function requireFreeTransaction(
  there: LedgerRow | undefined,
  others: { row: number }[],
): void {
  if (!there) {
    throw importErrors.matchNotFound({ field: 'transactionId' })
  }
  if (others.length > 0) {
    throw importErrors.matchTaken({ field: 'transactionId' })
  }
}

/** Tells whether the bank has booked a transaction that was pending so far. */
export const isPostedBy = ({ row }: ReadRow, { status }: LedgerRow): boolean =>
  status === 'pending' && !row.source.pending

const IGNORED: Record<Exclude<IgnoredReason, 'rule'>, string> = {
  opening:
    'An opening balance is not a booking. Set the opening balance of the account, or decide `book` for the row.',
  closing: 'A closing balance is not a booking.',
  turnover: 'A total is not a booking.',
  zero: 'The amount is zero.',
  notCompleted: 'The bank did not carry it out.',
  pending: 'It is pending. Set `pending` to `import` to have such rows booked.',
  neutral: 'The file says that it is neither money in nor money out.',
  security: 'It is about securities, which are not imported.',
  information: 'It is information, not a booking.',
  empty: 'The line is empty.',
  deleted: 'The file itself withdraws it.',
  paidElsewhere: 'It was paid from another account, whose own file has it.',
  hold: 'It is a hold, not a payment.',
  otherSide: 'It is the other side of a transfer that the file has already.',
  toldAgain: 'A later report or a statement in the file contains it, too.',
  accountIgnored: 'The mapping leaves its account out.',
  outsideSpan: 'It is outside of the days that the mapping selects.',
}

const DUPLICATE: Record<DuplicateReason, string> = {
  sameId: 'A transaction with the same bank id exists already.',
  sameRow: 'A transaction from the same row exists already.',
  externalId: 'A transaction has the bank id of the row as its `externalId`.',
  sameIdOtherDate: 'A transaction with the same bank id and amount exists already, on another day.',
  inTrash: 'It was imported and is in the trash. Restore it there.',
  erased: 'It was imported and erased.',
  skipped: 'You skipped it for good in an earlier import.',
}

const ERRORS: Record<RowErrorCode, string> = {
  dateMissing: 'It has no date.',
  dateInvalid: 'Its date does not exist in the calendar.',
  amountMissing: 'It has no amount.',
  'money.malformed': 'Its amount is not a number.',
  'money.tooManyDigits': 'Its amount has more decimals than the currency.',
  'money.outOfRange': 'Its amount is too large.',
  amountStyleMixed: 'Its amount is written in another style than those of most rows.',
  bothSides: 'It has an amount in both the debit and the credit column.',
  directionUnknown: 'The word for its direction is not known.',
  tooFewFields: 'It has fewer fields than the heading.',
  tooManyFields: 'It has more fields than the heading.',
  fieldTooLong: 'One of its fields is too long.',
  lineTooLong: 'Its line is too long.',
  partsDoNotSum: 'Its parts do not add up to its amount.',
  tooManyParts: 'It has more parts than a transaction may have.',
  accountUnknown: 'It names an account that is not in the file.',
  currencyMismatch: 'Its currency is not that of its account.',
  manyAccounts: 'It is on several accounts.',
  lastRecordCut: 'The file ends within it.',
}

const OTHERS: Record<string, string> = {
  once: 'You skipped it for this file.',
  cancelled: 'The import was cancelled before it was booked.',
  notWithdrawn:
    'The bank withdraws a transaction that is reconciled, part of a transfer, or gone already.',
}

const SENTENCES = new Map(Object.entries({ ...IGNORED, ...DUPLICATE, ...ERRORS, ...OTHERS }))

/** A sentence for each verdict that may have no reason. */
const VERDICTS: Partial<Record<Verdict, string>> = {
  duplicate: 'It was imported before.',
  ignored: 'It is not a booking.',
  locked: 'Its day is locked for the account. End the lock, or send `force` with the commit.',
  error: 'It cannot be read.',
  skipped: 'You skipped it.',
}

/** A sentence that says why a row is left out; null if it is not. */
export const sentenceOf = (verdict: Verdict, reason: string | null): string | null =>
  SENTENCES.get(reason ?? '') ?? VERDICTS[verdict] ?? null

/** Like `sentenceOf`, for one row: the message of its own error comes first. */
export const messageOf = (
  { verdict, reason }: { verdict: Verdict; reason: string | null },
  [error]: RowError[],
): string | null => (verdict === 'error' && error ? error.message : sentenceOf(verdict, reason))
