import type { Amendment, discard, LedgerRow } from '../../../../ledger/ledger.public.ts'
import { entriesOf } from '../../../../ledger/ledger.public.ts'
import type {
  MadeTransaction,
  RecordDraft,
} from '../../../money/transactions/transactions.public.ts'
import type { Steps } from '../../../../domain/steps.ts'
import type { NewIdentity, PostedRow, ImportedIdentity } from '../identities.queries.ts'
import type { DecidedRow } from '../rows/pieces.rules.ts'
import type { lockWatcher } from './booking.rules.ts'
import { amendmentFor, beforeOf, isTrashable, isWithdrawn, writtenBy } from './matched.rules.ts'
import { identityRow, type PlannedRow } from './plans.usecases.ts'

/** The postings of a piece for the journal, and the rows whose outcome differs from the plan. */
export interface PiecePostings {
  wholes: MadeTransaction[]
  amendments: Amendment[]
  going: Parameters<typeof discard>[1]
  identities: NewIdentity[]
  /** Pending rows that are booked now. */
  posted: PostedRow[]
  /** Booked, as what they should have matched is there no more. */
  fresh: Set<DecidedRow>
  /** On a day that is locked by now. */
  locked: Set<DecidedRow>
  /** They take back what is not there, or may not go. */
  idle: Set<DecidedRow>
}

interface Surroundings {
  /** The draft of each row, used if the row is a new transaction. */
  drafts: RecordDraft[]
  force: boolean | undefined
  make: (draft: RecordDraft) => MadeTransaction
  /** The transaction that a row is, if it is still there. */
  there: (planned: PlannedRow) => LedgerRow | undefined
  /** The rows that files have for existing transactions. */
  importedRows: ImportedIdentity[]
  isLocked: ReturnType<typeof lockWatcher>
  now: number
  importId: string
}

/** Makes the postings that book, change and remove transactions for the rows of a piece, each of which is a step. */
export function* postingsOfPiece(toBook: PlannedRow[], about: Surroundings): Steps<PiecePostings> {
  const made: PiecePostings = {
    ...{ wholes: [], amendments: [], going: [], identities: [], posted: [] },
    ...{ fresh: new Set(), locked: new Set(), idle: new Set() },
  }
  for (const [at, planned] of toBook.entries()) {
    const stored = about.there(planned)
    if (isWithdrawn(planned.booking)) {
      withdraw(made, planned, stored, about)
    } else if (stored) {
      change(made, planned, stored, about)
    } else {
      bookNew(made, planned, at, about)
    }
    yield
  }
  return made
}

/** Moves to the trash what a bank takes back. */
function withdraw(
  made: PiecePostings,
  { booking, identity }: PlannedRow,
  stored: LedgerRow | undefined,
  { force, isLocked, importId }: Surroundings,
): void {
  if (!stored || !isTrashable(stored, force)) {
    made.idle.add(booking.decided)
  } else if (isLocked(entriesOf(stored), undefined)) {
    made.locked.add(booking.decided)
  } else {
    made.going.push({ row: stored, ...(stored.status === 'reconciled' ? { forced: true } : {}) })
    made.identities.push({
      ...identityRow(booking, identity, importId),
      transactionId: stored.transactionId,
      added: JSON.stringify({ ...beforeOf(stored), trashed: true }),
    })
  }
}

/** Gives what is there already what it lacks. */
function change(
  made: PiecePostings,
  { booking, identity, externalId }: PlannedRow,
  stored: LedgerRow,
  { isLocked, importId, importedRows, now: at }: Surroundings,
): void {
  const { decided, row } = booking
  // A pending transaction that the user matched may be booked by now.
  const isPosted = decided.note?.decision !== 'match' || stored.status === 'pending'
  const isUpdated = decided.verdict === 'updated' && isPosted
  const amendment = amendmentFor(stored, booking, { externalId, isUpdated })
  if (amendment.entries && isLocked(entriesOf(stored), amendment.entries)) {
    made.locked.add(booking.decided)
    return
  }
  const wrote = writtenBy(amendment)
  // A transaction that is reconciled and lacks nothing stays as it is.
  if (amendment.entries || Object.keys(wrote).length > 0) {
    made.amendments.push(amendment)
  }
  const posted = identityRow(booking, identity, importId)
  const held = row.source.pending ? [] : heldAs(stored, importedRows)
  made.posted.push({ posted, held })
  made.identities.push({
    ...posted,
    transactionId: stored.transactionId,
    added: JSON.stringify({
      ...{ ...beforeOf(stored), at, wrote },
      ...(held.length === 0 ? {} : { held }),
    }),
  })
}

/** Returns the identities that a transaction had as a pending row. */
const heldAs = ({ transactionId, accountId }: LedgerRow, importedRows: ImportedIdentity[]) =>
  importedRows.flatMap(({ accountId: on, nowId, pending, ...held }) =>
    pending === 1 && on === accountId && nowId === transactionId ? [held] : [],
  )

function bookNew(
  made: PiecePostings,
  { booking, identity, matchedId }: PlannedRow,
  at: number,
  { drafts, make, isLocked, importId }: Surroundings,
): void {
  const whole = make(drafts[at] as RecordDraft)
  if (isLocked(undefined, whole.entries)) {
    made.locked.add(booking.decided)
    return
  }
  if (matchedId !== null) {
    made.fresh.add(booking.decided)
  }
  made.wholes.push(whole)
  made.identities.push({
    ...identityRow(booking, identity, importId),
    transactionId: whole.header.id,
  })
}
