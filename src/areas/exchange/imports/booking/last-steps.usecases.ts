import { AppError } from '../../../../domain/errors.ts'
import type { Decision, StoredRow } from '../../../../domain/imports/verdicts.ts'
import type { SignedIn } from '../../../../platform/context.ts'
import { commit, read } from '../../../../platform/database.ts'
import { withoutEvents } from '../../../../platform/events.ts'
import {
  discard,
  entriesOf,
  type LedgerRow,
  ledgerRowsByIds,
  post,
} from '../../../../ledger/ledger.public.ts'
import { visibleAccounts } from '../../../money/accounts/accounts.public.ts'
import {
  joinHalves,
  type Sides,
  transferConflicts,
} from '../../../money/transfers/transfers.public.ts'
import { insertIdentities, knownIdentities } from '../identities/identities.queries.ts'
import { importErrors } from '../imports.errors.ts'
import { notesOf, type StoredChunk, type StoredImport } from '../imports.queries.ts'
import { decidedRow, type ReadRow, unlockedRow } from '../rows/pieces.rules.ts'
import { readPiece } from '../rows/pieces.usecases.ts'
import { bookingRefusals } from './booking.errors.ts'
import { mustBeCommitting, takePiece } from './booking.queries.ts'
import { openSessions, stateClosings } from './closings.usecases.ts'
import type { CommitOptions } from './commit.usecases.ts'
import { lockWatcher } from './locks.rules.ts'
import { beforeOf, isTrashable } from './matched.rules.ts'
import { pairsOf } from './plans.usecases.ts'
import { slices } from './slices.rules.ts'

// What a commit does once all pieces are booked. Each step takes the next number, as a piece does.

type Step = (owner: SignedIn, row: StoredImport, chunks: StoredChunk[]) => Promise<void>

/** Takes the next step that is asked for; false where none is left. Killed within one, it begins anew with what is left. */
export async function takeLastSteps(
  owner: SignedIn,
  row: StoredImport,
  chunks: StoredChunk[],
): Promise<boolean> {
  const { vanished, transfers, assertBalances, reconcile } = optionsOf(row)
  const steps: [isWanted: boolean, step: Step][] = [
    [vanished === 'trash', trashVanished],
    [transfers === 'match', joinTransfers],
    [assertBalances === true, stateClosings],
    [reconcile === true, openSessions],
  ]
  const done = row.nextChunk - chunks.length
  const next = steps.findIndex(([isWanted], at) => at >= done && isWanted)
  const step = steps[next]?.[1]
  if (!step) {
    return false
  }
  await step(owner, row, chunks)
  const { id, nextChunk } = row
  const by = next + 1 - done
  await commit(owner, {
    changes: [
      withoutEvents(takePiece(owner, { id, nextChunk }, 'committing', 0, importErrors.stopped, by)),
    ],
    result: undefined,
  })
  return true
}

const optionsOf = ({ options }: StoredImport) => JSON.parse(options) as CommitOptions

/** Lines of the transactions of one commit. */
const MOST_LINES = 20_000
/** Transactions of one commit. */
const TRASHED_AT_ONCE = 200

/** Moves the pending transactions to the trash that the file should tell of and does not. */
async function trashVanished(owner: SignedIn, row: StoredImport): Promise<void> {
  const vanished = JSON.parse(row.vanished) as StoredRow[]
  for (const some of slices(vanished, TRASHED_AT_ONCE)) {
    await trashSome(owner, row, some)
  }
}

async function trashSome(owner: SignedIn, row: StoredImport, vanished: StoredRow[]): Promise<void> {
  const { force } = optionsOf(row)
  const ids = vanished.flatMap(({ transactionId }) => transactionId ?? [])
  const [found, views] = await read(
    owner,
    ledgerRowsByIds(owner, ids, MOST_LINES),
    visibleAccounts(owner),
  )
  const isLocked = lockWatcher(views, force)
  const going = vanished.flatMap((one) => {
    const there = found.find(
      ({ transactionId, accountId }) =>
        transactionId === one.transactionId && accountId === one.accountId,
    )
    const isGone =
      there?.status === 'pending' && isTrashable(there) && !isLocked(entriesOf(there), undefined)
    return isGone ? [{ one, there }] : []
  })
  await commit(owner, {
    changes: [
      withoutEvents(mustBeCommitting(row.id)),
      ...(going.length === 0
        ? []
        : [
            post(
              owner,
              { ...bookingRefusals, force },
              discard(
                owner,
                going.map(({ there }) => ({ row: there })),
              ),
            ),
          ]),
      // A revert finds them by an identity that no row of a file has.
      withoutEvents(
        insertIdentities(
          going.map(({ one, there }) => ({
            ...{ accountId: one.accountId, identity: `v${row.id}:${there.transactionId}` },
            ...{ bankKey: null, date: one.date, amountMinor: one.minor, balanceMinor: null },
            ...{ pending: true, skipped: false, transactionId: there.transactionId },
            ...{ importId: row.id, added: JSON.stringify({ ...beforeOf(there), trashed: true }) },
          })),
        ),
      ),
    ],
    result: undefined,
  })
}

