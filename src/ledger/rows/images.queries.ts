import { kindAt } from '../../domain/ledger-ids.ts'
import type { Entry } from '../../domain/ledger.ts'
import { formatMoney, negate } from '../../domain/money.ts'
import { type Header, type LedgerRow, type OtherLine, searchTextOf } from './rows.queries.ts'
import { type Labels, labelsAt, NO_LABELS } from '../labels/labels.rules.ts'

// A transaction has two forms: a header with entries and labels is stored, and a row shows one account's side of it.

/** The header that a row is a view of. */
export const headerOf = (row: LedgerRow): Header => ({
  id: row.transactionId,
  ownerId: row.ownerId,
  kind: row.headerKind,
  date: row.date,
  time: row.time,
  description: row.description,
  payeeRaw: row.payeeRaw,
  originalAmountMinor: row.originalAmountMinor,
  originalCurrency: row.originalCurrency,
  rate: row.rate,
  reviewed: row.reviewed === 1,
  private: row.private === 1,
  excludeFromReports: row.excludeFromReports === 1,
  source: row.source,
  note: row.note,
  location: row.location,
  metadata: row.metadata,
  searchText: searchTextOf(row),
  createdBy: row.createdBy,
  version: row.version,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
  deletedAt: null,
  matchedInto: null,
  matchedPart: null,
  lastLine: row.lastLine,
  importId: row.importId,
  recurringId: row.recurringId,
  recurringDate: row.recurringDate,
})

/** The other lines of the transaction that a row is a view of, in order. */
export const othersOf = (row: LedgerRow): OtherLine[] =>
  (JSON.parse(row.others) as OtherLine[]).toSorted((a, b) => a.line - b.line)

/** A part of the transaction that a row is a view of, in the direction of the whole: the stored line goes the other way. */
export function partOfRow(
  { amountMinor: ofWhole, currency }: Pick<LedgerRow, 'amountMinor' | 'currency'>,
  { line, amountMinor, categoryId, note }: OtherLine,
  labels: Labels,
) {
  const { payeeId, tagIds } = labelsAt(labels, line)
  const amount = formatMoney(ofWhole < 0 ? amountMinor : negate(amountMinor), currency)
  return { amount, categoryId, payeeId, tagIds, note }
}

/** All entries of the transaction that a row is a view of, in the order of their lines. */
export function entriesOf(row: LedgerRow): Entry[] {
  const { line, accountId, ownerId, date, amountMinor, currency, status, externalId } = row
  const own = { line, side: 'account' as const, accountId, ownerId, date, amountMinor, currency }
  const others = othersOf(row).map((other) => ({ ...other, date }))
  return [
    {
      ...own,
      status,
      categoryId: ownCategoryOf(row, others),
      note: null,
      externalId,
      pair: row.pair,
      payeeRaw: row.linePayeeRaw,
    },
    ...others,
  ].toSorted((a, b) => a.line - b.line)
}

/** The category of a transfer, which both of its account lines have; no other transaction has one there. */
export const ownCategoryOf = (
  { headerKind }: Pick<LedgerRow, 'headerKind'>,
  others: Pick<OtherLine, 'side' | 'categoryId'>[],
): string | null =>
  headerKind === 'transfer'
    ? (others.find(({ side }) => side === 'account')?.categoryId ?? null)
    : null

/** The row that a finder will give for what is about to be stored: a POST answers before it can read. */
export function rowOf(
  header: Header,
  entries: Entry[],
  line: number,
  labels = NO_LABELS,
): LedgerRow {
  const {
    id: transactionId,
    ownerId: _owner,
    deletedAt: _deletedAt,
    matchedInto: _transferId,
    matchedPart: _part,
    searchText: _words,
    ...shared
  } = header
  const own = entries.find((entry) => entry.line === line)
  if (!own) {
    throw new Error(`rowOf: there is no line ${line}`)
  }
  return {
    ...shared,
    transactionId,
    kind: kindAt(line, shared.kind),
    headerKind: shared.kind,
    line,
    pair: own.pair,
    linePayeeRaw: own.payeeRaw,
    accountId: own.accountId,
    ownerId: own.ownerId,
    date: own.date,
    amountMinor: own.amountMinor,
    currency: own.currency,
    status: own.status,
    externalId: own.externalId,
    reviewed: Number(header.reviewed),
    private: Number(header.private),
    excludeFromReports: Number(header.excludeFromReports),
    others: JSON.stringify(entries.filter((entry) => entry !== own)),
    payees: JSON.stringify(labels.payees),
    tags: JSON.stringify(labels.tags),
  }
}
