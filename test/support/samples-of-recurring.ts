import type { Sample } from './sample-parts.ts'

type Make = (path: string, json: object) => Promise<{ id: string }>

/** A request that succeeds for each operation of recurring items, none of which becomes due. */
export async function samplesOfRecurring(
  make: Make,
  accountId: string,
): Promise<Record<string, Sample>> {
  const schedule = { unit: 'month', anchor: '2026-01-15' }
  const transaction = { kind: 'expense', accountId, amount: '10' }
  const item = { name: 'Rent', mode: 'ask', schedule, transaction, from: '2026-01-01' }
  const [one, two] = [await make('/recurring', item), await make('/recurring', item)]
  const of = (id: string, more: Omit<Sample, 'path'> = {}): Sample => ({ path: { id }, ...more })
  return {
    listRecurring: { query: '?totals=true' },
    createRecurring: { json: item },
    previewSchedule: { json: { schedule } },
    listRecurringMatches: {},
    dismissRecurring: { json: { key: 'a key' } },
    postOccurrences: { json: { items: [{ recurringId: one.id, nominalDate: '2026-01-15' }] } },
    getRecurring: of(one.id),
    updateRecurring: of(one.id, { json: { name: 'Flat' } }),
    deleteRecurring: of(two.id),
    listOccurrences: of(one.id, { query: '?to=2026-06-30' }),
    updateOccurrence: {
      path: { id: one.id, date: '2026-02-15' },
      json: { changes: { amount: '12' } },
    },
  }
}
