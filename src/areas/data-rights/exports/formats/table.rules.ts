import { csvLine, guardCell, joinPath, joinTags } from '../../../../domain/csv/writing.ts'
import { splitIdOf } from '../../../../domain/ledger-ids.ts'
import { sum, formatMoney, negate } from '../../../../domain/money.ts'
import { type OtherLine, othersOf } from '../../../../ledger/ledger.public.ts'
import { accountName, type Book, nameIn, pathOf, type Shown, tagNames } from './book.rules.ts'

export const COLUMNS = [
  ...(['id', 'kind', 'date', 'time', 'account', 'accountId', 'currency', 'amount'] as const),
  ...(['description', 'payee', 'payeeRaw', 'category', 'tags', 'status', 'reviewed'] as const),
  ...(['note', 'transferId', 'counterAccount', 'originalAmount', 'originalCurrency'] as const),
  ...(['rate', 'partOf', 'partAmount', 'externalId', 'importId'] as const),
] as const

type Column = (typeof COLUMNS)[number]

/** A line of the table; columns that are left out are empty. */
export type TableLine = Partial<Record<Column, string>>

const NUMBERS: ReadonlySet<Column> = new Set(['amount', 'originalAmount', 'rate', 'partAmount'])

/** The lines of a transaction as one account sees it: its own, and one for each part or fee. */
export function tableLines(shown: Shown, book: Book): TableLine[] {
  const { row, view } = shown
  const parts = partsOf(shown, book)
  const isVoid = view.status === 'void'
  return [
    {
      ...placeOf(shown, book),
      id: view.id,
      kind: view.kind,
      time: view.time ?? '',
      // So that the sum of the column is the balance; the parts say what it would be.
      amount: isVoid ? formatMoney(0, row.currency) : view.signedAmount,
      description: view.description,
      payee: nameIn(book.payees, view.payeeId),
      payeeRaw: view.payeeRaw ?? '',
      category: joinPath(pathOf(book, view.categoryId)),
      tags: joinTags(tagNames(book, view.tagIds)),
      reviewed: String(view.reviewed),
      note: view.note ?? '',
      transferId: view.transferId ?? view.splitId ?? '',
      counterAccount: accountName(book, view.counterAccountId),
      originalAmount: view.originalAmount ?? '',
      originalCurrency: view.originalCurrency ?? '',
      rate: view.rate ?? '',
      externalId: view.externalId ?? '',
    },
    ...parts,
    ...(isVoid ? restOf(shown, book, parts) : []),
  ]
}

const placeOf = ({ row, view }: Shown, book: Book): TableLine => ({
  date: view.date,
  account: accountName(book, view.accountId),
  accountId: view.accountId,
  currency: row.currency,
  status: view.status,
})

/** The parts of a split, or the fees of a transfer, as the account sees them. */
export function partLines({ row, view }: Shown): OtherLine[] {
  const others = othersOf(row).filter(
    ({ side, pair, accountId }) =>
      side !== 'account' && pair === null && accountId === row.accountId,
  )
  if (view.kind === 'transfer') {
    return row.pair === null ? others.filter(({ side }) => side === 'expense') : []
  }
  return others.length > 1 ? others : []
}

function partsOf(shown: Shown, book: Book): TableLine[] {
  const { row, view } = shown
  return partLines(shown).map((line) => {
    const id = splitIdOf(row.transactionId, line.line)
    const part = view.splits.find((one) => one.id === id)
    return {
      ...placeOf(shown, book),
      id,
      kind: view.kind === 'transfer' ? 'fee' : 'part',
      payee: nameIn(book.payees, part?.payeeId ?? null),
      category: joinPath(pathOf(book, line.categoryId)),
      tags: joinTags(tagNames(book, part?.tagIds ?? [])),
      note: line.note ?? '',
      transferId: part?.transfer ? id : '',
      counterAccount: accountName(book, part?.transfer?.accountId ?? null),
      partOf: view.id,
      partAmount: formatMoney(negate(line.amountMinor), row.currency),
    }
  })
}

/** The amount of a void transaction, as far as no part says it. */
function restOf(shown: Shown, book: Book, parts: TableLine[]): TableLine[] {
  const { row, view } = shown
  if (parts.length > 0 && view.kind !== 'transfer') {
    return []
  }
  const minor = sum([row.amountMinor, ...partLines(shown).map(({ amountMinor }) => amountMinor)])
  return [
    {
      ...placeOf(shown, book),
      kind: 'part',
      partOf: view.id,
      partAmount: formatMoney(minor, row.currency),
    },
  ]
}

export const csvHeader = csvLine(COLUMNS)

export const csvOf = (line: TableLine): string =>
  csvLine(
    COLUMNS.map((column) => {
      const value = line[column] ?? ''
      return NUMBERS.has(column) ? value : guardCell(value)
    }),
  )

/** How a language writes numbers and dates. */
interface ExcelStyle {
  separator: ',' | ';'
  decimalMark: '.' | ','
  dateOrder: ('year' | 'month' | 'day')[]
  dateMark: string
}

const SAMPLE_DAY = Date.UTC(2026, 10, 23)

/** @param locale a BCP 47 language tag */
export function excelStyle(locale: string): ExcelStyle {
  const numbers = new Intl.NumberFormat(locale, { numberingSystem: 'latn' }).formatToParts(1.5)
  const isComma = numbers.some(({ type, value }) => type === 'decimal' && value === ',')
  const days = new Intl.DateTimeFormat(locale, {
    ...{ calendar: 'gregory', numberingSystem: 'latn', timeZone: 'UTC' },
    ...{ year: 'numeric', month: '2-digit', day: '2-digit' },
  }).formatToParts(SAMPLE_DAY)
  const marks = days.flatMap(({ type, value }) =>
    type === 'literal' ? (value.match(/[./-]/)?.[0] ?? []) : [],
  )
  return {
    separator: isComma ? ';' : ',',
    decimalMark: isComma ? ',' : '.',
    dateOrder: days.flatMap(({ type }) =>
      type === 'year' || type === 'month' || type === 'day' ? [type] : [],
    ),
    dateMark: marks[0] ?? '-',
  }
}

export const excelHeader = ({ separator }: ExcelStyle): string =>
  `\ufeff${separator === ';' ? 'sep=;\r\n' : ''}${csvLine(COLUMNS, separator)}`

/** @param keepDigits whether ids of digits are formulas, so that no program takes them for numbers */
export const excelOf = (line: TableLine, style: ExcelStyle, keepDigits: boolean): string =>
  csvLine(
    COLUMNS.map((column) => {
      const value = line[column] ?? ''
      if (NUMBERS.has(column)) {
        return value.replace('.', style.decimalMark)
      }
      if (column === 'date') {
        return dateIn(value, style)
      }
      return keepDigits && column === 'externalId' && /^\d+$/.test(value)
        ? `="${value}"`
        : guardCell(value)
    }),
    style.separator,
  )

function dateIn(date: string, { dateOrder, dateMark }: ExcelStyle): string {
  const [year = '', month = '', day = ''] = date.split('-')
  const parts = { year, month, day }
  return dateOrder.map((part) => parts[part]).join(dateMark)
}
