import { parseMoney } from '../../../../domain/money.ts'
import { type Context, freshId, type SignedIn } from '../../../../platform/context.ts'
import { commit, read } from '../../../../platform/database/database.ts'
import { type Change, withoutEvents } from '../../../../platform/log/events.ts'
import type { LoggedEvent } from '../../../../platform/work/reader-rows.ts'
import type { Reaction } from '../../../../platform/work/readers.ts'
import { requireAccess } from '../../../identity/access/access.public.ts'
import {
  insertNotifications,
  type NewNotification,
} from '../../../identity/notifications/notifications.public.ts'
import { accountErrors } from '../accounts.errors.ts'
import { accountById } from '../accounts.queries.ts'
import {
  accountAlertEvents,
  type AlertLimits,
  balanceAlertEvents,
  expenseAlertEvents,
} from './alerts.events.ts'
import {
  crossedAlerts,
  expenseAlerts,
  keepAlerting,
  largeExpenses,
  largeImported,
  type LargeImported,
  ownAlert,
  ownersWithoutAlerts,
  setAlert,
  storeCrossed,
} from './alerts.queries.ts'
import { type ExpenseNews, newsIn } from './alerts.rules.ts'

/** An alert with the account that it is for. */
export interface ShownAccountAlert extends AlertLimits {
  accountId: string
  currency: string
}

const NONE: AlertLimits = { belowMinor: null, aboveMinor: null }

async function readAlert(ctx: SignedIn, accountId: string) {
  const [[view], [limits = NONE]] = await read(
    ctx,
    accountById(ctx, accountId),
    ownAlert(ctx, accountId),
  )
  if (!view) {
    throw accountErrors.notFound()
  }
  return { account: view.account, limits }
}

export async function getAccountAlert(ctx: SignedIn, id: string): Promise<ShownAccountAlert> {
  const { account, limits } = await readAlert(ctx, id)
  return { accountId: id, currency: account.currency, ...limits }
}

/** Sets the caller's own alert; null ends its part. */
export async function setAccountAlert(
  ctx: SignedIn,
  id: string,
  { below, above }: { below: string | null; above: string | null },
): Promise<ShownAccountAlert> {
  const { account, limits: before } = await readAlert(ctx, id)
  const minorOf = (field: string, text: string | null) =>
    text === null ? null : parseMoney(text, account.currency, { field, signed: true })
  const after = { belowMinor: minorOf('below', below), aboveMinor: minorOf('above', above) }
  return commit(ctx, {
    changes: [
      {
        statements: [
          requireAccess(ctx, 'view', [id], accountErrors.notFound),
          ...setAlert(ctx, account, after),
        ],
        events: [accountAlertEvents.updated({ id }, { before, after })],
      },
    ],
    result: { accountId: id, currency: account.currency, ...after },
  })
}

/** Tells persons of balances that fell below their limits, and of large expenses. */
export async function tellAlerts(ctx: Context, events: LoggedEvent[]): Promise<Reaction> {
  const { ownerIds, transactions, imports } = newsIn(events)
  const [crossed, large, idle, [isForExpenses]] = await read(
    ctx,
    crossedAlerts(ctx, ownerIds),
    largeExpenses(ctx, transactions),
    ownersWithoutAlerts(ownerIds),
    expenseAlerts(ownerIds),
  )
  const told: NewNotification[] = [
    ...crossed
      .filter(({ isLow, isSeen }) => isLow === 1 && isSeen === 1)
      .map((one) => alertOf(ctx, 'account.balanceLow', one)),
    ...large.map((one) => alertOf(ctx, 'transaction.large', one)),
  ]
  for (const one of isForExpenses ? imports : []) {
    told.push(...(await toldOfImport(ctx, one)))
  }
  return {
    changes: [
      withoutEvents([
        ...(crossed.length === 0 ? [] : [storeCrossed(crossed)]),
        // Accounts that were erased took their alerts with them.
        ...idle.flatMap(({ id }) => keepAlerting(id)),
      ]),
      ...(told.length === 0 ? [] : [changeOfAlerts(told)]),
    ],
  }
}

/** An import tells of all its large expenses at once. */
async function toldOfImport(ctx: Context, news: ExpenseNews): Promise<NewNotification[]> {
  const found = new Map<string, LargeImported>()
  let after = ''
  do {
    const [rows, [part]] = await read(ctx, ...largeImported(ctx, news, after))
    for (const one of rows) {
      const key = `${one.userId} ${one.accountId}`
      found.set(key, { ...one, count: one.count + (found.get(key)?.count ?? 0) })
    }
    after = part?.end ?? ''
  } while (after !== '')
  return [...found.values()].map((one) =>
    alertOf(ctx, 'transaction.large', one, { importId: news.id, count: one.count }),
  )
}

function alertOf(
  ctx: Context,
  kind: 'account.balanceLow' | 'transaction.large',
  whom: { userId: string; accountId: string; transactionId?: string },
  facts: NewNotification['facts'] = {},
): NewNotification {
  const { userId, accountId, transactionId } = whom
  const resourceId = transactionId ?? accountId
  return {
    ...{ id: freshId(ctx, 'ntf'), userId, kind, accountId, resourceId, facts },
    resourceType: transactionId === undefined ? 'account' : 'transaction',
    groupKey: `${kind} ${resourceId}`,
    createdAt: ctx.now,
  }
}

const changeOfAlerts = (told: NewNotification[]): Change => ({
  statements: [insertNotifications(told)],
  events: told.map(({ kind, userId, resourceType, resourceId }) => {
    const tell =
      kind === 'account.balanceLow' ? balanceAlertEvents.balanceLow : expenseAlertEvents.large
    return tell({ id: resourceId, resourceType, ownerId: userId })
  }),
})
