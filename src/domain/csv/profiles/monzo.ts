import { decimalsOf, fromUnits, toUnits } from '../../bank-files/decimals.ts'
import type { Reading } from '../../bank-files/format.ts'
import { findCurrency } from '../../currency.ts'
import type { RowCombiner } from './profile.ts'

/** An amount in the smallest unit of its currency as one in its usual unit. */
const inUnits = (amount: string, currency: string | undefined): string =>
  decimalsOf(amount) > 0
    ? amount
    : fromUnits(toUnits(amount, 0), findCurrency(currency ?? '')?.minorDigits ?? 2)

/** Some old exports have pence. */
export const monzoUnits = ({ amountUnit }: Reading): RowCombiner => ({
  add(row) {
    const { original } = row
    if (row.amount === undefined || amountUnit !== 'minor') {
      return [row]
    }
    const amount = inUnits(row.amount, row.currency)
    return [
      {
        ...row,
        amount,
        ...(original && {
          original: { ...original, amount: inUnits(original.amount, original.currency) },
        }),
      },
    ]
  },
  end: () => [],
})
