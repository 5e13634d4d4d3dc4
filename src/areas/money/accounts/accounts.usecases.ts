import { dateInZone } from '../../../domain/calendar.ts'
import { foldKey } from '../../../domain/text.ts'
import { profileOf, type SignedIn } from '../../../platform/context.ts'
import { commit, commitAndRead, read, requireVersion } from '../../../platform/database/database.ts'
import { type Change, withoutEvents } from '../../../platform/log/events.ts'
import { post } from '../../../ledger/ledger.public.ts'
import { failingOf } from '../balance-assertions/balance-assertions.public.ts'
import { requireAccess } from '../../identity/access/access.public.ts'
import { accountErrors } from './accounts.errors.ts'
import { accountEvents, inHistory, loggedAccount } from './accounts.events.ts'
import { endAlertsFor } from './alerts/alerts.queries.ts'
import {
  accountById,
  type AccountRow,
  type AccountView,
  historyFacts,
  isOwn,
  lockedForNew,
  mustHaveNoAmounts,
  openingOf,
  updateAccountRow,
  visibleAccounts,
} from './accounts.queries.ts'
import {
  type AccountDetailFields,
  masked,
  moneyIn,
  type NewAccountFields,
  openAccount,
  openingErrors,
  bookOpening,
  type ChangedOpening,
  openingAfter,
} from './creation.usecases.ts'
import { groupNamed } from './folders/folders.queries.ts'
import { mustBeInFolder, requireGroup } from './folders/folders.usecases.ts'
import { type AccountType, checkCardFields, openingIdOf } from './accounts.rules.ts'

export interface AccountChanges extends AccountDetailFields {
  name?: string | undefined
  type?: AccountType | undefined
  currency?: string | undefined
}

const conflicts = {
  'accounts.name_key': () => accountErrors.nameTaken({ field: 'name' }),
  'transactions.id': () => accountErrors.openingIdTaken({ field: 'openingBalance' }),
}

export async function getUserAccounts(ctx: SignedIn): Promise<AccountView[]> {
  const [accounts] = await read(ctx, visibleAccounts(ctx))
  return accounts
}

/** Lists only the accounts of others. */
export async function listSharedAccounts(ctx: SignedIn): Promise<AccountView[]> {
  const accounts = await getUserAccounts(ctx)
  return accounts.filter(({ seen }) => !isOwn(seen))
}

/** An account with the number of its balance assertions that fail. */
export interface AccountWithChecks extends AccountView {
  failingAssertions: number
}

export async function getAccountByID(ctx: SignedIn, id: string): Promise<AccountWithChecks> {
  const [[view], [failing]] = await read(ctx, accountById(ctx, id), failingOf(ctx, id))
  if (!view) {
    throw accountErrors.notFound()
  }
  return { ...view, failingAssertions: failing?.count ?? 0 }
}

/** Opens an account; an opening balance is booked as a transaction like any other. */
export async function createAccount(ctx: SignedIn, wanted: NewAccountFields): Promise<AccountView> {
  // The day is the user's, and the session check tells where the user is.
  const [[group], [locked]] = await read(
    ctx,
    groupNamed(ctx, wanted.accountGroupId),
    lockedForNew(ctx),
  )
  if (ctx.caller.token?.accountIds) {
    throw accountErrors.tokenIsRestricted()
  }
  requireGroup(ctx, wanted, group)
  const openingDate = wanted.openingDate ?? dateInZone(ctx.now, profileOf(ctx).timeZone)
  const { view, changes } = openAccount(ctx, { ...wanted, openingDate }, locked)
  const [created, ...opening] = changes
  return commit(ctx, {
    changes: [withoutEvents(mustBeInFolder(ctx, wanted)), created, ...opening],
    result: view,
    conflicts,
  })
}

