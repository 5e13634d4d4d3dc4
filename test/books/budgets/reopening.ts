import type { Difference } from '../comparison.ts'
import { close, reopen } from './closings.ts'
import { differencesOf } from './comparison.ts'
import type { Walk } from './household.ts'
import { anyBookingStep } from './steps.ts'

const BOOKED_AFTER = 20

/** Closes all periods that have ended and goes on booking into them. Opens them again: all is as if it had never been closed. */
export async function closeAndReopen(walk: Walk): Promise<Difference[]> {
  for (const budget of walk.household.budgets) {
    while (await close(walk, budget)) {
      // Until none is left that has ended.
    }
  }
  for (let booked = 0; booked < BOOKED_AFTER; booked += 1) {
    await anyBookingStep(walk)
  }
  const found = await differencesOf(walk, true)
  for (const budget of walk.household.budgets) {
    while (await reopen(walk, budget)) {
      // Until all are open.
    }
  }
  return [...found, ...(await differencesOf(walk, true))]
}
