import { pauseRegularly } from '../../../platform/work/pauses.ts'
import { jsonLine } from '../../../domain/text.ts'
import { formatMoney } from '../../../domain/money.ts'
import { balanceUpTo } from '../../../ledger/search/search.public.ts'
import { fromWideSum } from '../../../platform/database/wide-sums.ts'
import { readOrStop } from '../../../platform/work/tasks.ts'
import { CONTENTS, type ExportFormat } from './exports.rules.ts'
import {
  BEANCOUNT_NAMING,
  beancountBalance,
  beancountEntry,
  beancountHead,
  beancountPrice,
  openDirective,
} from './formats/beancount.rules.ts'
import type { BookAccount, StatedBalance } from './formats/postings.rules.ts'
import {
  declaredPlaces,
  type JournalDialect,
  JOURNAL_NAMING,
  journalAssertion,
  journalEntry,
  journalHead,
  journalPrice,
  placeNames,
  type Price,
  excelHeader,
  excelOf,
  excelStyle,
} from './formats/journals.rules.ts'
import {
  OFX_END,
  OFX_SETS,
  ofxHead,
  ofxTransaction,
  type StatementEnd,
  statementEnd,
  statementHead,
} from './formats/ofx.rules.ts'
import { qifHead, qifRecord, qifSection } from './formats/qif.rules.ts'
import {
  tableHeader,
  tableLineAsCsv,
  tableLines,
} from '../../money/transaction-views/transaction-views.public.ts'
import {
  assertionsOf,
  counted,
  rowsOf,
  type Source,
  exportedLines,
  wholesOf,
} from './source.usecases.ts'

type Text = AsyncGenerator<string>

async function* csv(source: Source): Text {
  yield tableHeader
  for await (const shown of counted(source, exportedLines(source))) {
    yield tableLines(shown, source.book).map(tableLineAsCsv).join('')
  }
}

async function* csvExcel(source: Source): Text {
  const { locale, keepDigits = false } = source.wish.options
  const style = excelStyle(locale ?? source.owner.caller.profile?.locale ?? 'en')
  yield excelHeader(style)
  for await (const shown of counted(source, exportedLines(source))) {
    yield tableLines(shown, source.book)
      .map((line) => excelOf(line, style, keepDigits))
      .join('')
  }
}

const contentsOf = ({ wish }: Source) => CONTENTS.filter((one) => wish.scope.what.includes(one))

/** Names and currencies of the accounts, where rows name accounts that are not exported themselves. */
function accountsNamed({ wish, book, views }: Source): object[] {
  const { what } = wish.scope
  return what.includes('transactions') && !what.includes('accounts')
    ? views.flatMap(({ account: { id } }) => {
        const found = book.accounts.get(id)
        return found ? [{ id, name: found.name, currency: found.currency }] : []
      })
    : []
}

async function* json(source: Source): Text {
  yield '{"format":"coffer","version":1'
  const named = accountsNamed(source)
  if (named.length > 0) {
    yield `,"accounts":${JSON.stringify(named)}`
  }
  for (const name of contentsOf(source)) {
    yield `,"${name}":[`
    let separator = ''
    for await (const row of rowsOf(source, name)) {
      yield `${separator}${JSON.stringify(row)}`
      separator = ','
    }
    yield ']'
  }
  yield '}\n'
}

async function* ndjson(source: Source): Text {
  yield jsonLine({ type: 'header', format: 'coffer', version: 1 })
  for (const account of accountsNamed(source)) {
    yield jsonLine({ type: 'accounts', ...account })
  }
  for (const name of contentsOf(source)) {
    for await (const row of rowsOf(source, name)) {
      yield jsonLine(ofKind(name, row))
    }
  }
}

/** A row with the list that it is of as `type`. Accounts have a type of their own, which is `accountType` here. */
const ofKind = (name: string, row: object): object =>
  'type' in row ? { ...row, type: name, accountType: row.type } : { type: name, ...row }

/** The exchange rates, where they are requested. */
async function* pricesOf(source: Source): AsyncGenerator<Price> {
  if (source.wish.scope.what.includes('exchangeRates')) {
    for await (const row of rowsOf(source, 'exchangeRates')) {
      yield row as Price
    }
  }
}

const journal = (dialect: JournalDialect) =>
  async function* (source: Source): Text {
    const declared = declaredPlaces(source.book, JOURNAL_NAMING)
    const names = placeNames(declared)
    const assertion = (stated: StatedBalance) => journalAssertion(stated, names, dialect)
    const pause = pauseRegularly()
    for (const piece of journalHead(source.book, declared, dialect)) {
      yield piece
      await pause()
    }
    for await (const price of pricesOf(source)) {
      yield journalPrice(price)
    }
    if (source.wish.scope.what.includes('transactions')) {
      const stated = await assertionsOf(source)
      for await (const shown of wholesOf(source)) {
        yield before(stated, shown.row.date).map(assertion).join('')
        yield journalEntry(shown, source.book, names, dialect)
      }
      yield stated.map(assertion).join('')
    }
  }

