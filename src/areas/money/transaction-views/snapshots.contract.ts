import { z } from '@hono/zod-openapi'
import { transferIdFrom } from '../../../domain/ids.ts'
import { splitIdOf, legIdOf } from '../../../domain/ledger-ids.ts'
import { formatMoney } from '../../../domain/money.ts'
import {
  type Snapshot,
  hidesAccount,
  type LedgerRow,
  type OtherLine,
} from '../../../ledger/ledger.public.ts'
import { rateBetween } from '../../../domain/exchange.ts'
import { booleanField, nullableText } from '../../../http/fields.ts'
import type { SignedIn } from '../../../platform/context.ts'
import { isForAccount } from '../../identity/access/access.public.ts'

/** The context for presenting a snapshot, or some of its fields, as a transaction of the API. */
interface About {
  /** Id of the transaction, or of one of its sides. */
  id: string
  /** Currency of the account; null if it is no longer known, in which case amounts are left out. */
  currency: string | null
  accountId: string | null
  /** Currency of the bill, if it is not among the fields. */
  originalCurrency?: string | null
}

/** Values of the fields that a snapshot leaves out; null for fields that are not listed. */
const LEFT_OUT: Record<string, unknown> = {
  description: '',
  tagIds: [],
  reviewed: false,
  splits: [],
  fees: [],
  source: 'user',
  private: false,
  excludeFromReports: false,
}

/** Values of the fields that a complete part leaves out. */
const EMPTY_PART = {
  categoryId: null,
  payeeId: null,
  tagIds: [],
  note: null,
  transfer: null,
}

/** Values of the fields that a complete fee leaves out. */
const EMPTY_FEE = { categoryId: null, note: null }

/** Some fields of a snapshot, as the API has them. */
function presentSnapshot(
  fields: Partial<Snapshot>,
  { id, currency, originalCurrency }: About,
): Record<string, unknown> {
  const { amountMinor, originalAmountMinor, splits, fees, ...same } = fields
  const money = (minor: number) => (currency === null ? null : formatMoney(minor, currency))
  const original = fields.originalCurrency ?? originalCurrency
  return {
    ...same,
    ...(amountMinor === undefined
      ? {}
      : { amount: money(Math.abs(amountMinor)), signedAmount: money(amountMinor) }),
    ...(originalAmountMinor === undefined || !original
      ? {}
      : { originalAmount: formatMoney(originalAmountMinor, original) }),
    ...(splits === undefined
      ? {}
      : {
          splits: splits.map(({ line, amountMinor: minor, counterAccountId, ...part }) => ({
            id: splitIdOf(id, line),
            ...(minor === undefined ? {} : { amount: money(minor), ...EMPTY_PART }),
            ...(counterAccountId === undefined
              ? {}
              : { transfer: { accountId: counterAccountId } }),
            ...part,
          })),
        }),
    ...(fees === undefined
      ? {}
      : {
          fees: fees.map(({ line: _line, amountMinor: minor, ...rest }) => ({
            ...(minor === undefined ? {} : { amount: money(minor), ...EMPTY_FEE }),
            ...rest,
          })),
        }),
  }
}

/** Presents a transaction that was created or removed, with the data that the log keeps outside its fields. */
const presentWhole = (fields: Partial<Snapshot>, about: About): Record<string, unknown> => ({
  accountId: about.accountId,
  currency: about.currency,
  // The other side of a part is a transfer by itself.
  ...(fields.kind === 'transfer' && /^trf_|-[12]$/.test(about.id)
    ? { transferId: transferIdFrom(about.id.replace(/-[12]$/, '')) }
    : {}),
  ...presentSnapshot(fields, about),
})

/** Returns the values of those of these fields that the log leaves out when they are empty. */
const leftOut = (fields: object) =>
  Object.fromEntries(Object.entries(LEFT_OUT).filter(([field]) => field in fields))

interface Sides<Value> {
  before: Value
  after: Value
}

/** Returns the differences between two snapshots, either of which may be absent, with the same fields on both sides. */
export function presentDifference(
  { before, after }: Sides<Partial<Snapshot> | undefined>,
  about: Sides<About>,
): Sides<Record<string, unknown> | undefined> {
  if (!before || !after) {
    return {
      before: before && presentWhole(before, about.before),
      after: after && presentWhole(after, about.after),
    }
  }
  const empty = leftOut({ ...before, ...after })
  const isOfOneCurrency = about.before.currency === about.after.currency
  const tell = (fields: Partial<Snapshot>, side: About) => ({
    ...empty,
    ...(isOfOneCurrency ? {} : { currency: side.currency }),
    ...presentSnapshot(fields, side),
  })
  const [was, is] = [tell(before, about.before), tell(after, about.after)]
  const absent = Object.fromEntries(Object.keys({ ...was, ...is }).map((field) => [field, null]))
  return { before: { ...absent, ...was }, after: { ...absent, ...is } }
}

export const SplitTransfer = z
  .object({
    accountId: nullableText('Account that the part goes to or comes from.'),
    transactionId: nullableText('Id of the transaction that the other account sees.'),
    amount: nullableText('Amount on the other account, in its currency; never negative.', '30.00'),
    currency: nullableText('Currency of the other account.', 'EUR'),
    rate: nullableText('Units of the other currency for one unit of this one.'),
    status: nullableText('Status on the other account.', 'uncleared'),
    externalId: nullableText('Id that the bank of the other account gave.'),
    hidden: booleanField(
      'Whether the caller cannot see the other account, so that nothing else is told of it.',
      false,
    ),
  })
  .openapi('SplitTransfer')

/** True if the caller sees another account of the transaction of a row. */
export const isOtherAccountSeen = (
  row: LedgerRow,
  accountId: string,
  ctx: SignedIn | undefined,
): boolean => !hidesAccount(row, accountId) && (!ctx || isForAccount(ctx, accountId))

/** The other side of a part, as the account of the whole sees it; null unless the part is a transfer. */
export function presentOtherSide(
  row: LedgerRow,
  part: OtherLine,
  others: OtherLine[],
  ctx: SignedIn | undefined,
): z.infer<typeof SplitTransfer> | null {
  const leg = others.find(({ side, pair }) => side === 'account' && pair === part.line)
  if (!leg) {
    return null
  }
  if (!isOtherAccountSeen(row, leg.accountId, ctx)) {
    return HIDDEN_SIDE
  }
  const { currency } = leg
  const minor = Math.abs(leg.amountMinor)
  return {
    accountId: leg.accountId,
    transactionId: legIdOf(row.transactionId, 'transfer', leg.line),
    amount: formatMoney(minor, currency),
    currency,
    rate:
      currency === row.currency
        ? null
        : rateBetween(
            { minor: Math.abs(part.amountMinor), currency: row.currency },
            { minor, currency },
          ),
    status: leg.status,
    externalId: leg.externalId,
    hidden: false,
  }
}

const HIDDEN_SIDE = {
  accountId: null,
  transactionId: null,
  amount: null,
  currency: null,
  rate: null,
  status: null,
  externalId: null,
  hidden: true,
}
