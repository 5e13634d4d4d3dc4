import { findCurrency } from '../currency.ts'
import { cleanAmount, decimalUnder } from '../bank-files/amounts.ts'
import { dateReader } from '../bank-files/dates.ts'
import { fileErrors } from '../bank-files/errors.ts'
import type { Reading, SourceReader } from '../bank-files/format.ts'
import { checkRows } from '../bank-files/items.ts'
import type { SourceAccount, SourceItem, SourceRow, SourceStatement } from '../bank-files/source.ts'
import { columnsOutsideIdentity } from './layout.ts'
import { readPreamble, type Preamble } from './preamble.ts'
import { profileNamed } from './profiles/profiles.ts'
import { MAX_FIELD_LENGTH, MAX_FIELDS, recordReader, type CsvRecord } from './records.ts'
import { rowMapper } from './rows.ts'
import { statementKeeper } from './statements.ts'

export const MAX_ACCOUNTS = 100
/** So many lines above a heading are looked through. */
const MAX_PREAMBLE = 200

/** The ignored rows that a following record cannot continue. */
const leftOut: ReadonlySet<SourceRow['ignored']> = new Set(['empty', 'information'])

const isEmpty = ({ cells }: CsvRecord) => cells.every((cell) => cell === '')

/** The account that the lines above a heading name. */
export function accountIn(facts: Preamble): SourceAccount {
  const { iban, number, name, currency } = facts
  return {
    key: iban ?? number ?? name ?? '',
    ...(iban !== undefined && { iban }),
    ...(number !== undefined && { number }),
    ...(name !== undefined && { name }),
    ...(currency !== undefined && { currency }),
  }
}

/** Payment services have a balance in each currency, and some several. */
const BALANCE_IN = /^(?:(?:Current|Savings|Deposit|Pocket) )?([A-Z]{3})$/

/** The account that a cell of a row names. */
export function accountNamed(cell: string): SourceAccount {
  const compact = cell.replace(/\s/g, '')
  if (/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(compact)) {
    return { key: cell, iban: compact }
  }
  const currency = findCurrency(BALANCE_IN.exec(cell)?.[1] ?? '')?.code
  if (currency !== undefined) {
    return { key: cell, name: cell, currency }
  }
  return /^[\d\s*Xx.-]*\d[\d\s*Xx.-]*$/.test(cell)
    ? { key: cell, number: cell }
    : { key: cell, name: cell }
}

