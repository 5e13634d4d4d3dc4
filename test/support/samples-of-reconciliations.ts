import type { Sample } from './sample-parts.ts'

type Make = (path: string, json: object) => Promise<{ id: string }>

/** A request that succeeds for each operation of reconciliations, each that ends one on an account of its own. */
export async function samplesOfReconciliations(make: Make): Promise<Record<string, Sample>> {
  const newAccount = (name: string) => make('/account', { name, type: 'checking', currency: 'EUR' })
  const book = ({ id: accountId }: { id: string }, status: string) =>
    make('/transaction', {
      ...{ kind: 'expense', accountId, date: '2026-01-15', amount: '3', status },
    })
  const statement = { statementDate: '2026-01-31', closingBalance: '-3' }
  const start = ({ id: accountId }: { id: string }, more: object = {}) =>
    make('/reconciliation', { accountId, ...statement, ...more })
  const of = ({ id }: { id: string }, more: Sample = {}): Sample => ({ path: { id }, ...more })

  const compared = await newAccount('Compared')
  const coffee = await book(compared, 'uncleared')
  const open = await start(compared)
  const left = await start(await newAccount('Left'))
  const off = await newAccount('Off')
  await book(off, 'cleared')
  const differing = await start(off, { closingBalance: '-4.40' })
  const reconciled = await newAccount('Reconciled')
  await book(reconciled, 'cleared')
  const finished = await start(reconciled)
  await make(`/reconciliation/${finished.id}/finish`, {})
  const fresh = await newAccount('Fresh')
  return {
    listReconciliations: { query: `?accountId=${compared.id}&state=open` },
    startReconciliation: { json: { accountId: fresh.id, ...statement, note: 'x' } },
    getReconciliation: of(finished),
    suggestForReconciliation: of(open),
    listReconciliationRows: of(open, { query: '?later=10' }),
    updateReconciliation: of(open, { json: { tick: [coffee.id], note: 'y' } }),
    abandonReconciliation: of(left),
    finishReconciliation: of(differing, { json: { adjust: true, description: 'Rounding' } }),
    undoReconciliation: of(finished),
  }
}
