import { type Change, withoutEvents } from '../../../platform/log/events.ts'
import { dateInZone } from '../../../domain/calendar.ts'
import { type Leg, transferEntries } from '../../../domain/ledger.ts'
import { add, negate, parseMoney } from '../../../domain/money.ts'
import { freshId, profileOf, type SignedIn } from '../../../platform/context.ts'
import { commit, read } from '../../../platform/database/database.ts'
import { nothing } from '../../../platform/database/statements.ts'
import { requireAccess } from '../../identity/access/access.public.ts'
import { book, newHeader, post } from '../../../ledger/ledger.public.ts'
import { NO_LABELS } from '../../../ledger/labels/labels.public.ts'
import { accountErrors } from './accounts.errors.ts'
import { accountEvents, inHistory } from './accounts.events.ts'
import {
  accountById,
  type AccountView,
  type BookableAccount,
  historyFacts,
  updateAccountRow,
  visibleAccounts,
  mustBalanceAsRead,
  placeAccounts,
} from './accounts.queries.ts'
import { getAccountByID } from './accounts.usecases.ts'

export interface AccountClosing {
  transferTo?: string | undefined
  /** Decimal text in the currency of that account. */
  toAmount?: string | undefined
  date?: string | undefined
  force?: boolean | undefined
}

/** Closes an account. What is left on it, or owed, goes to another account by a transfer in the same commit. */
export async function closeAccount(
  ctx: SignedIn,
  id: string,
  wanted: AccountClosing,
): Promise<AccountView> {
  const { transferTo } = wanted
  const [[view], [heir]] = await read(
    ctx,
    accountById(ctx, id),
    transferTo === undefined ? nothing<AccountView>() : accountById(ctx, transferTo),
  )
  if (!view) {
    throw accountErrors.notFound()
  }
  if (view.account.status === 'closed') {
    throw accountErrors.closedAlready()
  }
  if (transferTo === id) {
    throw accountErrors.sameAccount({ field: 'transferTo' })
  }
  if (transferTo !== undefined && !heir) {
    throw targetErrors.gone()
  }
  if (heir && heir.account.ownerId !== view.account.ownerId) {
    throw accountErrors.targetOfOther({ field: 'transferTo' })
  }
  if (heir?.account.status === 'closed') {
    throw targetErrors.closed()
  }
  const date = wanted.date ?? dateInZone(ctx.now, profileOf(ctx).timeZone)
  const remainder = remainderOf(ctx, view, { ...wanted, target: heir?.account, date })
  const after = { ...view.account, status: 'closed' as const }
  return commit(ctx, {
    changes: [
      withoutEvents([
        requireAccess(ctx, 'manage', [id], accountErrors.notFound),
        mustBalanceAsRead(ctx, view),
      ]),
      ...(remainder?.changes ?? []),
      {
        statements: updateAccountRow(ctx, view.account, { status: 'closed' }),
        events: [
          accountEvents.closed(
            {
              id,
              ownerId: view.account.ownerId,
              accountId: id,
              version: view.account.version + 1,
              history: historyFacts({
                date,
                changeMinor: remainder ? negate(view.balances.balanceMinor) : 0,
                transactionId: remainder?.id ?? null,
              }),
            },
            { before: view.account, after },
          ),
        ],
      },
    ],
    result: {
      account: { ...after, version: view.account.version + 1, updatedAt: ctx.now },
      balances: remainder ? remainder.balancesAfter : view.balances,
      seen: view.seen,
      checks: view.checks,
    },
  })
}

const targetErrors = {
  gone: () => accountErrors.targetNotFound({ field: 'transferTo' }),
  closed: () => accountErrors.targetClosed({ field: 'transferTo' }),
}

interface Remainder {
  id: string
  changes: Change[]
  balancesAfter: AccountView['balances']
}

