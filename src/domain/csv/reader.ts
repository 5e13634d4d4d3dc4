import { findCurrency } from '../currency.ts'
import { cleanAmount, decimalUnder } from '../bank-files/amounts.ts'
import { dateReader } from '../bank-files/dates.ts'
import type { DecimalText } from '../bank-files/decimals.ts'
import { type Reading, type SourceReader, bankFileErrors } from '../bank-files/format.ts'
import { checkRows } from '../bank-files/items.ts'
import type { SourceAccount, SourceItem, SourceRow, SourceStatement } from '../bank-files/source.ts'
import { itemRows } from './item-rows.ts'
import { columnsOutsideIdentity } from './layout.ts'
import { readPreamble, type Preamble } from './preamble.ts'
import type { BuiltInProfile, RowCombiner } from './profiles/profile.ts'
import { profileNamed } from './profiles/profiles.ts'
import { MAX_FIELD_LENGTH, MAX_FIELDS, recordReader, type CsvRecord } from './records.ts'
import { rowMapper } from './rows.ts'
import { statementKeeper } from './statements.ts'

export const MAX_CSV_ACCOUNTS = 100
/** So many lines above a heading are looked through. */
const MAX_PREAMBLE = 200

/** The ignored rows that a following record cannot continue. */
const leftOut: ReadonlySet<SourceRow['ignored']> = new Set(['empty', 'information'])

const isEmpty = ({ cells }: CsvRecord) => cells.every((cell) => cell === '')

