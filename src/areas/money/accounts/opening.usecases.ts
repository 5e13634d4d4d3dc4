import { singleEntries } from '../../../domain/ledger.ts'
import { add, negate, parseMoney } from '../../../domain/money.ts'
import type { SignedIn } from '../../../platform/context.ts'
import {
  amend,
  book,
  type Forced,
  type LedgerRow,
  newHeader,
  type Posting,
  requireUnreconciled,
  takeBack,
} from '../../../ledger/ledger.public.ts'
import { NO_LABELS } from '../../../ledger/labels/labels.public.ts'
import { accountErrors } from './accounts.errors.ts'
import type { AccountRow } from './accounts.queries.ts'
import { openingIdOf } from './accounts.rules.ts'

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

export const openingIn = (currency: string, text: string) =>
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
