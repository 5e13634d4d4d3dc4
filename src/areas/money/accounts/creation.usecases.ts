import { parseMoney, add, negate } from '../../../domain/money.ts'
import { foldKey, lastFour } from '../../../domain/text.ts'
import { freshId, type SignedIn } from '../../../platform/context.ts'
import { commit, read } from '../../../platform/database/database.ts'
import type { Change } from '../../../platform/log/events.ts'
import { requireAccess } from '../../identity/access/access.public.ts'
import {
  post,
  amend,
  book,
  type Forced,
  type LedgerRow,
  newHeader,
  type Posting,
  requireUnreconciled,
  takeBack,
} from '../../../ledger/ledger.public.ts'
import { singleEntries } from '../../../domain/ledger.ts'
import { NO_LABELS } from '../../../ledger/labels/labels.public.ts'
import { accountErrors } from './accounts.errors.ts'
import { accountEvents, inHistory, loggedAccount } from './accounts.events.ts'
import {
  accountById,
  type AccountRow,
  type AccountView,
  historyFacts,
  insertAccount,
  type LockedDays,
  OWNER_ACCESS,
  updateAccountRow,
  isInUse,
  mustBeUnused,
} from './accounts.queries.ts'
import {
  type AccountType,
  checkCardFields,
  isOnBudgetByDefault,
  openingIdOf,
} from './accounts.rules.ts'

/** Absent means unchanged; null clears. */
type Optional<T> = T | null | undefined

export interface AccountDetailFields {
  onBudget?: boolean | undefined
  openingBalance?: string | undefined
  openingDate?: string | undefined
  includeInNetWorth?: boolean | undefined
  institution?: Optional<string>
  iban?: Optional<string>
  number?: Optional<string>
  creditLimit?: Optional<string>
  statementDay?: Optional<number>
  dueDay?: Optional<number>
  dueAfterDays?: Optional<number>
  dueWeekend?: Optional<AccountRow['dueWeekend']>
  minimumPercent?: Optional<string>
  minimumAmount?: Optional<string>
  interestRate?: Optional<string>
  accountGroupId?: Optional<string>
  color?: Optional<string>
  icon?: Optional<string>
  order?: number | undefined
  note?: Optional<string>
  /** True if it may change an opening balance that is reconciled, or one in a period under a soft lock. */
  force?: boolean | undefined
}

export interface NewAccountFields extends AccountDetailFields {
  name: string
  type: AccountType
  currency: string
}

export const openingErrors = {
  gone: accountErrors.notFound,
  closed: accountErrors.closed,
  lockedField: 'openingDate',
}

/** A new account of the caller with its opening balance, and the changes that store both. */
export function openAccount(
  ctx: SignedIn,
  wanted: NewAccountFields & { openingDate: string },
  locked: LockedDays | undefined,
  id = freshId(ctx, 'acc'),
): { view: AccountView; changes: [account: Change, opening: Change] } {
  const { openingDate } = wanted
  const openingMinor = openingIn(wanted.currency, wanted.openingBalance ?? '0')
  const account = newAccount(ctx, wanted, locked, id)
  checkCardFields(account)
  const opening = post(
    ctx,
    { ...openingErrors, force: wanted.force },
    ...bookOpening(ctx, account, openingMinor, undefined),
  )
  const event = accountEvents.created(
    {
      id: account.id,
      accountId: account.id,
      version: 1,
      history: historyFacts({
        date: openingDate,
        changeMinor: openingMinor,
        transactionId: openingMinor === 0 ? null : openingIdOf(account.id),
      }),
    },
    { after: loggedAccount(account) },
  )
  return {
    view: {
      account,
      balances: balancesOfNew(account, openingMinor),
      seen: OWNER_ACCESS,
      checks: { lastReconciledAt: null },
    },
    changes: [{ statements: insertAccount(account), events: [event] }, opening],
  }
}

