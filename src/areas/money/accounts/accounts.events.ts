import { dateInZone } from '../../../domain/calendar.ts'
import { profileOf, type SignedIn } from '../../../platform/context.ts'
import {
  carries,
  type Created,
  defineEvents,
  type Deleted,
  type Thing,
  type Updated,
} from '../../../platform/log/events.ts'
import { type AccountRow, historyFacts } from './accounts.queries.ts'

/** An account as the log has it: how often its owner changed rules is nobody else's concern. */
type LoggedAccount = Omit<AccountRow, 'ruleSet'>

export const loggedAccount = ({ ruleSet: _, ...account }: AccountRow): LoggedAccount => account

/** A change that also rebooks the opening balance, although that was reconciled. */
type Rebooked = Updated<AccountRow> & { forced?: true }

export const accountEvents = defineEvents('account', {
  created: carries<Created<LoggedAccount>>(),
  updated: carries<Rebooked>(),
  balanceAdjusted: carries<Rebooked>(),
  closed: carries<Updated<AccountRow>>(),
  reopened: carries<Updated<AccountRow>>(),
  deleted: carries<Deleted<LoggedAccount>>(),
  /** A task erases it with all that is booked on it. */
  erasureBegun: carries<Deleted<LoggedAccount>>(),
  restored: carries<Updated<AccountRow>>(),
  /** All that are seen in their order before, and those that were put in order. */
  reordered: carries<Updated<{ order: string[] }>>(),
})

/** Makes an event that moved no money a record of the account's history. */
export const inHistory = (
  ctx: SignedIn,
  accountId: string,
): Required<Pick<Thing, 'accountId' | 'history'>> => ({
  accountId,
  history: historyFacts({
    date: dateInZone(ctx.now, profileOf(ctx).timeZone),
    changeMinor: 0,
    transactionId: null,
  }),
})

export const accountHistoryEvents = defineEvents('accountHistory', {
  commented: carries<Updated<{ comment: string | null }>>(),
  hidden: carries<Updated<{ hidden: boolean }>>(),
})
