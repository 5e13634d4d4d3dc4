import { addCounts, countRows, noRows } from '../../../../domain/imports/counts.ts'
import { AppError } from '../../../../domain/errors.ts'
import type { Context, SignedIn } from '../../../../platform/context.ts'
import { freshIds } from '../../../../platform/context.ts'
import { digestsOf } from '../../../../platform/crypto.ts'
import { commit, read } from '../../../../platform/database.ts'
import { withoutEvents } from '../../../../platform/events.ts'
import type { Statement } from '../../../../platform/statements.ts'
import { readOrStop } from '../../../../platform/tasks.ts'
import {
  amend,
  type Amendment,
  book,
  discard,
  type Draft,
  entriesOf,
  ledgerRowsByIds,
  newHeader,
  post,
  prepare,
  type Whole,
} from '../../../../ledger/ledger.public.ts'
import { visibleAccounts } from '../../../money/accounts/accounts.public.ts'
import { namedTags } from '../../../money/tags/tags.public.ts'
import {
  insertIdentities,
  knownIdentities,
  type NewIdentity,
  takenExternalIds,
  toldOf,
} from '../identities/identities.queries.ts'
import { importErrors } from '../imports.errors.ts'
import { importEvents } from '../imports.events.ts'
import {
  chunksOf,
  importForTask,
  ownerForTask,
  notesOf,
  type StoredChunk,
  type StoredImport,
  updateImport,
} from '../imports.queries.ts'
import { countsFrom, KEPT_MS, type Mapping } from '../imports.rules.ts'
import { asOwner } from '../reading/task.usecases.ts'
import { decidedRow, type DecidedRow, type ReadRow, unlockedRow } from '../rows/pieces.rules.ts'
import { readPiece } from '../rows/pieces.usecases.ts'
import { draftOf, identityKeys, wholeFrom } from './booking.rules.ts'
import { categoriesOf, saveOutcome, setCounts, takePiece } from './booking.queries.ts'
import { categoryIndex } from './categories.rules.ts'
import { tagIndex } from './tags.rules.ts'
import { bookingRefusals } from './booking.errors.ts'
import { amendmentFor, beforeOf, isTrashable, isWithdrawn } from './matched.rules.ts'
import {
  besidesOf,
  doneRows,
  externalIdsOf,
  identityRow,
  matchable,
  mayBook,
  pairsOf,
  PieceState,
  planOf,
} from './plans.usecases.ts'
import { addOutcome, outcomeFrom } from './outcomes.rules.ts'
import { isMakingLeft, makeMissing } from './making.usecases.ts'
import { takeLastSteps } from './last-steps.usecases.ts'
import type { CommitOptions } from './commit.usecases.ts'
import { lockWatcher } from './locks.rules.ts'
import { countsOfStopped } from './stopping.rules.ts'
import type { SchemeOfAccount } from '../../../../domain/imports/trust.ts'

/** Books an import, a piece in each commit. Killed anywhere, the next run goes on with the next piece. */
export async function bookImport(
  ctx: Context,
  id: string,
  finish: Statement[],
  tokenHash?: string,
): Promise<void> {
  const [chunks, [profile]] = await read(ctx, chunksOf(id), ownerForTask(id))
  for (;;) {
    const [[row]] = await readOrStop(ctx, importForTask(id))
    if (row?.state !== 'committing' || !profile) {
      await commit(ctx, { changes: [withoutEvents(finish)], result: undefined })
      return
    }
    const owner = asOwner(ctx, profile, tokenHash)
    if (row.nextChunk === 0 && isMakingLeft(row)) {
      if (await isGoingOn(owner, row, finish, () => makeMissing(owner, row, chunks))) {
        continue
      }
      return
    }
    if (row.nextChunk >= chunks.length) {
      if (await stepsLeft(owner, row, chunks)) {
        continue
      }
      await end(owner, row, finish)
      return
    }
    const number = row.backwards ? chunks.length - 1 - row.nextChunk : row.nextChunk
    const chunk = chunks[number]
    if (!chunk) {
      throw new Error(`bookImport: ${id} has no piece ${number}`)
    }
    if (!(await isGoingOn(owner, row, finish, () => tryPiece(owner, row, chunk)))) {
      return
    }
  }
}

/** Takes a step; false where it cannot be taken, which calls the import off. */
async function isGoingOn(
  owner: SignedIn,
  row: StoredImport,
  finish: Statement[],
  step: () => Promise<void>,
): Promise<boolean> {
  try {
    await againAfterRaces(step)
    return true
  } catch (error) {
    const isFinal =
      error instanceof AppError && STOPPING.includes(error.kind) && error.code !== 'tasks.taken'
    if (!isFinal) {
      throw error
    }
    if (error.code === 'imports.stopped') {
      return true
    }
    await stop(owner, row, error, finish)
    return false
  }
}

