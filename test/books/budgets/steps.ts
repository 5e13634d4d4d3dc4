import { bookingSteps } from './bookings.ts'
import { categorySteps } from './categories.ts'
import { closingSteps } from './closings.ts'
import { decisionSteps } from './decisions.ts'
import type { Walk } from './household.ts'
import { lineSteps } from './lines.ts'
import { matchingSteps } from './matching.ts'
import { movementSteps } from './movements.ts'
import { surroundingSteps } from './surroundings.ts'
import { targetSteps } from './targets.ts'

/** One thing that somebody does; false where there is nothing to do it to. */
export type Step = (walk: Walk) => Promise<boolean>

const KINDS: Record<string, Step>[] = [
  ...[bookingSteps, bookingSteps, bookingSteps],
  ...[decisionSteps, decisionSteps],
  ...[movementSteps, lineSteps, targetSteps],
  ...[surroundingSteps, categorySteps, closingSteps, matchingSteps],
]

/** Does something, and says what. */
export const anyStep = (walk: Walk): Promise<string> => oneOf(walk, KINDS)

/** Books something, or changes what is booked. */
export const anyBookingStep = (walk: Walk): Promise<string> =>
  oneOf(walk, [bookingSteps, bookingSteps, matchingSteps])

async function oneOf(walk: Walk, kinds: Record<string, Step>[]): Promise<string> {
  for (;;) {
    const steps = Object.entries(walk.random.pick(kinds))
    const [name, step] = walk.random.pick(steps)
    if (await step(walk)) {
      return name
    }
  }
}
