import type { SchemeOfAccount } from '../../../../domain/imports/trust.ts'
import { countRows } from '../../../../domain/imports/counts.ts'
import { freshIds, type SignedIn } from '../../../../platform/context.ts'
import { digestsOf } from '../../../../platform/secrets/crypto.ts'
import { commit, read } from '../../../../platform/database/database.ts'
import { type Change, withoutEvents } from '../../../../platform/log/events.ts'
import { pauseRegularly, runWithPauses } from '../../../../platform/work/pauses.ts'
import { amend, book, discard, ledgerSidesOf, post } from '../../../../ledger/ledger.public.ts'
import { owns } from '../../../identity/access/access.public.ts'
import { type AccountView, visibleAccounts } from '../../../money/accounts/accounts.public.ts'
import {
  type Concession,
  concessionAfter,
  makeDrafts,
} from '../../../money/transactions/transactions.public.ts'
import { namedTags } from '../../../money/tags/tags.public.ts'
import {
  insertIdentities,
  knownIdentities,
  rememberIdentities,
  settleHeld,
  takenExternalIds,
  importedRowsOf,
  type NewIdentity,
} from '../identities.queries.ts'
import { importErrors, bookingRefusals } from '../imports.errors.ts'
import { importEvents } from '../imports.events.ts'
import { notesOf, type StoredChunk, type StoredImport } from '../imports.queries.ts'
import { type Mapping, MOST_OF_TRANSACTION } from '../imports.rules.ts'
import { decidedRow, type DecidedRow, type ReadRow, unlockedRow } from '../rows/pieces.rules.ts'
import { readPiece } from '../rows/rows.usecases.ts'
import { insertNotes } from '../rows/rows.queries.ts'
import { categoriesOfOwners, saveOutcome, takePiece } from './booking.queries.ts'
import {
  draftOf,
  identified,
  identityKeys,
  slices,
  lockWatcher,
  type TagIndex,
  tagIndex,
} from './booking.rules.ts'
import { type CategoryIndex, categoryIndex } from './making.rules.ts'
import { byTransaction, NOTHING_ADDED } from './matched.rules.ts'
import {
  addLeftOut,
  addOutcome,
  addRules,
  type LeftOut,
  notesOfDone,
  outcomeFrom,
} from './outcomes.rules.ts'
import {
  besidesOf,
  doneRows,
  externalIdsOf,
  foreseenOf,
  identityRow,
  matchable,
  movedRows,
  identityPairs,
  PieceState,
  type PiecePlan,
  piecePlan,
  type PlannedRow,
} from './plans.usecases.ts'
import { type PiecePostings, postingsOfPiece } from './postings.usecases.ts'
import type { CommitOptions } from './making.usecases.ts'

/** Transactions that are made into statements before the next pause. */
const BOOKED_AT_ONCE = 500

