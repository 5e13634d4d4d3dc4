import { csvLine, guardCell, joinPath, joinTags } from '../../../domain/csv/writing.ts'
import { splitIdOf } from '../../../domain/ledger-ids.ts'
import { formatMoney, negate, sum } from '../../../domain/money.ts'
import { type LedgerRow, type OtherLine, othersOf } from '../../../ledger/ledger.public.ts'
import type { presentTransaction } from './transaction-views.contract.ts'

// Transactions as a table: that of exports, and of the list where a table is wanted.

/** The names for the rows of a table, by id. Things that belong to others have no name. */
export interface Names {
  accounts: ReadonlyMap<string, { name: string }>
  /** The names of those above it, and its own. */
  categories: ReadonlyMap<string, { path: string[] }>
  payees: ReadonlyMap<string, string>
  tags: ReadonlyMap<string, string>
}

/** A transaction as one account sees it: as it is stored, and as the API shows it. */
export interface ExportedRow {
  row: LedgerRow
  view: ReturnType<typeof presentTransaction>
}

export const nameIn = (names: ReadonlyMap<string, string>, id: string | null): string =>
  (id === null ? undefined : names.get(id)) ?? ''

export const accountName = ({ accounts }: Names, id: string | null): string =>
  (id === null ? undefined : accounts.get(id)?.name) ?? ''

export const categoryPath = ({ categories }: Names, id: string | null): string[] =>
  (id === null ? undefined : categories.get(id)?.path) ?? []

export const tagNames = ({ tags }: Names, ids: readonly string[]): string[] =>
  ids.flatMap((id) => tags.get(id) ?? []).toSorted()

export const TABLE_COLUMNS = [
  ...(['id', 'kind', 'date', 'time', 'account', 'accountId', 'currency', 'amount'] as const),
  ...(['description', 'payee', 'payeeRaw', 'category', 'tags', 'status', 'reviewed'] as const),
  ...(['note', 'transferId', 'counterAccount', 'originalAmount', 'originalCurrency'] as const),
  ...(['rate', 'partOf', 'partAmount', 'externalId', 'importId', 'metadata'] as const),
  'excludeFromReports',
] as const

type Column = (typeof TABLE_COLUMNS)[number]

/** A line of the table; columns that are left out are empty. */
export type TableLine = Partial<Record<Column, string>>

/** Columns of amounts and rates. */
export const NUMBER_COLUMNS: ReadonlySet<Column> = new Set([
  'amount',
  'originalAmount',
  'rate',
  'partAmount',
])

/** The lines of a transaction as one account sees it: its own, and one for each part or fee. */
export function tableLines(shown: ExportedRow, names: Names): TableLine[] {
  const { row, view } = shown
  const parts = partsOf(shown, names)
  const isVoid = view.status === 'void'
  return [
    {
      ...placeOf(shown, names),
      id: view.id,
      kind: view.kind,
      time: view.time ?? '',
      // So that the sum of the column is the balance; the parts say what it would be.
      amount: isVoid ? formatMoney(0, row.currency) : view.signedAmount,
      description: view.description,
      payee: nameIn(names.payees, view.payeeId),
      payeeRaw: view.payeeRaw ?? '',
      category: joinPath(categoryPath(names, view.categoryId)),
      tags: joinTags(tagNames(names, view.tagIds)),
      reviewed: String(view.reviewed),
      note: view.note ?? '',
      transferId: view.transferId ?? view.splitId ?? '',
      counterAccount: accountName(names, view.counterAccountId),
      originalAmount: view.originalAmount ?? '',
      originalCurrency: view.originalCurrency ?? '',
      rate: view.rate ?? '',
      externalId: view.externalId ?? '',
      importId: view.importId ?? '',
      metadata: view.metadata ? metadataCell(view.metadata) : '',
      excludeFromReports: String(view.excludeFromReports),
    },
    ...parts,
    ...(isVoid ? restOf(shown, names, parts) : []),
  ]
}

/** Without backslashes before quotes, which some programs read as the end of a cell. */
const metadataCell = (metadata: object): string =>
  JSON.stringify(metadata).replaceAll(/\\["\\]/g, (escaped) =>
    escaped.endsWith('"') ? String.raw`\u0022` : String.raw`\u005c`,
  )

const placeOf = ({ row, view }: ExportedRow, names: Names): TableLine => ({
  date: view.date,
  account: accountName(names, view.accountId),
  accountId: view.accountId,
  currency: row.currency,
  status: view.status,
})

/** The parts of a split, or the fees of a transfer, as the account sees them. */
export function partLines({ row, view }: ExportedRow): OtherLine[] {
  const others = othersOf(row).filter(
    ({ side, pair, accountId }) =>
      side !== 'account' && pair === null && accountId === row.accountId,
  )
  if (view.kind === 'transfer') {
    return row.pair === null ? others.filter(({ side }) => side === 'expense') : []
  }
  return others.length > 1 ? others : []
}

function partsOf(shown: ExportedRow, names: Names): TableLine[] {
  const { row, view } = shown
  return partLines(shown).map((line) => {
    const id = splitIdOf(row.transactionId, line.line)
    const part = view.splits.find((one) => one.id === id)
    return {
      ...placeOf(shown, names),
      id,
      kind: view.kind === 'transfer' ? 'fee' : 'part',
      payee: nameIn(names.payees, part?.payeeId ?? null),
      category: joinPath(categoryPath(names, line.categoryId)),
      tags: joinTags(tagNames(names, part?.tagIds ?? [])),
      note: line.note ?? '',
      transferId: part?.transfer ? id : '',
      counterAccount: accountName(names, part?.transfer?.accountId ?? null),
      partOf: view.id,
      partAmount: formatMoney(negate(line.amountMinor), row.currency),
    }
  })
}

/** The amount of a void transaction, as far as no part says it. */
function restOf(shown: ExportedRow, names: Names, parts: TableLine[]): TableLine[] {
  const { row, view } = shown
  if (parts.length > 0 && view.kind !== 'transfer') {
    return []
  }
  const minor = sum([row.amountMinor, ...partLines(shown).map(({ amountMinor }) => amountMinor)])
  return [
    {
      ...placeOf(shown, names),
      kind: 'part',
      partOf: view.id,
      partAmount: formatMoney(minor, row.currency),
    },
  ]
}

/** The line above all others. */
export const tableHeader = csvLine(TABLE_COLUMNS)

/** A line as CSV. */
export const tableLineAsCsv = (line: TableLine): string =>
  csvLine(
    TABLE_COLUMNS.map((column) => {
      const value = line[column] ?? ''
      return NUMBER_COLUMNS.has(column) ? value : guardCell(value)
    }),
  )
