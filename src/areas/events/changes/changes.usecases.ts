import { AppError } from '../../../domain/errors.ts'
import { addressOf, legIdOf } from '../../../domain/ledger-ids.ts'
import { sum } from '../../../domain/money.ts'
import { trashErrors } from '../../../domain/owned-data.ts'
import { profileOf, type SignedIn } from '../../../platform/context.ts'
import { commit, read } from '../../../platform/database/database.ts'
import { cutPage, type Page, type PageRequest } from '../../../platform/database/paging.ts'
import { changedMeanwhile, forbidden } from '../../../platform/database/refusals.ts'
import { owns } from '../../identity/access/access.public.ts'
import {
  accountsOfTrashed,
  amend,
  discard,
  entriesOf,
  firstSidesOf,
  post,
  restore,
  trashedRowsAmong,
} from '../../../ledger/ledger.public.ts'
import { visibleAccounts } from '../../money/accounts/accounts.public.ts'
import {
  allowedIn,
  bookingErrors,
  locksIn,
  MOST_BULK_LINES,
  type Outcomes,
  transactionErrors,
} from '../../money/transactions/transactions.public.ts'
import { changeErrors } from './changes.errors.ts'
import { changeEvents } from './changes.events.ts'
import {
  changeById,
  type ChangeRow,
  countOfChanges,
  headersOfChange,
  heldIdsOfChange,
  labelsBeforeChange,
  laterValues,
  pageOfChanges,
  sidesOfChange,
  statesOfChange,
} from './changes.queries.ts'
import { requireReversible, type UndoWay, undoWayOf } from './changes.rules.ts'
import { decideUndoOf, type Kept, withFreeIds } from './deciding.rules.ts'

/** A commit that the caller made. */
export interface OwnChange extends Omit<ChangeRow, 'types'> {
  types: string[]
  undo: UndoWay
}

export async function listChanges(ctx: SignedIn, page: PageRequest): Promise<Page<OwnChange>> {
  const [found, [counted]] = await read(ctx, pageOfChanges(ctx, page), countOfChanges(ctx))
  const { rows, next } = cutPage(found, page, ({ number }) => [String(number)])
  return { rows: rows.map(changeOf), next, count: counted?.count ?? 0 }
}

function changeOf(row: ChangeRow): OwnChange {
  const types = (JSON.parse(row.types) as string[]).toSorted()
  return { ...row, types, undo: undoWayOf({ ...row, types }) }
}

/** What an undo did with each transaction, or would do. */
export interface Undoing extends Outcomes<'changed' | 'unchanged'> {
  kept: (Kept & { transactionId: string })[]
}

interface UndoOptions {
  dryRun: boolean
  force?: boolean | undefined
}

/** Takes a commit of the caller back, as far as nobody has changed since what it made. */
export async function undoChange(
  ctx: SignedIn,
  id: string,
  { dryRun, force }: UndoOptions,
): Promise<Undoing> {
  const decisions = await decisionsOn(ctx, id, force)
  const outcomes = decisions.map(({ transactionId, back }) => ({
    id: transactionId,
    result: back instanceof AppError ? back : back ? ('changed' as const) : ('unchanged' as const),
  }))
  const kept = decisions.flatMap(({ transactionId, kept: some }) =>
    some.map((one) => ({ transactionId, ...one })),
  )
  const result = { outcomes, kept, dryRun }
  if (dryRun) {
    return result
  }
  const ways = decisions.flatMap(({ back }) => {
    if (back instanceof AppError) {
      throw back
    }
    return back ?? []
  })
  // An Idempotency-Key must stand for this answer from now on, also when nothing goes back.
  if (ways.length === 0) {
    return ctx.repeatable ? commit(ctx, { changes: [], result }) : result
  }
  const discarded = ways.flatMap((way) => way.discarded ?? [])
  const amended = ways.flatMap((way) => way.amended ?? [])
  const restored = ways.flatMap((way) => way.restored ?? [])
  return commit(ctx, {
    changes: [
      post(
        ctx,
        { ...bookingErrors, force, lockedField: 'id' },
        // In this order, so that an external id is free again before another transaction gets it back.
        discard(ctx, discarded),
        amend(ctx, amended),
        restore(ctx, restored, changedMeanwhile),
      ),
      { statements: [], events: [changeEvents.undone({ id })] },
    ],
    result,
    conflicts: {
      'entries.external_id': () => transactionErrors.externalIdTaken(),
      'CHECK constraint failed: entry_': () => trashErrors.damaged(),
    },
  })
}

const TOO_MANY_LINES =
  'Its transactions have more than 5,000 lines in total. Change or restore fewer at once instead.'

/** Reads what a commit did and what is there now, and decides on each of its transactions. */
async function decisionsOn(ctx: SignedIn, id: string, force: boolean | undefined) {
  const headers = headersOfChange(ctx, id)
  const [[found], events, later, rows, trashed, accounts, states, labels, held, views] = await read(
    ctx,
    changeById(ctx, id),
    sidesOfChange(ctx, id),
    laterValues(ctx, id),
    firstSidesOf(ctx, headers, MOST_BULK_LINES),
    trashedRowsAmong(ctx, headers),
    accountsOfTrashed(headers),
    statesOfChange(ctx, id),
    labelsBeforeChange(ctx, id),
    heldIdsOfChange(ctx, id),
    visibleAccounts(ctx),
  )
  if (!found) {
    throw changeErrors.notFound()
  }
  const byHeader = Map.groupBy(events, (event) => addressOf(event.id).transactionId)
  const hasTransfers = [...byHeader.keys()].some((header) => header.startsWith('trf_'))
  if (hasTransfers && !profileOf(ctx).permissions.includes('transfers.write')) {
    throw forbidden('transfers.write')
  }
  requireReversible(changeOf(found).undo)
  if (sum([...rows, ...trashed].map((row) => entriesOf(row).length)) > MOST_BULK_LINES) {
    throw changeErrors.notReversible({ instead: TOO_MANY_LINES })
  }
  const booked = new Map(rows.map((row) => [row.transactionId, row]))
  const inTrash = new Map(trashed.map((row) => [row.transactionId, row]))
  const stateOf = new Map(states.map((state) => [state.id, state]))
  const given = {
    accounts: new Map(views.map(({ account }) => [account.id, account])),
    labels: new Map(labels.map((label) => [label.id, label])),
    later: new Map(later.map((value) => [`${value.id} ${value.field}`, value])),
    trashAccounts: new Map(accounts.map((account) => [account.id, account])),
    ...{ requireAllowed: allowedIn(views), locks: locksIn(views), force },
  }
  const decisions = new Map(
    [...byHeader].map(([header, sides]) => [
      header,
      decideUndoOf(
        sides,
        {
          ...{ row: booked.get(header), trashed: inTrash.get(header), state: stateOf.get(header) },
          isOwn: sides.some((side) => owns(ctx.caller, side)),
        },
        given,
      ),
    ]),
  )
  withFreeIds(decisions, held)
  return [...decisions].map(([header, decision]) => {
    const row = booked.get(header)
    const [first] = byHeader.get(header) ?? []
    const shown = row ? legIdOf(row.transactionId, row.kind, row.line) : (first?.id ?? header)
    return { transactionId: shown, ...decision }
  })
}
