import type { Difference } from '../comparison.ts'
import { brokenIdentities, differencesOf } from './comparison.ts'
import { allPeriodsOf, type Walk } from './household.ts'
import { anyBookingStep } from './steps.ts'
import { today } from './time.ts'

const BOOKED_AFTER = 20

/**
 * Closes all periods that have ended and goes on booking into them: the money of open periods still adds up. Opens them again:
 * all is as if they had never been closed.
 */
export async function closeAndReopen(walk: Walk): Promise<Difference[]> {
  const { household, sends } = walk
  const ended = household.budgets.flatMap((budget) =>
    allPeriodsOf(budget)
      .filter(({ end }) => end < today())
      .map(({ nominal }) => `/budget/${budget.id}/period/${nominal}`),
  )
  for (const path of ended) {
    await sends[0]('POST', `${path}/close`)
  }
  for (let booked = 0; booked < BOOKED_AFTER; booked += 1) {
    await anyBookingStep(walk)
  }
  const broken = await brokenIdentities(walk)
  for (const path of ended.toReversed()) {
    await sends[0]('POST', `${path}/reopen`, { reason: 'Checked again' })
  }
  return [...broken, ...(await differencesOf(walk, true))]
}
