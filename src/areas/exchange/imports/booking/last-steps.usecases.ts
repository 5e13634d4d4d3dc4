import type { StoredRow } from '../../../../domain/imports/verdicts.ts'
import type { SignedIn } from '../../../../platform/context.ts'
import { commit, read } from '../../../../platform/database.ts'
import { withoutEvents } from '../../../../platform/events.ts'
import { discard, entriesOf, ledgerRowsByIds, post } from '../../../../ledger/ledger.public.ts'
import { visibleAccounts } from '../../../money/accounts/accounts.public.ts'
import { insertIdentities } from '../identities/identities.queries.ts'
import { importErrors } from '../imports.errors.ts'
import type { StoredChunk, StoredImport } from '../imports.queries.ts'
import { bookingRefusals } from './booking.errors.ts'
import { mustBeCommitting, takePiece } from './booking.queries.ts'
import { openSessions, stateClosings } from './closings.usecases.ts'
import { joinTransfers } from './joining.usecases.ts'
import { openLate } from './late-openings.usecases.ts'
import { lockWatcher } from './locks.rules.ts'
import { beforeOf, isTrashable } from './matched.rules.ts'
import { slices } from './slices.rules.ts'
import type { CommitOptions } from './making.usecases.ts'

// What a commit does once all pieces are booked. Each step takes the next number, as a piece does.

type Step = (owner: SignedIn, row: StoredImport, chunks: StoredChunk[]) => Promise<void>

/**
 * Takes the next step that is asked for; false where none is left. Killed within one, it begins anew with what is left.
 * @param hasUnopened whether the file tells what accounts held that have no opening balance
 */
export async function takeLastSteps(
  owner: SignedIn,
  row: StoredImport,
  chunks: StoredChunk[],
  hasUnopened: boolean,
): Promise<boolean> {
  const { vanished, transfers, assertBalances, reconcile } = optionsOf(row)
  const steps: [isWanted: boolean, step: Step][] = [
    [hasUnopened, openLate],
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