function newAccount(
  ctx: SignedIn,
  wanted: NewAccountFields & { openingDate: string },
  locked: LockedDays | undefined,
  id: string,
): AccountRow {
  const { name, type, currency, openingDate, onBudget = isOnBudgetByDefault(type) } = wanted
  return {
    id,
    ownerId: ctx.caller.userId,
    name,
    nameKey: foldKey(name),
    type,
    currency,
    onBudget,
    includeInNetWorth: wanted.includeInNetWorth ?? true,
    openingDate,
    status: 'open',
    institution: wanted.institution ?? null,
    iban: wanted.iban ?? null,
    numberLastFour: masked(wanted.number) ?? null,
    creditLimitMinor: moneyIn(currency, 'creditLimit', wanted.creditLimit) ?? null,
    statementDay: wanted.statementDay ?? null,
    dueDay: wanted.dueDay ?? null,
    dueAfterDays: wanted.dueAfterDays ?? null,
    dueWeekend: wanted.dueWeekend ?? null,
    minimumPercent: wanted.minimumPercent ?? null,
    minimumAmountMinor: moneyIn(currency, 'minimumAmount', wanted.minimumAmount) ?? null,
    interestRate: wanted.interestRate ?? null,
    color: wanted.color ?? null,
    icon: wanted.icon ?? null,
    order: wanted.order ?? 0,
    note: wanted.note ?? null,
    accountGroupId: wanted.accountGroupId ?? null,
    version: 1,
    createdAt: ctx.now,
    updatedAt: ctx.now,
    deletedAt: null,
    erasedAt: null,
    lockedThrough: locked?.lockedThrough ?? null,
    hardLockedThrough: locked?.hardLockedThrough ?? null,
    ruleSet: 0,
  }
}

export const masked = (number: Optional<string>) => (number ? lastFour(number) : number)

/** The amount in a field of a request, if there is one. */
export const moneyIn = (currency: string, field: string, text: Optional<string>) =>
  text === null || text === undefined ? text : parseMoney(text, currency, { field })

const balancesOfNew = (account: AccountRow, openingMinor: number): AccountView['balances'] => ({
  accountId: account.id,
  balanceMinor: openingMinor,
  clearedMinor: openingMinor,
  reconciledMinor: 0,
  openingMinor,
  transactionCount: openingMinor === 0 ? 0 : 1,
  lastDate: openingMinor === 0 ? null : account.openingDate,
})

/** Moves an account to the trash that has nothing but its opening balance. Otherwise it stays, and the answer is false. */
export async function deleteUnusedAccount(ctx: SignedIn, id: string): Promise<boolean> {
  const [[view], [used]] = await read(ctx, accountById(ctx, id), isInUse(id))
  if (!view || used) {
    return !view
  }
  const { account } = view
  await commit(ctx, {
    changes: [
      {
        statements: [
          requireAccess(ctx, 'owner', [id]),
          mustBeUnused(id),
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
  return true
}

/** Books, rebooks or takes back the opening balance, whichever leads from what is stored to `minor`. */
export function bookOpening(
  ctx: SignedIn,
  account: Pick<AccountRow, 'id' | 'ownerId' | 'currency' | 'openingDate'>,
  minor: number,
  stored: LedgerRow | undefined,
  forced: Forced = {},
): Posting[] {
  if (minor === 0) {
    return stored ? [takeBack(stored, forced)] : []
  }
  const { ownerId, currency, openingDate: date } = account
  const entries = singleEntries({
    kind: 'opening',
    leg: {
      accountId: account.id,
      ownerId,
      currency,
      status: stored?.status ?? 'cleared',
      externalId: null,
    },
    date,
    signedMinor: minor,
    categoryId: null,
    splits: [],
  })
  if (stored) {
    return [amend(ctx, [{ row: stored, columns: { date }, entries, right: 'write', ...forced }])]
  }
  const id = openingIdOf(account.id)
  const header = newHeader(ctx, { id, ownerId, kind: 'opening', date })
  return [book([{ header, entries, labels: NO_LABELS }])]
}

const openingIn = (currency: string, text: string) =>
  parseMoney(text, currency, { signed: true, field: 'openingBalance' })

/** The effect of a change of an account on its opening balance. */
export interface ChangedOpening {
  /** The account after the change. */
  account: AccountRow
  openingMinor: number
  changeMinor: number
  isRebooked: boolean
  forced: Forced
}

/** The opening balance after a change of its account; stored is the one that is booked. */
export function openingAfter(
  before: AccountRow,
  account: AccountRow,
  { openingBalance, force }: { openingBalance?: string | undefined; force?: boolean | undefined },
  stored: LedgerRow | undefined,
): ChangedOpening {
  const storedMinor = stored?.amountMinor ?? 0
  const openingMinor =
    openingBalance === undefined ? storedMinor : openingIn(account.currency, openingBalance)
  const changeMinor = add(openingMinor, negate(storedMinor))
  const isRebooked = changeMinor !== 0 || account.openingDate !== before.openingDate
  if (isRebooked && before.status === 'closed') {
    throw accountErrors.closed({ field: changeMinor === 0 ? 'openingDate' : 'openingBalance' })
  }
  const forced =
    isRebooked && stored
      ? requireUnreconciled(stored, { force }, accountErrors.openingReconciled)
      : {}
  return { account, openingMinor, changeMinor, isRebooked, forced }
}
