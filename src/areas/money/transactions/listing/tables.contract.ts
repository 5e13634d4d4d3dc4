import type { SignedIn } from '../../../../platform/context.ts'
import {
  type Names,
  presentTransaction,
  tableHeader,
  tableLineAsCsv,
  tableLines,
} from '../../transaction-views/transaction-views.public.ts'
import type { NamedRow } from './listing.queries.ts'
import type { FoundTransactions } from './listing.usecases.ts'

/** A page of transactions as the table of exports. */
export function transactionsAsCsv(
  { rows, names }: Pick<FoundTransactions, 'rows' | 'names'>,
  ctx: SignedIn,
): string {
  const known = namesFrom(names)
  const lines = rows.flatMap((row) =>
    tableLines({ row, view: presentTransaction(row, ctx) }, known).map(tableLineAsCsv),
  )
  return tableHeader + lines.join('')
}

function namesFrom(rows: NamedRow[]): Names {
  const of = (wanted: NamedRow['what']) => rows.filter(({ what }) => what === wanted)
  const byId = new Map(of('category').map((row) => [row.id, row]))
  const pathOf = (id: string | null): string[] => {
    const row = id === null ? undefined : byId.get(id)
    return row ? [...pathOf(row.parentId), row.name] : []
  }
  const named = (wanted: NamedRow['what']) => new Map(of(wanted).map(({ id, name }) => [id, name]))
  return {
    accounts: new Map(of('account').map((row) => [row.id, row])),
    categories: new Map([...byId.keys()].map((id) => [id, { path: pathOf(id) }])),
    payees: named('payee'),
    tags: named('tag'),
  }
}
