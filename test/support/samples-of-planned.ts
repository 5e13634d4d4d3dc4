import type { Sample } from './sample-parts.ts'

/** A request that succeeds for each operation about what is to come. */
export const samplesOfPlanned = (accountId: string): Record<string, Sample> => ({
  suggestRecurring: {},
  listUpcoming: { query: `?accountId=${accountId}` },
})