/** Takes the last steps, unless the import is called off. */
async function stepsLeft(owner: SignedIn, row: StoredImport, chunks: StoredChunk[]) {
  try {
    return await takeLastSteps(owner, row, chunks)
  } catch (error) {
    if (error instanceof AppError && error.code === 'imports.stopped') {
      return true
    }
    throw error
  }
}

/** What stands in the way of a booking does so at the next attempt, too. */
const STOPPING = ['invalid', 'forbidden', 'notFound', 'conflict']

/** Calls off what cannot go on, and says why. What was booked stays and can be taken back. */
async function stop(owner: SignedIn, seen: StoredImport, error: AppError, finish: Statement[]) {
  const [[row], chunks] = await read(owner, importForTask(seen.id), chunksOf(seen.id))
  const isOngoing = row?.state === 'committing'
  const { code, message } = error
  const changed = {
    state: 'cancelled' as const,
    step: null,
    error: JSON.stringify({ code, message }),
    counts: JSON.stringify(countsOfStopped(row ?? seen, chunks)),
  }
  const { id, ownerId } = seen
  await commit(owner, {
    changes: [
      {
        statements: [...(isOngoing ? updateImport(owner, row, changed) : []), ...finish],
        events: isOngoing
          ? [importEvents.failed({ id, ownerId, version: row.version + 1 }, { error: code })]
          : [],
      },
    ],
    result: undefined,
  })
}

async function end(owner: SignedIn, row: StoredImport, finish: Statement[]): Promise<void> {
  const [chunks] = await read(owner, chunksOf(row.id))
  const counts = chunks.map((chunk) => countsFrom(chunk.counts)).reduce(addCounts, noRows())
  const { id, ownerId, version } = row
  await commit(owner, {
    changes: [
      {
        statements: [
          ...updateImport(owner, row, {
            ...{ state: 'done', step: null, expiresAt: owner.now + KEPT_MS },
          }),
          setCounts(id, counts),
          ...finish,
        ],
        events: [importEvents.finished({ id, ownerId, version: version + 1 }, { counts })],
      },
    ],
    result: undefined,
  })
}

/** How often a step is decided anew where another import was faster. */
const MOST_TRIES = 30

/** Another import, its user or a lock was faster. */
const RACES = [
  ...['imports.changedMeanwhile', 'request.conflict'],
  // A lock that was made meanwhile: its rows are locked at the next try.
  ...['locks.periodLocked', 'locks.forceNotAllowed'],
]

async function againAfterRaces(step: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await step()
      return
    } catch (error) {
      const isRace = error instanceof AppError && RACES.includes(error.code)
      if (!isRace || attempt === MOST_TRIES) {
        throw error
      }
    }
  }
}

/** Takes a piece of which nothing is booked: of a file that comes again, that is all of them. */
async function leaveOut(owner: SignedIn, row: StoredImport, piece: ReadRow[]): Promise<void> {
  const { id, nextChunk } = row
  const done = piece
    .map((one) => decidedRow(one, undefined))
    .map((decided) => ({ decided, verdict: decided.verdict }))
  const became = addOutcome(outcomeFrom(row.outcome), done)
  await commit(owner, {
    changes: [
      withoutEvents(
        takePiece(
          owner,
          { id, nextChunk, became },
          'committing',
          piece.length,
          importErrors.stopped,
        ),
      ),
    ],
    result: undefined,
  })
}