/** The transfer that leaves the account with nothing; undefined when nothing is on it. */
function remainderOf(
  ctx: SignedIn,
  { account, balances }: AccountView,
  {
    target,
    toAmount,
    date,
    force,
  }: AccountClosing & { target: BookableAccount | undefined; date: string },
): Remainder | undefined {
  const left = balances.balanceMinor
  if (left === 0) {
    return undefined
  }
  if (!target) {
    throw accountErrors.balanceLeft({ field: 'transferTo' })
  }
  const other = otherMinor(Math.abs(left), { account, target, toAmount })
  const [own, counter] = [legOf(account), legOf(target)]
  // A debt is paid from the other account.
  const entries = transferEntries({
    ...(left > 0 ? { from: own, to: counter } : { from: counter, to: own }),
    date,
    amountMinor: left > 0 ? left : other,
    toAmountMinor: left > 0 ? other : Math.abs(left),
    categoryId: null,
    fees: [],
  })
  const id = freshId(ctx, 'trf')
  const { ownerId } = account
  const header = newHeader(ctx, { id, ownerId, kind: 'transfer', date })
  const leg = entries.find(({ accountId, side }) => accountId === account.id && side === 'account')
  return {
    id,
    changes: [
      post(ctx, { ...targetErrors, force }, book([{ header, entries, labels: NO_LABELS }])),
    ],
    balancesAfter: {
      ...balances,
      balanceMinor: 0,
      clearedMinor: add(balances.clearedMinor, leg?.amountMinor ?? 0),
      transactionCount: balances.transactionCount + 1,
      lastDate: balances.lastDate !== null && balances.lastDate > date ? balances.lastDate : date,
    },
  }
}

const legOf = ({ id, ownerId, currency }: BookableAccount): Leg => ({
  accountId: id,
  ownerId,
  currency,
  status: 'cleared',
  externalId: null,
})

/** Returns the amount on the other side, in its currency. */
function otherMinor(
  minor: number,
  {
    account,
    target,
    toAmount,
  }: { account: BookableAccount; target: BookableAccount; toAmount?: string | undefined },
): number {
  if (toAmount !== undefined) {
    return parseMoney(toAmount, target.currency, { allowZero: false, field: 'toAmount' })
  }
  if (account.currency !== target.currency) {
    throw accountErrors.toAmountNeeded({ field: 'toAmount' })
  }
  return minor
}

/** Opens a closed account again. */
export async function reopenAccount(ctx: SignedIn, id: string): Promise<AccountView> {
  const view = await getAccountByID(ctx, id)
  const { account } = view
  if (account.status === 'open') {
    throw accountErrors.openAlready()
  }
  const after = { ...account, status: 'open' as const }
  const version = account.version + 1
  return commit(ctx, {
    changes: [
      {
        statements: [
          requireAccess(ctx, 'manage', [id]),
          ...updateAccountRow(ctx, account, { status: 'open' }),
        ],
        events: [
          accountEvents.reopened(
            { id, ownerId: account.ownerId, version, ...inHistory(ctx, id) },
            { before: account, after },
          ),
        ],
      },
    ],
    result: { ...view, account: { ...after, version, updatedAt: ctx.now } },
  })
}

/** Puts accounts in order; answers all that the caller sees, in theirs. */
export async function reorderAccounts(ctx: SignedIn, ids: string[]): Promise<AccountView[]> {
  if (new Set(ids).size < ids.length) {
    throw accountErrors.repeatedAccount({ field: 'ids' })
  }
  const unknownAccount = () => accountErrors.targetNotFound({ field: 'ids' })
  const [views] = await read(ctx, visibleAccounts(ctx))
  const known = new Set(views.map(({ account }) => account.id))
  if (ids.some((id) => !known.has(id))) {
    throw unknownAccount()
  }
  const placed = views.map((view) => {
    const place = ids.indexOf(view.account.id)
    const { account } = view
    const moved = { order: place, version: account.version + 1, updatedAt: ctx.now }
    return place < 0 ? view : { ...view, account: { ...account, ...moved } }
  })
  return commit(ctx, {
    changes: [
      {
        statements: [
          requireAccess(ctx, 'owner', ids, unknownAccount),
          ...placeAccounts(ctx, ids, unknownAccount),
        ],
        events: [
          accountEvents.reordered(
            { id: null },
            { before: { order: views.map(({ account }) => account.id) }, after: { order: ids } },
          ),
        ],
      },
    ],
    result: placed.toSorted(
      ({ account: a }, { account: b }) => a.order - b.order || (a.nameKey < b.nameKey ? -1 : 1),
    ),
  })
}
