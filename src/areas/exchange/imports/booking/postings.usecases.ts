import type { Amendment, Draft, LedgerRow, Whole } from '../../../../ledger/ledger.public.ts'
import { type discard, entriesOf, type prepare } from '../../../../ledger/ledger.public.ts'
import type { NewIdentity } from '../identities/identities.queries.ts'
import type { DecidedRow } from '../rows/pieces.rules.ts'
import { wholeFrom } from './booking.rules.ts'
import type { lockWatcher } from './locks.rules.ts'
import { amendmentFor, beforeOf, isTrashable, isWithdrawn } from './matched.rules.ts'
import { identityRow, type Planned } from './plans.usecases.ts'

/** What the journal gets of a piece, and the rows that became something else than was planned. */
export interface PiecePostings {
  wholes: Whole[]
  amendments: Amendment[]
  going: Parameters<typeof discard>[1]
  identities: NewIdentity[]
  /** Booked, as what they should have matched is there no more. */
  fresh: Set<DecidedRow>
  /** On a day that is locked by now. */
  locked: Set<DecidedRow>
  /** They take back what is not there, or may not go. */
  idle: Set<DecidedRow>
}

interface Surroundings {
  drafts: Draft[]
  force: boolean | undefined
  decide: ReturnType<ReturnType<typeof prepare>['ready']>
  /** The transaction that a row is, if it is still there. */
  there: (planned: Planned) => LedgerRow | undefined
  isLocked: ReturnType<typeof lockWatcher>
  ids: string[]
  making: Omit<Parameters<typeof wholeFrom>[2], 'id' | 'externalId'>
}

/** What is booked, changed and taken away for the rows of a piece. */
export function postingsOf(toBook: Planned[], about: Surroundings): PiecePostings {
  const made: PiecePostings = {
    ...{ wholes: [], amendments: [], going: [], identities: [] },
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
  }
  return made
}

/** Moves to the trash what a bank takes back. */
function withdraw(
  made: PiecePostings,
  { booking, identity }: Planned,
  stored: LedgerRow | undefined,
  { force, isLocked, making }: Surroundings,
): void {
  if (!stored || !isTrashable(stored, force)) {
    made.idle.add(booking.decided)
  } else if (isLocked(entriesOf(stored), undefined)) {
    made.locked.add(booking.decided)
  } else {
    made.going.push({ row: stored, ...(stored.status === 'reconciled' ? { forced: true } : {}) })
    made.identities.push({
      ...identityRow(booking, identity, making.importId),
      transactionId: stored.transactionId,
      added: JSON.stringify({ ...beforeOf(stored), trashed: true }),
    })
  }
}

/** Gives what is there already what it lacks. */
function change(
  made: PiecePostings,
  { booking, identity, externalId }: Planned,
  stored: LedgerRow,
  { isLocked, making }: Surroundings,
): void {
  const isUpdated = booking.decided.verdict === 'updated'
  const amendment = amendmentFor(stored, booking, { externalId, isUpdated })
  if (amendment.entries && isLocked(entriesOf(stored), amendment.entries)) {
    made.locked.add(booking.decided)
    return
  }
  made.amendments.push(amendment)
  made.identities.push({
    ...identityRow(booking, identity, making.importId),
    ...{ transactionId: stored.transactionId, added: JSON.stringify(beforeOf(stored)) },
  })
}

function bookNew(
  made: PiecePostings,
  { booking, identity, externalId, matchedId }: Planned,
  at: number,
  { drafts, decide, isLocked, ids, making }: Surroundings,
): void {
  const { id: accountId, ownerId } = booking.account
  const id = ids[at] as string
  const draft = decide({ ...(drafts[at] as Draft), accountId, ownerId })
  const whole = wholeFrom(booking, draft, { ...making, id, externalId })
  if (isLocked(undefined, whole.entries)) {
    made.locked.add(booking.decided)
    return
  }
  if (matchedId !== null) {
    made.fresh.add(booking.decided)
  }
  made.wholes.push(whole)
  made.identities.push({
    ...identityRow(booking, identity, making.importId),
    transactionId: id,
  })
}
