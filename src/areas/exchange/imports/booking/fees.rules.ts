import { readAmount } from '../../../../domain/imports/rows.ts'
import type { Fee } from '../../../../domain/ledger.ts'
import type { LedgerRow } from '../../../../ledger/ledger.public.ts'
import type { ReadRow } from '../rows/pieces.rules.ts'

/** The two halves of a transfer, each a row of the file or a transaction. */
export interface Pair {
  one: ReadRow | string
  other: ReadRow | string
}

/**
 * The fees that the file tells of a transfer, none where it tells none; undefined where it does not say that both rows are
 * one, or where a row was booked with another amount, so that a difference between them is no fee.
 */
export function feesTold(
  { one, other }: Pair,
  stored: [one: LedgerRow, other: LedgerRow],
  categoryOf: (path: string[]) => string | null,
): Fee[] | undefined {
  if (typeof one === 'string') {
    return undefined
  }
  const rows = [one, ...(typeof other === 'string' ? [] : [other])].map(({ row }) => row)
  const isTold = rows.every(
    ({ source, minor }, at) =>
      source.transfer?.pair !== undefined && minor === stored[at]?.amountMinor,
  )
  if (!isTold) {
    return undefined
  }
  return rows.flatMap(({ source, currency }) =>
    (source.transfer?.fees ?? []).map(({ amount, category, description }) => ({
      amountMinor: readAmount(amount, currency).minor ?? 0,
      categoryId: category === undefined ? null : categoryOf(category),
      note: description ?? null,
    })),
  )
}
