import { singleEntries } from '../../../../domain/ledger.ts'
import type { SignedIn } from '../../../../platform/context.ts'
import {
  amend,
  book,
  type Forced,
  type LedgerRow,
  newHeader,
  type Posting,
  takeBack,
} from '../../../../ledger/ledger.public.ts'
import { NO_LABELS } from '../../../../ledger/labels/labels.public.ts'
import type { AccountRow } from '../accounts.queries.ts'
import { openingIdOf } from '../accounts.rules.ts'

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
