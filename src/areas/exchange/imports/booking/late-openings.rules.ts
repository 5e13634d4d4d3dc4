import { isInRange } from '../../../../domain/money.ts'
import { fromWideSum } from '../../../../platform/wide-sums.ts'
import type { StatedBalance } from './late-openings.queries.ts'

/** The opening balance of an account, by what a statement says that it held later. */
export interface LateOpening {
  accountId: string
  currency: string
  minor: number
  date: string
}

/** What accounts must have opened with, so that they hold what the first statement of each says. */
export function lateOpenings(balances: StatedBalance[]): LateOpening[] {
  const first = new Map(balances.toReversed().map((one) => [one.accountId, one]))
  return [...first.values()].flatMap(({ accountId, currency, ...stated }): LateOpening[] => {
    const { date, openingDate, balanceMinor, heldBefore } = stated
    const minor = BigInt(balanceMinor) - fromWideSum(heldBefore)
    const opening = { accountId, currency, date: date < openingDate ? date : openingDate }
    return minor === 0n || !isInRange(minor) ? [] : [{ ...opening, minor: Number(minor) }]
  })
}
