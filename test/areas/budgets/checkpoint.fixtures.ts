import { makeCheckpoints } from '../../../src/areas/planning/budgets/checkpoints/checkpoints.usecases.ts'
import { contextWith, databaseWith } from '../../support/service.ts'

/** A day on which August 2026 is three periods ago. */
export const NOW = Date.UTC(2026, 10, 20)

/** Stores the checkpoints of a budget, as they are stored on a day in November 2026. */
export const makeAt = (
  budget: { id: string },
  aroundTrip?: (trip: number) => Promise<unknown>,
): Promise<void> =>
  makeCheckpoints(
    contextWith({
      now: NOW,
      database: databaseWith(async (trip, run) => {
        await aroundTrip?.(trip)
        return run()
      }).withSession('first-primary'),
    }),
    { budgetId: budget.id },
    [],
  )