/** Reads the rows of a file whose survey left nothing open. */
export function csvReader(given: Reading): SourceReader {
  const { delimiter = ',', quote = '"', headerLine = 1 } = given
  const records = recordReader({ delimiter, quote })
  const combiner = profileNamed(given.builtIn)?.combine?.()
  const statements = statementKeeper()
  const accounts = new Set<string>()
  const dateOf = dateReader(given.dateOrder ?? 'YMD', { year: given.year, month: given.month })
  let headings: string[] = []
  let mapper = headerLine === 0 ? mapperFor(MAX_FIELDS) : undefined
  let preamble: CsvRecord[] = []
  let facts: Preamble = {}
  let section: SourceAccount = { key: '' }
  let held: SourceRow | undefined
  let rows = 0
  let endsWithLine = true
  let out: SourceItem[] = []

  function mapperFor(width: number) {
    const outsideIdentity = given.outsideIdentity ?? columnsOutsideIdentity(headings, [])
    return rowMapper({ ...given, outsideIdentity }, headings, width)
  }

  const amountOf = (text: string | undefined) => {
    const clean = text === undefined ? undefined : cleanAmount(text)
    const found = clean && decimalUnder(clean, given.decimal ?? '.')
    return found && 'amount' in found ? found.amount : undefined
  }

  function statementFacts(): Partial<SourceStatement> {
    const values = {
      from: facts.from && dateOf(facts.from)?.date,
      through: facts.through && dateOf(facts.through)?.date,
      opening: amountOf(facts.opening),
      closing: amountOf(facts.closing),
      currency: facts.currency ?? given.currency,
    }
    return Object.fromEntries(Object.entries(values).filter(([, value]) => value))
  }

  /** Says an account, and begins its statement, before its first row. */
  function introduce(account: SourceAccount) {
    if (!accounts.has(account.key)) {
      accounts.add(account.key)
      if (accounts.size > MAX_ACCOUNTS) {
        throw fileErrors.tooManyAccounts({ limit: MAX_ACCOUNTS })
      }
      out.push({ is: 'account', account })
    }
    if (statements.has(account.key)) {
      return
    }
    const known = statementFacts()
    const { from, opening, closing } = known
    const isStatement = given.columns?.balance !== undefined || (from ?? opening ?? closing)
    if (isStatement) {
      out.push(statements.begin(account.key, known))
    }
  }

  function send(row: SourceRow) {
    introduce(row.account === section.key ? section : accountNamed(row.account))
    // A register without balances tells the first one as a row.
    if (row.ignored === 'opening' && row.amount !== undefined && !statements.has(row.account)) {
      out.push(statements.begin(row.account, { opening: row.amount }))
    }
    statements.add(row)
    out.push({ is: 'row', row })
  }

  function release() {
    if (held) {
      const ready = combiner ? combiner.add(held) : [held]
      held = undefined
      ready.forEach(send)
    }
  }

  function endSection() {
    release()
    combiner?.end().forEach(send)
    out.push(...statements.end())
  }

  function beginSection(heading: readonly string[]) {
    endSection()
    facts = readPreamble(preamble)
    section = accountIn(facts)
    preamble = []
    headings = [...heading]
    mapper = mapperFor(headings.length)
  }

  const isHeading = ({ line, cells }: CsvRecord) =>
    line === headerLine ||
    (line > headerLine && cells[0] === headings[0] && cells.join('\0') === headings.join('\0'))

  function remember(record: CsvRecord) {
    if (preamble.length < MAX_PREAMBLE) {
      preamble.push(record)
    }
  }

  /** Appends the text of a line to the row above, as far as a field may go. */
  function goOn(row: SourceRow, text: string) {
    const { description, warnings } = row
    const whole = description === undefined ? text : `${description} ${text}`
    if (whole.length > MAX_FIELD_LENGTH) {
      row.warnings = [...new Set([...warnings, 'textCut' as const])]
      return
    }
    row.description = whole
    row.text = `${row.text} ${text}`
  }

  /** A line below the heading that is no row: it belongs to none, and is counted. */
  function leaveOut(record: CsvRecord, ignored: 'empty' | 'information', map: typeof mapper) {
    release()
    const row = (map as NonNullable<typeof mapper>).map(record, section.key)
    held = { ...row, ignored, errors: [] }
  }

  function take(record: CsvRecord) {
    if (headerLine > 0 && isHeading(record)) {
      beginSection(record.cells)
      return
    }
    if (!mapper || record.line <= (given.skipLines ?? 0)) {
      remember(record)
      return
    }
    const text = isEmpty(record) ? undefined : mapper.continuation(record.cells)
    if (text !== undefined && held && !leftOut.has(held.ignored) && !mapper.isRow(record.cells)) {
      goOn(held, text)
      return
    }
    rows += 1
    checkRows(rows)
    if (isEmpty(record)) {
      leaveOut(record, 'empty', mapper)
    } else if (!mapper.isRow(record.cells) && record.error === undefined) {
      remember(record)
      leaveOut(record, 'information', mapper)
    } else {
      release()
      preamble = []
      held = mapper.map(record, mapper.accountOf(record.cells) || section.key)
    }
  }

  /** A file that breaks off within its last row says so. */
  function checkLast() {
    const cut = held?.errors.find(({ code }) =>
      ['tooFewFields', 'amountMissing', 'lastRecordCut'].includes(code),
    )
    if (held && cut && !endsWithLine) {
      const { line, warnings } = held
      held.warnings = [...new Set([...warnings, 'lastRecordCut' as const])]
      out.push({ is: 'warning', warning: { code: 'lastRecordCut', line } })
    }
  }

  function sent(): SourceItem[] {
    const items = out
    out = []
    return items
  }

  return {
    push(text) {
      if (text !== '') {
        endsWithLine = /[\r\n]$/.test(text)
      }
      records.push(text).forEach(take)
      return sent()
    },
    end() {
      records.end().forEach(take)
      checkLast()
      endSection()
      return sent()
    },
  }
}
