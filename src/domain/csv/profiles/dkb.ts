import { isNegativeDecimal } from '../../bank-files/decimals.ts'
import type { RowCombiner } from './profile.ts'

/** Both sides of each payment are named; of what comes in, the other one is who paid. */
export const dkbRows = (): RowCombiner => ({
  add(row) {
    const payer = row.raw['Zahlungspflichtige*r']
    const isIn = row.amount !== undefined && !isNegativeDecimal(row.amount)
    return [isIn && payer ? { ...row, payeeRaw: payer } : row]
  },
  end: () => [],
})
