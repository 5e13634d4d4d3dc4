import { transferIdFrom } from '../../../domain/ids.ts'
import { splitIdOf } from '../../../domain/ledger-ids.ts'
import { formatMoney } from '../../../domain/money.ts'
import type { Snapshot } from '../../../ledger/ledger.public.ts'

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
