import type { Sample } from './sample-parts.ts'

type Make = (path: string, json: object) => Promise<{ id: string }>

/** A request that succeeds for each operation of searches and saved views. */
export async function samplesOfSearch(
  make: Make,
  categoryId: string,
): Promise<Record<string, Sample>> {
  const view = (name: string) =>
    make('/saved-view', { name, of: 'transactions', parameters: { categoryId, q: 'is:private' } })
  const [kept, dropped] = [await view('Kept'), await view('Dropped')]
  return {
    searchAll: { query: '?q=sho&limit=10' },
    listEvents: { query: '?limit=10' },
    parseSearch: { json: { q: 'payee:named amount>20 -kind:transfer', for: 'rules' } },
    listSavedViews: { query: '?of=transactions' },
    createSavedView: {
      json: {
        name: 'Worth',
        of: 'netWorthHistory',
        parameters: { from: '2026-01-01', to: '2026-03-31' },
      },
    },
    getSavedView: { path: { id: kept.id } },
    updateSavedView: { path: { id: kept.id }, json: { pinned: true } },
    deleteSavedView: { path: { id: dropped.id } },
  }
}