/** Changes the fields that are sent. The currency is fixed once there are transactions. */
export async function updateAccount(
  ctx: SignedIn,
  id: string,
  wanted: AccountChanges,
): Promise<AccountView> {
  const [[view], [opening], [group]] = await read(
    ctx,
    accountById(ctx, id),
    openingOf(ctx, id),
    groupNamed(ctx, wanted.accountGroupId),
  )
  if (!view) {
    throw accountErrors.notFound()
  }
  requireMayPlace(view, wanted)
  requireVersion(ctx, view.account.version)
  requireGroup(ctx, wanted, group)
  const currency = currencyAfter(view, wanted)
  const columns = changesOf(wanted, currency)
  checkCardFields({ ...view.account, ...columns })
  const booked = openingAfter(view.account, { ...view.account, ...columns }, wanted, opening)
  const [changed] = await commitAndRead(
    ctx,
    {
      changes: [
        changeOf(ctx, view.account, wanted, columns, booked),
        post(
          ctx,
          { ...openingErrors, force: wanted.force },
          ...(booked.isRebooked
            ? bookOpening(ctx, booked.account, booked.openingMinor, opening, booked.forced)
            : []),
        ),
      ],
      conflicts,
    },
    accountById(ctx, id),
  )
  if (!changed) {
    throw accountErrors.notFound()
  }
  return changed
}

/** Allows only the owner of an account to change its folder and its order. */
function requireMayPlace({ seen }: AccountView, wanted: AccountChanges): void {
  const placed = (['accountGroupId', 'order'] as const).find((field) => wanted[field] !== undefined)
  if (placed && !isOwn(seen)) {
    throw accountErrors.foldersAreOwn({ field: placed })
  }
}

/** The currency after a change; amounts that were stored in another one would mean something else. */
function currencyAfter({ account, balances }: AccountView, wanted: AccountChanges): string {
  const { currency = account.currency } = wanted
  if (currency !== account.currency && balances.transactionCount > 0) {
    throw accountErrors.currencyFixed({ field: 'currency' })
  }
  if (
    currency !== account.currency &&
    account.creditLimitMinor !== null &&
    wanted.creditLimit === undefined
  ) {
    throw accountErrors.creditLimitNeeded({ field: 'creditLimit' })
  }
  if (
    currency !== account.currency &&
    account.minimumAmountMinor !== null &&
    wanted.minimumAmount === undefined
  ) {
    throw accountErrors.minimumAmountNeeded({ field: 'minimumAmount' })
  }
  return currency
}

/** Stores the columns of an account, and tells of them and of its opening balance. */
function changeOf(
  ctx: SignedIn,
  before: AccountRow,
  wanted: AccountChanges,
  columns: Partial<AccountRow>,
  { account: after, changeMinor, forced }: ChangedOpening,
): Change {
  const { id, ownerId, version } = before
  const tell = changeMinor === 0 ? accountEvents.updated : accountEvents.balanceAdjusted
  const history = historyFacts({
    date: after.openingDate,
    changeMinor,
    transactionId: changeMinor === 0 ? null : openingIdOf(id),
  })
  return {
    statements: [
      requireAccess(ctx, 'manage', [id], accountErrors.notFound),
      ...mustBeInFolder(ctx, wanted),
      ...(after.currency === before.currency ? [] : [mustHaveNoAmounts(id), endAlertsFor(id)]),
      ...updateAccountRow(ctx, before, columns),
    ],
    events: [
      tell(
        { id, ownerId, accountId: id, version: version + 1, history },
        { before, after, ...forced },
      ),
    ],
  }
}

/** The columns that a change of account sets; a field that was not sent is not among them. */
function changesOf(wanted: AccountChanges, currency: string): Partial<AccountRow> {
  const { openingBalance: _booked, force: _force, ...changed } = wanted
  const { name, number, creditLimit, minimumAmount, ...same } = changed
  const columns = {
    ...same,
    name,
    nameKey: name === undefined ? undefined : foldKey(name),
    numberLastFour: masked(number),
    creditLimitMinor: moneyIn(currency, 'creditLimit', creditLimit),
    minimumAmountMinor: moneyIn(currency, 'minimumAmount', minimumAmount),
  }
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined))
}

/**
 * Moves an account to the trash. Its transactions stay as they are, unseen with it, so that restoring
 * brings all of it back; the other side of a transfer keeps the money that it got.
 */
export async function deleteAccount(ctx: SignedIn, id: string): Promise<void> {
  const { account } = await getAccountByID(ctx, id)
  requireVersion(ctx, account.version)
  await commit(ctx, {
    changes: [
      {
        statements: [
          requireAccess(ctx, 'owner', [id]),
          ...updateAccountRow(ctx, account, { deletedAt: ctx.now }),
        ],
        events: [
          accountEvents.deleted(
            { id, version: account.version + 1, ...inHistory(ctx, id) },
            { before: loggedAccount(account) },
          ),
        ],
      },
    ],
    result: undefined,
  })
}
