import {
  type AccountLocks,
  daysChanged,
  lockRefusal,
  type Whole,
} from '../../../../ledger/ledger.public.ts'
import type { AccountView } from '../../../money/accounts/accounts.public.ts'

/** The locks of accounts, and what the caller may do with them. */
export const locksOf = (views: AccountView[]): AccountLocks[] =>
  views.map(({ account: { id, lockedThrough, hardLockedThrough }, seen: { rank } }) => ({
    ...{ id, lockedThrough, hardLockedThrough, rank },
  }))

type Entries = Whole['entries']

/** Tells whether a lock is in the way of a change of lines. */
export const lockWatcher = (views: AccountView[], force: boolean | undefined) => {
  const locks = locksOf(views)
  return (before: Entries | undefined, after: Entries | undefined): boolean =>
    lockRefusal(daysChanged(before, after), locks, { force }) !== undefined
}
