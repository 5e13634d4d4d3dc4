import type { StoredRow } from '../../../../domain/imports/verdicts.ts'
import { type SignedIn, profileOf } from '../../../../platform/context.ts'
import { commit, read } from '../../../../platform/database/database.ts'
import { withoutEvents } from '../../../../platform/log/events.ts'
import { discard, entriesOf, ledgerRowsByIds, post } from '../../../../ledger/ledger.public.ts'
import { AppError } from '../../../../domain/errors.ts'
import { formatMoney, isInRange } from '../../../../domain/money.ts'
import { fromWideSum } from '../../../../platform/database/wide-sums.ts'
import { dateInZone } from '../../../../domain/calendar.ts'
import { visibleAccounts, updateAccount } from '../../../money/accounts/accounts.public.ts'
import {
  assertClosings,
  type StatedClosing,
  closingsToAssert,
} from '../../../money/balance-assertions/balance-assertions.public.ts'
import {
  accountsToReconcile,
  openingConflicts,
  openReconciliation,
} from '../../../money/reconciliations/reconciliations.public.ts'
import { insertIdentities } from '../identities.queries.ts'
import { importErrors, bookingRefusals } from '../imports.errors.ts'
import { type StoredChunk, type StoredImport, statementsOf } from '../imports.queries.ts'
import type { StatementContent } from '../imports.rules.ts'
import {
  mustBeCommitting,
  takePiece,
  balancesOfUnopened,
  type StatedOpening,
} from './booking.queries.ts'
import { joinTransfers } from './joining.usecases.ts'
import { beforeOf, isTrashable } from './matched.rules.ts'
import { slices, lockWatcher } from './booking.rules.ts'
import type { CommitOptions } from './making.usecases.ts'

// The steps of a commit once all pieces are booked. Each step takes the next number, as a piece does.

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

/** Moves the pending transactions to the trash that the file should contain and does not. */
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

/** The opening balance of an account, by what a statement says that it held later. */
export interface LateOpening {
  accountId: string
  currency: string
  minor: number
  date: string
}

/** Returns the opening balances with which accounts have the balance that the first statement of each gives. */
export function lateOpenings(balances: StatedOpening[]): LateOpening[] {
  const first = new Map(balances.toReversed().map((one) => [one.accountId, one]))
  return [...first.values()].flatMap(({ accountId, currency, ...stated }): LateOpening[] => {
    const { date, openingDate, balanceMinor, heldBefore } = stated
    const minor = BigInt(balanceMinor) - fromWideSum(heldBefore)
    const opening = { accountId, currency, date: date < openingDate ? date : openingDate }
    return minor === 0n || !isInRange(minor) ? [] : [{ ...opening, minor: Number(minor) }]
  })
}

/** Kinds of errors for which an account stays without an opening balance, as it is locked or closed. */
const LEFT_OUT = ['invalid', 'forbidden', 'notFound', 'conflict']

/**
 * Opens accounts that another import has created from a file that did not tell what they held, and of which this file tells it.
 */
async function openLate(owner: SignedIn, { id, options }: StoredImport): Promise<void> {
  const [balances] = await read(owner, balancesOfUnopened(id))
  const { force } = JSON.parse(options) as CommitOptions
  for (const { accountId, currency, minor, date } of mayOpen(owner) ? lateOpenings(balances) : []) {
    const wanted = { openingBalance: formatMoney(minor, currency), openingDate: date, force }
    await updateAccount(owner, accountId, wanted).catch((error: unknown) => {
      if (!(error instanceof AppError && LEFT_OUT.includes(error.kind))) {
        throw error
      }
    })
  }
}

export const mayOpen = (owner: SignedIn) => profileOf(owner).permissions.includes('accounts.write')

/** Statements of one commit. */
const CLOSINGS_AT_ONCE = 200

/** States what accounts held at the end of each statement, unless something is stated of that already. */
async function stateClosings(owner: SignedIn, { id }: StoredImport): Promise<void> {
  for (const some of slices(await closingsOf(owner, id), CLOSINGS_AT_ONCE)) {
    const [found] = await read(owner, closingsToAssert(owner, some))
    await commit(owner, {
      changes: [withoutEvents(mustBeCommitting(id)), assertClosings(owner, found)],
      result: undefined,
    })
  }
}

/** The closing balances of an import, one of a day and account: the last one counts. */
async function closingsOf(owner: SignedIn, id: string): Promise<StatedClosing[]> {
  const [statements] = await read(owner, statementsOf(id))
  const today = dateInZone(owner.now, profileOf(owner).timeZone)
  const from = new Map<string, string | null>()
  for (const { accountId, fromDate } of statements) {
    const known = from.get(accountId)
    const isEarlier =
      known === undefined || fromDate === null || (known !== null && fromDate < known)
    from.set(accountId, isEarlier ? fromDate : (known ?? null))
  }
  const closings = statements.flatMap(
    ({ accountId, throughDate, closingMinor: amountMinor, content }): StatedClosing[] => {
      const { isInterim, closingDate: date = throughDate } = JSON.parse(content) as StatementContent
      return date === null || date > today || amountMinor === null || isInterim
        ? []
        : [{ accountId, date, amountMinor, from: from.get(accountId) ?? null }]
    },
  )
  return [...new Map(closings.map((one) => [`${one.accountId} ${one.date}`, one])).values()]
}

/**
 * Opens a reconciliation of the newest statement of each account, with the rows of the import ticked. An account that has an
 * open one, or is reconciled through a later day, is left as it is.
 */
async function openSessions(owner: SignedIn, { id }: StoredImport): Promise<void> {
  const newest = new Map<string, StatedClosing>()
  for (const closing of await closingsOf(owner, id)) {
    if (closing.date >= (newest.get(closing.accountId)?.date ?? '')) {
      newest.set(closing.accountId, closing)
    }
  }
  const [accounts] = await read(owner, accountsToReconcile(owner, [...newest.keys()]))
  for (const account of accounts) {
    const closing = newest.get(account.id)
    const canOpen = account.status === 'open' && account.openId === null
    if (closing && canOpen && closing.date >= (account.lastDate ?? '')) {
      await openSession(owner, id, account, closing)
    }
  }
}

/** Codes of errors that prevent a session. The import goes on without it. */
const CODES_LEFT_OUT = [
  'reconciliations.open',
  'reconciliations.unknownAccount',
  'request.conflict',
]

async function openSession(
  owner: SignedIn,
  importId: string,
  account: Parameters<typeof openReconciliation>[1]['account'],
  { date: statementDate, amountMinor: closingMinor }: StatedClosing,
): Promise<void> {
  const open = (prefill: 'import' | 'none') =>
    commit(owner, {
      changes: [
        withoutEvents(mustBeCommitting(importId)),
        openReconciliation(owner, { account, statementDate, closingMinor, prefill, importId })
          .change,
      ],
      result: undefined,
      conflicts: openingConflicts,
    })
  try {
    await open('import')
  } catch (error) {
    if (!(error instanceof AppError)) {
      throw error
    }
    if (error.code === 'reconciliations.tooManyRows') {
      await open('none')
    } else if (!CODES_LEFT_OUT.includes(error.code)) {
      throw error
    }
  }
}