/** A row of the file that is half of a transfer, and the other half: a row of the file, or a transaction. */
interface Half {
  row: ReadRow
  found: Decision
}

interface Pair {
  one: ReadRow
  other: ReadRow | string
}

/** How sure it must be that two halves belong together. */
const SURE = 0.85

const isSure = ({ isTold, isOnlyOne, score = 0, partnerPart }: Decision) =>
  partnerPart === undefined && (isTold === true || (isOnlyOne === true && score >= SURE))

/** Pairs of one commit. */
const AT_ONCE = 100

/** Joins the halves of transfers, through the same code as a request that joins two transactions. */
async function joinTransfers(
  owner: SignedIn,
  row: StoredImport,
  chunks: StoredChunk[],
): Promise<void> {
  const { force } = optionsOf(row)
  const halves = new Map<number, Half>()
  for (const chunk of chunks) {
    const [notes] = await read(
      owner,
      notesOf(row.id, chunk.firstRow, chunk.firstRow + chunk.rows - 1),
    )
    const byRow = new Map(notes.map((note) => [note.row, note]))
    for (const one of await readPiece(owner, chunk)) {
      const plain = decidedRow(one, byRow.get(one.row.at + 1))
      const { verdict, found, overrides } = force ? unlockedRow(plain) : plain
      if (verdict === 'transfer' && overrides.accountId === undefined && isSure(found)) {
        halves.set(one.row.at, { row: one, found })
      }
    }
  }
  const pairs = [...halves.values()].flatMap(
    ({ row: one, found: { partnerAt, matchedId } }): Pair[] => {
      const partner = partnerAt === undefined ? undefined : halves.get(partnerAt)?.row
      if (partner) {
        return one.row.at < partner.row.at ? [{ one, other: partner }] : []
      }
      return matchedId === undefined ? [] : [{ one, other: matchedId }]
    },
  )
  for (let at = 0; at < pairs.length; at += AT_ONCE) {
    await joinSome(owner, row, pairs.slice(at, at + AT_ONCE), force)
  }
}

async function joinSome(
  owner: SignedIn,
  row: StoredImport,
  pairs: Pair[],
  force: boolean | undefined,
): Promise<void> {
  const ofFile = pairs.flatMap(({ one, other }) =>
    typeof other === 'string' ? [one] : [one, other],
  )
  const [known, views] = await read(owner, knownIdentities(pairsOf(ofFile)), visibleAccounts(owner))
  const idOf = ({ row: { accountId }, identity }: ReadRow) =>
    known.find(
      (one) =>
        one.accountId === accountId &&
        (one.identity === identity?.byId || one.identity === identity?.byText),
    )?.transactionId ?? ''
  const wanted = pairs.map(({ one, other }) => [
    idOf(one),
    typeof other === 'string' ? other : idOf(other),
  ])
  const [found] = await read(
    owner,
    ledgerRowsByIds(owner, wanted.flat().filter(Boolean), MOST_LINES),
  )
  const isLocked = lockWatcher(views, force)
  const rowOf = (id: string | undefined) => found.find(({ transactionId }) => transactionId === id)
  const sides = wanted.flatMap(([one, other]): Sides[] => {
    const [a, b] = [rowOf(one), rowOf(other)]
    const isOpen = (there: LedgerRow | undefined): there is LedgerRow =>
      there !== undefined && !isLocked(entriesOf(there), undefined)
    if (!isOpen(a) || !isOpen(b)) {
      return []
    }
    return [a.amountMinor < 0 ? { from: a, to: b } : { from: b, to: a }]
  })
  if (!(await join(owner, row, sides, force))) {
    for (const pair of sides) {
      await join(owner, row, [pair], force)
    }
  }
}

/** What is refused stays as it is, and among the suggestions. */
const REFUSED = ['invalid', 'forbidden', 'notFound', 'conflict']

async function join(
  owner: SignedIn,
  { id }: StoredImport,
  sides: Sides[],
  force: boolean | undefined,
): Promise<boolean> {
  if (sides.length === 0) {
    return true
  }
  try {
    await commit(owner, {
      changes: [withoutEvents(mustBeCommitting(id)), joinHalves(owner, sides, force)],
      result: undefined,
      conflicts: transferConflicts,
    })
    return true
  } catch (error) {
    const isRefused = error instanceof AppError && REFUSED.includes(error.kind)
    if (!isRefused || ['tasks.taken', 'imports.stopped'].includes(error.code)) {
      throw error
    }
    return false
  }
}