/** Takes off what was stated of the days before a day. @param stated in the order of the days */
function before(stated: StatedBalance[], date: string): StatedBalance[] {
  const at = stated.findIndex(({ through }) => through >= date)
  return stated.splice(0, at < 0 ? stated.length : at)
}

async function* beancount(source: Source): Text {
  const { book, owner, wish } = source
  const declared = declaredPlaces(book, BEANCOUNT_NAMING)
  const names = placeNames(declared)
  const closed = new Map(declared.map((one) => [one.name, one]))
  yield beancountHead(book, owner.caller.profile?.baseCurrency ?? 'EUR')
  for await (const price of pricesOf(source)) {
    yield beancountPrice(price)
  }
  // They come in the order of days, so this is the first one.
  const opened = (name: string, date: string): string => {
    const place = closed.get(name)
    closed.delete(name)
    return place ? openDirective(place, date, book.accounts.get(place.id ?? '')?.currency) : ''
  }
  const balance = (stated: StatedBalance): string => {
    const { text, name, date } = beancountBalance(stated, names)
    return `${opened(name, date)}${text}`
  }
  if (wish.scope.what.includes('transactions')) {
    const stated = await assertionsOf(source)
    for await (const shown of wholesOf(source)) {
      yield before(stated, shown.row.date).map(balance).join('')
      const { text, used } = beancountEntry(shown, book, names)
      yield used.map((name) => opened(name, shown.row.date)).join('')
      yield text
    }
    yield stated.map(balance).join('')
  }
}

const inScope = ({ book }: Source): BookAccount[] =>
  [...book.accounts.values()].filter(({ id }) => book.inScope.has(id))

const qif = (accounts: BookAccount[]) =>
  async function* (source: Source): Text {
    yield qifHead(source.book, accounts)
    for (const account of accounts) {
      yield qifSection(account)
      for await (const shown of counted(source, exportedLines(source, account.id))) {
        yield qifRecord(shown, source.book)
      }
    }
  }

async function* ofx(source: Source): Text {
  const accounts = inScope(source)
  const ends = new Map<string, StatementEnd>()
  for (const { id, currency } of accounts) {
    ends.set(id, await endOf(source, id, currency))
  }
  yield ofxHead([...ends.values()].map(({ to }) => to).reduce(later, NEVER))
  for (const set of OFX_SETS) {
    const some = accounts.filter(set.isOf)
    yield some.length > 0 ? `<${set.name}>\n` : ''
    for (const account of some) {
      const end = ends.get(account.id) ?? { to: NEVER, balance: '0' }
      let head = (first: string) =>
        statementHead(set, account, { from: source.wish.scope.from ?? first, to: end.to })
      for await (const shown of counted(source, exportedLines(source, account.id))) {
        yield `${head(shown.row.date)}${ofxTransaction(shown, source.book)}`
        head = () => ''
      }
      yield head(end.to)
      yield statementEnd(set, end)
    }
    yield some.length > 0 ? `</${set.name}>\n` : ''
  }
  yield OFX_END
}

/** The day of what has no transactions. */
const NEVER = '1970-01-01'

const later = (one: string, other: string): string => (one > other ? one : other)

/** The last day that is selected, or that has a transaction, and the balance at its end. */
async function endOf(source: Source, accountId: string, currency: string): Promise<StatementEnd> {
  const view = source.views.find(({ account }) => account.id === accountId)
  const to = source.wish.scope.to ?? view?.balances.lastDate ?? NEVER
  const [[sums]] = await readOrStop(source.owner, balanceUpTo(accountId, to))
  return { to, balance: formatMoney(sums ? fromWideSum(sums.balance) : 0, currency) }
}

const WRITERS: Record<Exclude<ExportFormat, 'qif'>, (source: Source) => Text> = {
  csv,
  csvExcel,
  json,
  ndjson,
  ofx,
  hledger: journal('hledger'),
  ledger: journal('ledger'),
  beancount,
}

/** An export in a format that is one file. */
export const textOfExport = (source: Source, format: Exclude<ExportFormat, 'qif'>): Text =>
  WRITERS[format](source)

/** A file of an export, with its name where there are several. */
export interface Written {
  name: string
  text: (source: Source) => Text
}

/** The files that an export has: one, but for QIF one for each currency. */
export function filesOf(source: Source): Written[] {
  const { format } = source.wish
  if (format !== 'qif') {
    return [{ name: format, text: WRITERS[format] }]
  }
  const byCurrency = Map.groupBy(inScope(source), ({ currency }) => currency)
  const files = [...byCurrency]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([currency, accounts]) => ({ name: `${currency}.qif`, text: qif(accounts) }))
  return files.length > 0 ? files : [{ name: 'empty.qif', text: qif([]) }]
}
