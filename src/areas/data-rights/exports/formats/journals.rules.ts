import { formatMoney } from '../../../../domain/money.ts'
import { minorDigits } from '../../../../domain/currency.ts'
import { csvLine, guardCell } from '../../../../domain/csv/writing.ts'
import {
  type ExportedRow,
  tagNames,
  NUMBER_COLUMNS,
  TABLE_COLUMNS,
  type TableLine,
} from '../../../money/transaction-views/transaction-views.public.ts'
import {
  type JournalPlace,
  type JournalPosting,
  postingsOf,
  type Book,
  inOneLine,
  partyOf,
  type StatedBalance,
} from './postings.rules.ts'

/** The program that reads the journal. */
export type JournalDialect = 'hledger' | 'ledger'

/** Names of a journal by what they stand for. */
export type PlaceNames = (place: JournalPlace) => string

export interface Declared {
  /** The id of the account or category; null for names that every journal has. */
  id: string | null
  name: string
  /** The name that the user gave it. */
  original: string
}

export interface NamingRules {
  /** Makes a part of a name. */
  part: (name: string) => string
  /** Returns the suffix of the second of two equal names, and those after it. */
  suffix: (count: number) => string
}

const FIXED = [
  ['opening', 'Equity:Opening'],
  ['adjustment', 'Equity:Adjustments'],
  ['transfers', 'Equity:Transfers'],
  ['expense', 'Expenses:Uncategorised'],
  ['income', 'Income:Uncategorised'],
] as const

/** Gives each account and category a name of its own; of names that meet the later one, by its id, gets a number. */
export function declaredPlaces(
  { accounts, inScope, categories }: Book,
  { part, suffix }: NamingRules,
): Declared[] {
  const taken = new Set<string>(FIXED.map(([, name]) => name))
  const declare = (id: string, parts: string[], original: string): Declared => {
    const wanted = parts.join(':')
    let name = wanted
    for (let count = 2; taken.has(name); count++) {
      name = `${wanted}${suffix(count)}`
    }
    taken.add(name)
    return { id, name, original }
  }
  const own = [...accounts.values()].filter(({ id }) => inScope.has(id))
  return [
    ...FIXED.map(([, name]) => ({ id: null, name, original: name })),
    ...own
      .toSorted(byId)
      .map(({ id, name, class: side }) =>
        declare(id, [side === 'asset' ? 'Assets' : 'Liabilities', part(name)], name),
      ),
    ...[...categories.values()]
      .toSorted(byId)
      .map(({ id, path, kind }) =>
        declare(
          id,
          [kind === 'expense' ? 'Expenses' : 'Income', ...path.map(part)],
          path.at(-1) ?? '',
        ),
      ),
  ]
}

const byId = (one: { id: string }, other: { id: string }): number => (one.id < other.id ? -1 : 1)

export function placeNames(declared: Declared[]): PlaceNames {
  const names = new Map(declared.map(({ id, name }) => [id, name]))
  const fixed = new Map<string, string>(FIXED)
  return (place) => {
    if (place.of === 'account') {
      return names.get(place.id) ?? ''
    }
    return place.of === 'category'
      ? ((place.id === null ? undefined : names.get(place.id)) ?? fixed.get(place.side) ?? '')
      : (fixed.get(place.of) ?? '')
  }
}