/** Books a piece by one commit, and tells what became of its rows. */
export async function bookPiece(
  begun: SignedIn,
  row: StoredImport,
  chunk: StoredChunk,
  concession: Concession = {},
): Promise<void> {
  // Each piece has a time of its own, so that what is booked later has later ids.
  const owner = { ...begun, now: begun.ports.now() }
  const foreseen = await foreseenOf(owner, chunk)
  if (foreseen) {
    await leaveOut(owner, row, chunk, foreseen)
    return
  }
  const piece = await readPiece(owner, chunk)
  // The oldest first.
  const rows = row.backwards ? piece.toReversed() : piece
  const { decided, plan, ...found } = await planPiece(owner, row, chunk, rows)
  const made = await postPiece(owner, row, plan, { ...found, concession })
  const { force } = optionsOf(row)
  const { id, ownerId, nextChunk } = row
  const skipped = plan.toSkip.map(({ booking, identity }) => ({
    ...identityRow(booking, identity, id),
    skipped: true,
  }))
  const remembered = plan.toRemember.map(({ booking, identity, matchedId }) => ({
    ...identityRow(booking, identity, id),
    ...{ transactionId: matchedId, skipped: booking.decided.reason === 'skipped' },
  }))
  const { wholes, amendments, going, identities, posted } = made
  const booked = wholes.length + amendments.length + going.length
  const done = doneRows(decided, plan, made)
  const outcome = outcomeFrom(row.outcome)
  // Nobody is told of the rules of others.
  const own = wholes.filter(({ header }) => owns(owner.caller, header))
  const became = { ...addOutcome(outcome, done), rules: addRules(outcome.rules, own) }
  const bookings: ReturnType<typeof book>[] = []
  const pause = pauseRegularly()
  for (const some of slices(wholes, BOOKED_AT_ONCE)) {
    bookings.push(book(some))
    await pause()
  }
  const money = (): Change =>
    post(
      owner,
      { ...bookingRefusals, force },
      ...bookings,
      ...(amendments.length === 0 ? [] : [amend(owner, byTransaction(amendments))]),
      ...(going.length === 0 ? [] : [discard(owner, going)]),
    )
  await commit(owner, {
    changes: [
      {
        statements: takePiece(
          owner,
          { id, nextChunk, became },
          'committing',
          chunk.rows,
          importErrors.stopped,
        ),
        events: booked === 0 ? [] : [importEvents.booked({ id, ownerId }, { rows: booked })],
      },
      ...wholes.flatMap(({ changes }) => changes),
      ...(booked === 0 ? [] : [money()]),
      withoutEvents([
        ...settleHeld(posted),
        ...insertIdentities([...identities, ...followersOf(plan, identities, id), ...skipped]),
        ...rememberIdentities(remembered),
        saveOutcome(id, chunk.number, countRows(done)),
        ...insertNotes(id, notesOfDone(done)),
      ]),
    ],
    result: undefined,
    conflicts: {
      'import_identities.account_id': importErrors.changedMeanwhile,
      'entries.account_id': importErrors.changedMeanwhile,
    },
  }).catch((error: unknown) => {
    const more = concessionAfter(error, wholes, concession)
    if (!more) {
      throw error
    }
    return bookPiece(begun, row, chunk, more)
  })
}

const optionsOf = ({ options }: StoredImport) => JSON.parse(options) as CommitOptions

/** Takes a piece of which nothing is booked: of a file that comes again, that is all of them. */
async function leaveOut(
  owner: SignedIn,
  row: StoredImport,
  chunk: StoredChunk,
  foreseen: LeftOut[],
): Promise<void> {
  const { id, nextChunk } = row
  const outcome = outcomeFrom(row.outcome)
  const became = { ...outcome, leftOut: addLeftOut(outcome.leftOut, foreseen) }
  await commit(owner, {
    changes: [
      withoutEvents(
        takePiece(owner, { id, nextChunk, became }, 'committing', chunk.rows, importErrors.stopped),
      ),
    ],
    result: undefined,
  })
}

/** Decides the rows of a piece anew, by what their user said of them and what accounts know by now. */
async function planPiece(
  owner: SignedIn,
  row: StoredImport,
  chunk: StoredChunk,
  rows: ReadRow[],
): Promise<PieceBasis & { decided: DecidedRow[]; plan: PiecePlan }> {
  const keys = identityKeys(JSON.parse(row.untrusted) as SchemeOfAccount[], digestsOf)
  const [views, notes, known, taken, categories, tags] = await read(
    owner,
    visibleAccounts(owner),
    notesOf(row.id, chunk.firstRow, chunk.firstRow + chunk.rows - 1),
    knownIdentities(identityPairs(rows)),
    takenExternalIds(externalIdsOf(rows)),
    categoriesOfOwners(owner),
    namedTags(owner),
  )
  const accounts = new Map(views.map((view) => [view.account.id, view]))
  const byRow = new Map(notes.map((note) => [note.row, note]))
  const { force } = optionsOf(row)
  const decided = rows
    .map((one) => decidedRow(one, byRow.get(one.row.at + 1)))
    .map((one) => identified(force ? unlockedRow(one) : one, digestsOf))
  // Accounts that decisions name may know other rows.
  const moved = movedRows(decided)
  const more = [...besidesOf(decided, keys), ...identityPairs(moved)]
  const [alsoKnown, alsoTaken] =
    more.length === 0
      ? [[], []]
      : await read(owner, knownIdentities(more), takenExternalIds(externalIdsOf(moved)))
  const state = new PieceState(keys, [...known, ...alsoKnown], [...taken, ...alsoTaken])
  const plan = piecePlan(decided, accounts, state)
  return { decided, plan, views, categories: categoryIndex(categories), tags: tagIndex(tags) }
}

