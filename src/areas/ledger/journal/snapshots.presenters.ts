import { splitIdOf } from '../../../domain/ledger.ts'
import { formatMoney } from '../../../domain/money.ts'
import type { Snapshot } from './snapshots.rules.ts'

/** What it takes to tell a snapshot, or some of its fields, as the API tells a transaction. */
interface About {
  /** Of the transaction, or of one of its sides. */
  id: string
  /** Of its account; null where nobody knows it any more: then no amounts are told. */
  currency: string | null
  /** Where it is not among the fields. */
  originalCurrency?: string | null
}

/** What a field is that a snapshot leaves out; null where nothing is said here. */
export const LEFT_OUT: Record<string, unknown> = {
  description: '',
  tagIds: [],
  reviewed: false,
  splits: [],
  source: 'user',
  private: false,
}

/** Some fields of a snapshot, as the API has them. */
export function presentSnapshot(
  fields: Partial<Snapshot>,
  { id, currency, originalCurrency }: About,
): Record<string, unknown> {
  const { amountMinor, originalAmountMinor, splits, fee, ...same } = fields
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
          splits: splits.map(({ line, amountMinor: minor, ...part }) => ({
            id: splitIdOf(id, line),
            ...(minor === undefined ? {} : { amount: money(minor) }),
            ...part,
          })),
        }),
    ...(fee === undefined
      ? {}
      : {
          fee: {
            // Of a fee whose category alone changed it is not said.
            ...(fee.amountMinor === undefined ? {} : { amount: money(fee.amountMinor) }),
            categoryId: fee.categoryId ?? null,
          },
        }),
  }
}
