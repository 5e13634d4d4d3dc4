import type { RowIdentity } from '../../../../domain/imports/identity.ts'
import type { SettledRow } from '../../../../domain/imports/rows.ts'
import type { Decision, Verdict } from '../../../../domain/imports/verdicts.ts'
import { jsonLine } from '../../../../domain/text.ts'

/** A row of a file as the object with all rows has it. */
export interface ReadRow {
  /** Its position is `row.at`. */
  row: SettledRow
  /** None of an ignored row. */
  identity?: RowIdentity
  found: Decision
}

/** The decision and values of the user for a row, as they are stored. */
export interface RowNote {
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
  /** Whether a matched transaction gets the date of the row. */
  takeDate?: boolean | undefined
}

/** A row with all that was found and decided. */
export interface DecidedRow {
  read: ReadRow
  note: RowNote | undefined
  /** What it was found to be. */
  found: Decision
  /** What it comes to. */
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
  if (note?.decision === 'book' && !isLocked && isComplete(read.row, overrides)) {
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
export const isComplete = ({ accountId, date, minor }: SettledRow, overrides: Overrides): boolean =>
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