/** Lines of transactions that one piece matches. */
const MOST_LINES = 20_000

/** The accounts that are seen, and the labels that rows may name. */
interface PieceBasis {
  views: AccountView[]
  categories: CategoryIndex
  tags: TagIndex
}

/** Makes what is posted of the rows of a plan. */
async function postPiece(
  owner: SignedIn,
  row: StoredImport,
  { toBook }: PiecePlan,
  { views, concession, ...labels }: PieceBasis & { concession: Concession },
): Promise<PiecePostings> {
  const { id: importId, mapping } = row
  // In the order of the rows: those of one day are listed by their ids.
  const ids = freshIds(owner, 'txn', toBook.length)
  const making = { importId, mapping: JSON.parse(mapping) as Mapping, ...labels }
  const { force, applyRules } = optionsOf(row)
  const drafts = toBook.map(({ booking, externalId }, at) => ({
    ...draftOf(booking, { ...making, id: ids[at] as string, externalId }),
    applyRules,
    ...concession,
  }))
  const { needs, makerOf } = makeDrafts(owner, drafts)
  const matchedIds = [...new Set(toBook.flatMap(({ matchedId }) => matchedId ?? []))]
  const [matchedRows, importedRows, ...found] = await read(
    owner,
    ledgerSidesOf(owner, matchedIds, MOST_LINES),
    importedRowsOf(matchedIds),
    ...needs,
  )
  const accounts = views.map(({ account }) => account)
  const postings = postingsOfPiece(toBook, {
    ...{ drafts, force, make: makerOf(found, accounts) },
    there: matchable(matchedRows, importedRows),
    importedRows: importedRows,
    isLocked: lockWatcher(views, force),
    ...{ importId, now: owner.now },
  })
  return runWithPauses(postings, pauseRegularly())
}

/**
 * Makes the identities of rows in whose place another row of the piece was booked: what corrects them later, and they themselves
 * in a later file, find the transaction that this one has become.
 *
 * @param booked those of the rows that were booked
 */
function followersOf(
  { toFollow, toBook }: Pick<PiecePlan, 'toFollow' | 'toBook'>,
  booked: readonly NewIdentity[],
  importId: string,
): NewIdentity[] {
  const partners = new Map(toFollow.map((one) => [one.booking.row.at, partnerOf(one)]))
  const planned = new Map(
    toBook.map(({ booking: { row, account }, identity }) => [
      row.at,
      keyOf({ accountId: account.id, ...identity }),
    ]),
  )
  const became = new Map(booked.map((one) => [keyOf(one), one]))
  const counts = new Map<string, number>()
  return toFollow.flatMap(({ booking, identity }) => {
    const last = planned.get(endOf(booking.row.at, partners))
    const { transactionId, added } = became.get(last ?? '') ?? {}
    const count = (counts.get(transactionId ?? '') ?? 0) + 1
    counts.set(transactionId ?? '', count)
    return transactionId === undefined
      ? []
      : [
          {
            ...identityRow(booking, identity, importId),
            transactionId: count < MOST_OF_TRANSACTION ? transactionId : null,
            added: added === null ? null : NOTHING_ADDED,
          },
        ]
  })
}

/** The key of a row, with its account, because accounts may have equal identities. */
const keyOf = ({ accountId, identity }: Pick<NewIdentity, 'accountId' | 'identity'>): string =>
  `${accountId} ${identity}`

const partnerOf = ({ booking: { decided } }: PlannedRow) => decided.found.partnerAt as number

/** The row that stands for a row in the end. Rows that correct each other have none. */
function endOf(at: number, partners: ReadonlyMap<number, number>): number {
  const seen = new Set<number>()
  let end = at
  for (
    let next = partners.get(end);
    next !== undefined && !seen.has(end);
    next = partners.get(end)
  ) {
    seen.add(end)
    end = next
  }
  return end
}