/** The account that the lines above a heading name. */
export function accountIn(facts: Preamble): SourceAccount {
  const { iban, number, name, currency, type } = facts
  return {
    key: iban ?? number ?? name ?? '',
    ...(iban !== undefined && { iban }),
    ...(number !== undefined && { number }),
    ...(name !== undefined && { name }),
    ...(currency !== undefined && { currency }),
    ...(type !== undefined && { type }),
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
  return /^[\d\s*Xx.-]+$/.test(cell) && /\d/.test(cell)
    ? { key: cell, number: cell }
    : { key: cell, name: cell }
}

/** Reads the rows of a file whose survey left nothing open. */
export const csvReader = (reading: Reading): SourceReader => new CsvReader(reading)

class CsvReader implements SourceReader {
  readonly #reading: Reading
  readonly #headerLine: number
  readonly #records: ReturnType<typeof recordReader>
  readonly #profile: BuiltInProfile | undefined
  readonly #combiner: RowCombiner | undefined
  readonly #dateOf: ReturnType<typeof dateReader>
  readonly #statements = statementKeeper()
  /** The keys of the accounts that were said. */
  readonly #accounts = new Set<string>()
  #headings: string[] = []
  /** Undefined above the first heading. */
  #mapper: Mapper | undefined
  /** The lines above a heading. */
  #preamble: CsvRecord[] = []
  #facts: Preamble = {}
  #section: SourceAccount = { key: '' }
  /** The last row, which the next record may continue. */
  #held: SourceRow | undefined
  #rows = 0
  #endsWithLine = true
  #items: SourceItem[] = []

  constructor(reading: Reading) {
    const { delimiter = ',', quote = '"', headerLine = 1, dateOrder = 'YMD' } = reading
    this.#reading = reading
    this.#headerLine = headerLine
    this.#records = recordReader({ delimiter, quote })
    this.#profile = profileNamed(reading.builtIn)
    this.#combiner = this.#profile ? this.#profile.combine?.(reading) : itemRows(reading)
    this.#dateOf = dateReader(dateOrder, { year: reading.year, month: reading.month })
    this.#mapper = headerLine === 0 ? this.#mapperFor(MAX_FIELDS) : undefined
  }

  push(text: string): SourceItem[] {
    if (text !== '') {
      this.#endsWithLine = /[\r\n]$/.test(text)
    }
    for (const record of this.#records.push(text)) {
      this.#take(record)
    }
    return this.#sent()
  }

  end(): SourceItem[] {
    for (const record of this.#records.end()) {
      this.#take(record)
    }
    this.#checkLast()
    this.#endSection()
    return this.#sent()
  }

  #take(record: CsvRecord): void {
    if (this.#headerLine > 0 && this.#isHeading(record)) {
      this.#beginSection(record.cells)
      return
    }
    const mapper = this.#mapper
    if (!mapper || record.line <= (this.#reading.skipLines ?? 0)) {
      this.#remember(record)
      return
    }
    const text = isEmpty(record) ? undefined : mapper.continuation(record.cells)
    const held = this.#held
    if (text !== undefined && held && !leftOut.has(held.ignored) && !mapper.isRow(record.cells)) {
      goOn(held, text)
      return
    }
    this.#takeRow(record, mapper)
  }

  #takeRow(record: CsvRecord, mapper: Mapper): void {
    this.#rows += 1
    checkRows(this.#rows)
    if (isEmpty(record)) {
      this.#leaveOut(record, 'empty', mapper)
    } else if (!mapper.isRow(record.cells) && record.error === undefined) {
      this.#remember(record)
      this.#leaveOut(record, 'information', mapper)
    } else {
      this.#release()
      this.#preamble = []
      this.#held = mapper.map(record, mapper.accountOf(record.cells) || this.#section.key)
    }
  }

  /** A line below the heading that is no row: it belongs to none, and is counted. */
  #leaveOut(record: CsvRecord, ignored: 'empty' | 'information', mapper: Mapper): void {
    this.#release()
    this.#held = { ...mapper.map(record, this.#section.key), ignored, errors: [] }
  }

  #remember(record: CsvRecord): void {
    if (this.#preamble.length < MAX_PREAMBLE) {
      this.#preamble.push(record)
    }
  }

  #isHeading({ line, cells }: CsvRecord): boolean {
    const headings = this.#headings
    return (
      line === this.#headerLine ||
      (line > this.#headerLine &&
        cells[0] === headings[0] &&
        cells.join('\0') === headings.join('\0'))
    )
  }

  #beginSection(heading: readonly string[]): void {
    this.#endSection()
    this.#facts = readPreamble(this.#preamble)
    this.#section = accountIn(this.#facts)
    this.#preamble = []
    this.#headings = [...heading]
    this.#mapper = this.#mapperFor(heading.length)
  }

  #mapperFor(width: number): Mapper {
    const headings = this.#headings
    const outsideIdentity = this.#reading.outsideIdentity ?? columnsOutsideIdentity(headings, [])
    return rowMapper({ ...this.#reading, outsideIdentity }, headings, width)
  }

  #endSection(): void {
    this.#release()
    for (const row of this.#combiner?.end() ?? []) {
      this.#send(row)
    }
    this.#items.push(...this.#statements.end())
  }

  /** A file that breaks off within its last row says so. */
  #checkLast(): void {
    const held = this.#held
    const cut = held?.errors.find(({ code }) =>
      ['tooFewFields', 'amountMissing', 'lastRecordCut'].includes(code),
    )
    if (held && cut && !this.#endsWithLine) {
      const { line, warnings } = held
      held.warnings = [...new Set([...warnings, 'lastRecordCut' as const])]
      this.#items.push({ is: 'warning', warning: { code: 'lastRecordCut', line } })
    }
  }

  /** Sends the last row, which nothing continues any more. */
  #release(): void {
    const held = this.#held
    if (held) {
      this.#held = undefined
      for (const row of this.#combiner ? this.#combiner.add(held) : [held]) {
        this.#send(row)
      }
    }
  }

  #send(row: SourceRow): void {
    const section = this.#section
    this.#introduce(row.account === section.key ? section : accountNamed(row.account))
    // A register without balances tells the first one as a row.
    if (
      row.ignored === 'opening' &&
      row.amount !== undefined &&
      !this.#statements.has(row.account)
    ) {
      this.#items.push(this.#statements.begin(row.account, { opening: row.amount }))
    }
    this.#statements.add(row)
    this.#items.push({ is: 'row', row })
  }

  /** Says an account, and begins its statement, before its first row. */
  #introduce(account: SourceAccount): void {
    if (!this.#accounts.has(account.key)) {
      this.#accounts.add(account.key)
      if (this.#accounts.size > MAX_CSV_ACCOUNTS) {
        throw bankFileErrors.tooManyAccounts({ limit: MAX_CSV_ACCOUNTS })
      }
      this.#items.push({ is: 'account', account })
    }
    if (this.#statements.has(account.key)) {
      return
    }
    const known = this.#statementFacts()
    const { from, opening, closing } = known
    const isStatement = this.#reading.columns?.balance !== undefined || (from ?? opening ?? closing)
    if (isStatement || known.opening !== undefined) {
      this.#items.push(this.#statements.begin(account.key, known))
    }
  }

  #statementFacts(): Partial<SourceStatement> {
    const facts = this.#facts
    const values = {
      from: facts.from && this.#dateOf(facts.from)?.date,
      through: facts.through && this.#dateOf(facts.through)?.date,
      opening: this.#amountOf(facts.opening) ?? this.#profile?.opening,
      closing: this.#amountOf(facts.closing),
      currency: facts.currency ?? this.#reading.currency,
    }
    return Object.fromEntries(Object.entries(values).filter(([, value]) => value))
  }

  #amountOf(text: string | undefined): DecimalText | undefined {
    const clean = text === undefined ? undefined : cleanAmount(text)
    const found = clean && decimalUnder(clean, this.#reading.decimal ?? '.')
    return found && 'amount' in found ? found.amount : undefined
  }

  #sent(): SourceItem[] {
    const items = this.#items
    this.#items = []
    return items
  }
}

type Mapper = ReturnType<typeof rowMapper>

/** Appends the text of a line to the row above, as far as a field may go. */
function goOn(row: SourceRow, text: string): void {
  const { description, warnings } = row
  const whole = description === undefined ? text : `${description} ${text}`
  if (whole.length > MAX_FIELD_LENGTH) {
    row.warnings = [...new Set([...warnings, 'textCut' as const])]
    return
  }
  row.description = whole
  row.text = `${row.text} ${text}`
}