/** A part of the name of an account, in which a colon, a comment and two spaces would end it. */
export const journalPart = (name: string): string =>
  inOneLine(name)
    .replaceAll(':', '\u2236')
    .replaceAll(';', '\uff1b')
    .replace(/^[([*!"]/, '_$&')

export const JOURNAL_NAMING: NamingRules = { part: journalPart, suffix: (count) => ` ${count}` }

const amountOf = (minor: number, currency: string): string =>
  `${currency} ${formatMoney(minor, currency)}`

/** The beginning of a journal, in short pieces, some of them empty: there may be very many tags. */
export function* journalHead(
  book: Book,
  declared: Declared[],
  dialect: JournalDialect,
): Generator<string> {
  const currencies = [...new Set([...book.accounts.values()].map(({ currency }) => currency))]
  yield `; scope: ${inOneLine(book.scope)}\n\n`
  yield* currencies.toSorted().map((currency) => commodity(currency, dialect))
  yield '\n'
  const tags = new Set<string>()
  for (const name of book.tags.values()) {
    tags.add(tagWord(name))
    yield ''
  }
  for (const tag of ['id', ...[...tags].toSorted()]) {
    yield `tag ${tag}\n`
  }
  yield '\n'
  for (const one of declared) {
    yield accountDirective(one, dialect)
  }
  yield '\n'
}

/** hledger wants a decimal mark where there are no decimals, too. */
function commodity(currency: string, dialect: JournalDialect): string {
  const digits = minorDigits(currency)
  const sample = `${currency} 1000${digits > 0 || dialect === 'hledger' ? '.' : ''}${'0'.repeat(digits)}`
  return dialect === 'hledger'
    ? `commodity ${sample}\n`
    : `commodity ${currency}\n    format ${sample}\n`
}

function accountDirective({ id, name, original }: Declared, dialect: JournalDialect): string {
  if (id === null) {
    return `account ${name}\n`
  }
  // A comment gives the original name, if it had to be changed.
  const isSame = name.endsWith(`:${original}`)
  const remark = `id:${id}${isSame ? '' : `, name:${JSON.stringify(original)}`}`
  return dialect === 'hledger'
    ? `account ${name}  ; ${remark}\n`
    : `account ${name}\n    note ${remark}\n`
}

/** A tag as a word of a journal. */
const tagWord = (name: string): string => inOneLine(name).replaceAll(/[\s:,;]/g, '-')

const MARKS = { pending: '! ', cleared: '* ', reconciled: '* ', uncleared: '', void: '' } as const

/** A transaction with all that is exported of it. */
export function journalEntry(
  shown: ExportedRow,
  book: Book,
  names: PlaceNames,
  dialect: JournalDialect,
): string {
  const { row, view } = shown
  const postings = postingsOf(row, book)
  const own = postings.filter(({ place }) => place.of === 'account')
  const marks = new Set(own.map(({ status }) => MARKS[status]))
  const [mark = ''] = marks.size === 1 ? marks : []
  const tags = tagNames(book, view.tagIds).map(tagWord)
  const code =
    view.externalId === null ? '' : `(${inOneLine(view.externalId).replaceAll(/[()]/g, '_')}) `
  const title = titleOf(shown, book, dialect, mark + code === '')
  const lines = [
    dialect === 'hledger'
      ? `${row.date} ${mark}${code}${title}  ; ${[`id:${row.transactionId}`, ...tags.map((tag) => `${tag}:`)].join(', ')}`
      : `${row.date} ${mark}${code}${title}`,
    ...(dialect === 'ledger'
      ? [
          `    ; id: ${row.transactionId}`,
          ...(tags.length > 0 ? [`    ; :${tags.join(':')}:`] : []),
        ]
      : []),
    ...postings.map((posting) => postingLine(posting, names, marks.size > 1)),
  ]
  const isVoid = own.length > 0 && own.every(({ status }) => status === 'void')
  return `${lines.map((line) => (isVoid ? `; void: ${line}\n` : `${line}\n`)).join('')}\n`
}

/** @param isFirst whether nothing stands before it that keeps its first letter from being a mark or a code */
function titleOf(
  shown: ExportedRow,
  book: Book,
  dialect: JournalDialect,
  isFirst: boolean,
): string {
  const plain = (text: string) =>
    inOneLine(text).replaceAll(';', '\uff1b').replaceAll('|', '\u2223')
  const [payee, description] = [plain(partyOf(book, shown)), plain(shown.view.description)]
  const parts = [payee, description].filter((text) => text !== '')
  const title = parts.join(dialect === 'hledger' ? ' | ' : ' - ') || shown.view.kind
  return isFirst ? title.replace(/^[(*!=]/, '_$&') : title
}

function postingLine(
  { place, minor, currency, status, cost }: JournalPosting,
  names: PlaceNames,
  isMarked: boolean,
): string {
  const mark = isMarked && place.of === 'account' ? MARKS[status] : ''
  const total = cost ? ` @@ ${amountOf(cost.minor, cost.currency)}` : ''
  return `    ${mark}${names(place)}  ${amountOf(minor, currency)}${total}`
}

/** A balance assertion, to stand behind all of the last day that counts. */
export function journalAssertion(
  { id, accountId, date, amountMinor, toleranceMinor, currency }: StatedBalance,
  names: PlaceNames,
  dialect: JournalDialect,
): string {
  const name = names({ of: 'account', id: accountId })
  const amount = amountOf(amountMinor, currency)
  if (toleranceMinor > 0) {
    return `; ${date} ${name}  ${amount}, within ${amountOf(toleranceMinor, currency)}\n\n`
  }
  const head = dialect === 'hledger' ? `assertion  ; id:${id}\n` : `assertion\n    ; id: ${id}\n`
  return `${date} ${head}    ${name}  ${amountOf(0, currency)} = ${amount}\n\n`
}

export interface Price {
  date: string
  from: string
  to: string
  rate: string
}

export const journalPrice = ({ date, from, to, rate }: Price): string =>
  `P ${date} ${from} ${to} ${rate}\n`

/** The formats of numbers and dates of a language. */
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
  `\ufeff${separator === ';' ? 'sep=;\r\n' : ''}${csvLine(TABLE_COLUMNS, separator)}`

/** @param keepDigits whether ids of digits are formulas, so that no program takes them for numbers */
export const excelOf = (line: TableLine, style: ExcelStyle, keepDigits: boolean): string =>
  csvLine(
    TABLE_COLUMNS.map((column) => {
      const value = line[column] ?? ''
      if (NUMBER_COLUMNS.has(column)) {
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