async function tryPiece(begun: SignedIn, row: StoredImport, chunk: StoredChunk): Promise<void> {
  // Each piece has a time of its own, so that what is booked later has later ids.
  const owner = { ...begun, now: begun.ports.now() }
  const { id, ownerId, nextChunk } = row
  const piece = await readPiece(owner, chunk)
  if (!(await mayBook(owner, row, chunk))) {
    await leaveOut(owner, row, piece)
    return
  }
  // The oldest first.
  const rows = row.backwards ? piece.toReversed() : piece
  const keys = identityKeys(JSON.parse(row.untrusted) as SchemeOfAccount[], digestsOf)
  const [views, notes, known, taken] = await read(
    owner,
    visibleAccounts(owner),
    notesOf(id, chunk.firstRow, chunk.firstRow + chunk.rows - 1),
    knownIdentities(pairsOf(rows)),
    takenExternalIds(externalIdsOf(rows)),
  )
  const accounts = new Map(views.map((view) => [view.account.id, view]))
  const byRow = new Map(notes.map((note) => [note.row, note]))
  const { force } = JSON.parse(row.options) as CommitOptions
  const decided = rows
    .map((one) => decidedRow(one, byRow.get(one.row.at + 1)))
    .map((one) => (force ? unlockedRow(one) : one))
  const isLocked = lockWatcher(views, force)
  const besides = besidesOf(decided, keys)
  const more = besides.length === 0 ? [] : (await read(owner, knownIdentities(besides)))[0]
  const plan = planOf(decided, accounts, new PieceState(keys, [...known, ...more], taken))
  const drafts = plan.toBook.map(({ booking }) => draftOf(booking))
  const { needs, ready } = prepare(owner, drafts)
  const matchedIds = [...new Set(plan.toBook.flatMap(({ matchedId }) => matchedId ?? []))]
  const owners = [...new Set(views.map(({ account }) => account.ownerId))]
  const [categories, tags, matchedRows, told, ...found] = await read(
    owner,
    categoriesOf(owners),
    namedTags(owner),
    ledgerRowsByIds(owner, matchedIds, MOST_LINES),
    toldOf(matchedIds),
    ...needs,
  )
  const there = matchable(matchedRows, told)
  const decide = ready(found)
  const making = {
    ...{ importId: id, mapping: JSON.parse(row.mapping) as Mapping },
    ...{ categories: categoryIndex(categories), tags: tagIndex(tags) },
    header: (said: Parameters<typeof newHeader>[1]) => newHeader(owner, said),
  }
  // In the order of the rows: those of one day are listed by their ids.
  const ids = freshIds(owner, 'txn', plan.toBook.length)
  const wholes: Whole[] = []
  const amendments: Amendment[] = []
  const identities: NewIdentity[] = []
  const fresh = new Set<DecidedRow>()
  const locked = new Set<DecidedRow>()
  const idle = new Set<DecidedRow>()
  const going: Parameters<typeof discard>[1] = []
  for (const [at, planned] of plan.toBook.entries()) {
    const { booking, identity, externalId } = planned
    const stored = there(planned)
    if (isWithdrawn(booking)) {
      const canGo = stored && isTrashable(stored, force)
      if (!canGo) {
        idle.add(booking.decided)
      } else if (isLocked(entriesOf(stored), undefined)) {
        locked.add(booking.decided)
      } else {
        going.push({ row: stored, ...(stored.status === 'reconciled' ? { forced: true } : {}) })
        identities.push({
          ...identityRow(booking, identity, id),
          transactionId: stored.transactionId,
          added: JSON.stringify({ ...beforeOf(stored), trashed: true }),
        })
      }
    } else if (stored) {
      const isUpdated = booking.decided.verdict === 'updated'
      const amendment = amendmentFor(stored, booking, { externalId, isUpdated })
      if (amendment.entries && isLocked(entriesOf(stored), amendment.entries)) {
        locked.add(booking.decided)
        continue
      }
      amendments.push(amendment)
      identities.push({
        ...identityRow(booking, identity, id),
        ...{ transactionId: stored.transactionId, added: JSON.stringify(beforeOf(stored)) },
      })
    } else {
      const { id: accountId, ownerId: bookedFor } = booking.account
      const draft = { ...(drafts[at] as Draft), accountId, ownerId: bookedFor }
      const made = { ...making, id: ids[at] as string, externalId }
      const whole = wholeFrom(booking, decide(draft), made)
      if (isLocked(undefined, whole.entries)) {
        locked.add(booking.decided)
        continue
      }
      if (planned.matchedId !== null) {
        fresh.add(booking.decided)
      }
      wholes.push(whole)
      identities.push({ ...identityRow(booking, identity, id), transactionId: made.id })
    }
  }
  const skipped = plan.toSkip.map(({ booking, identity }) => ({
    ...identityRow(booking, identity, id),
    skipped: true,
  }))
  const booked = wholes.length + amendments.length + going.length
  const done = doneRows(decided, plan, { fresh, locked, idle })
  const became = addOutcome(outcomeFrom(row.outcome), done)
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
      ...(booked === 0
        ? []
        : [
            post(
              owner,
              { ...bookingRefusals, force },
              ...(wholes.length === 0 ? [] : [book(wholes)]),
              ...(amendments.length === 0 ? [] : [amend(owner, amendments)]),
              ...(going.length === 0 ? [] : [discard(owner, going)]),
            ),
          ]),
      withoutEvents([
        ...insertIdentities([...identities, ...skipped]),
        saveOutcome(id, chunk.number, countRows(done)),
      ]),
    ],
    result: undefined,
    conflicts: {
      'import_identities.account_id': importErrors.changedMeanwhile,
      'entries.account_id': importErrors.changedMeanwhile,
    },
  })
}

/** Lines of transactions that one piece matches. */
const MOST_LINES = 20_000
