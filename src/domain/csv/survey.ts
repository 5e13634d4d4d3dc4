import { type Reading, type Survey, type Surveyor, bankFileErrors } from '../bank-files/format.ts'
import { checkRows } from '../bank-files/items.ts'
import type { SourceAccount } from '../bank-files/source.ts'
import { withLine } from '../bank-files/surveys.ts'
import { conclude } from './conclusions.ts'
import { chooseDialect, namedDelimiter } from './dialect.ts'
import { evidenceCollector, type EvidenceCollector } from './evidence.ts'
import { isRowLike } from './layout.ts'
import { decideLayout, hasRequiredColumns, type Layout } from './layout-decision.ts'
import { readPreamble } from './preamble.ts'
import { accountIn, accountNamed, MAX_CSV_ACCOUNTS } from './reader.ts'
import { accountCell } from './roles.ts'
import { recordReader, type CsvRecord, type CsvDialect } from './records.ts'

/** The layout is decided on this much text, and on so many records of it. */
const HEAD_LENGTH = 65_536
const HEAD_RECORDS = 200
const SAMPLE_ROWS = 20
const MAX_EVIDENCE = 5

/** Looks at a whole file once: how it is written, and what it leaves open. */
export const csvSurveyor = (known: Partial<Reading>): Surveyor => new CsvSurveyor(known)

interface Divided {
  dialect: CsvDialect
  records: ReturnType<typeof recordReader>
}

class CsvSurveyor implements Surveyor {
  readonly #known: Partial<Reading>
  #head = ''
  /** Undefined until there is enough text to choose the delimiter. */
  #divided: Divided | undefined
  /** The first records are kept until there are enough of them to decide on the layout. */
  #first: CsvRecord[] = []
  #rows: RowsSurvey | undefined

  constructor(known: Partial<Reading>) {
    this.#known = known
  }

  push(text: string): void {
    if (this.#divided) {
      this.#see(this.#divided.records.push(text))
      return
    }
    this.#head += text
    if (this.#head.length >= HEAD_LENGTH) {
      this.#divide()
    }
  }

  end(): Survey {
    const { dialect, records } = this.#divided ?? this.#divide()
    this.#see(records.end())
    const rows = this.#rows ?? this.#settle()
    return rows.conclude(dialect)
  }

  #divide(): Divided {
    const { delimiter, quote, fits } = chooseDialect(this.#head, this.#known)
    if (fits === 0) {
      if (this.#head.trim() === '') {
        throw bankFileErrors.empty()
      }
      throw bankFileErrors.malformed({
        format: 'CSV',
        reason: 'no character divides its lines into fields',
      })
    }
    const dialect = { delimiter, quote }
    const records = recordReader(dialect)
    this.#divided = { dialect, records }
    this.#see(records.push(this.#head))
    return this.#divided
  }

  #see(records: readonly CsvRecord[]): void {
    for (const record of records) {
      if (this.#rows) {
        this.#rows.look(record)
        continue
      }
      this.#first.push(record)
      if (this.#first.length === HEAD_RECORDS) {
        this.#settle()
      }
    }
  }

  #settle(): RowsSurvey {
    const first = this.#first
    const layout = decideLayout(first, this.#known, namedDelimiter(this.#head) !== undefined)
    const rows = new RowsSurvey(layout, this.#known)
    this.#rows = rows
    this.#first = []
    for (const record of first) {
      rows.look(record)
    }
    return rows
  }
}

/** Looks at the rows of a file whose layout is decided. */
class RowsSurvey {
  readonly #layout: Layout
  readonly #known: Partial<Reading>
  readonly #evidence: EvidenceCollector
  readonly #accounts = new Map<string, SourceAccount>()
  /** The currencies of the rows of each account. */
  readonly #currencies = new Map<string, Set<string>>()
  /** The first line of each account. */
  readonly #lines = new Map<string, number>()
  readonly #sample: string[][] = []
  /** The first rows. */
  readonly #opening: CsvRecord[] = []
  #preamble: CsvRecord[] = []
  #section: SourceAccount
  #count = 0

  constructor(layout: Layout, known: Partial<Reading>) {
    this.#layout = layout
    this.#known = known
    this.#evidence = evidenceCollector(layout.suggested ?? layout.columns, known, layout.headings)
    this.#section = accountIn(layout.facts)
    if (layout.columns.account === undefined && !layout.profile?.accountsOf) {
      this.#remember(this.#section)
    }
  }

  look(record: CsvRecord): void {
    const { headerLine, skipLines, columns, suggested } = this.#layout
    const { line, cells } = record
    if (line <= headerLine || line <= skipLines) {
      return
    }
    if (this.#isHeading(cells)) {
      this.#beginSection()
      return
    }
    if (cells.every((cell) => cell === '')) {
      return
    }
    const read = suggested ?? columns
    if (hasRequiredColumns(read) && !isRowLike(read, cells)) {
      // Records between two sections belong to the one below.
      this.#preamble.push(...(this.#preamble.length < HEAD_RECORDS ? [record] : []))
      return
    }
    this.#preamble = []
    this.#add(record)
  }

  conclude(dialect: CsvDialect): Survey {
    const layout = this.#layout
    const evidence = this.#evidence
    const conclusion = conclude({
      ...{ known: this.#known, dialect, layout, evidence, opening: this.#opening },
    })
    const currency = evidence.currency()
    const type = layout.profile?.isOfCard ? 'creditCard' : layout.facts.type
    const named = { ...(currency && { currency }), ...(type && { type }) }
    return {
      ...conclusion,
      accounts: [...this.#accounts.values()].map((one) =>
        withLine({ ...named, ...this.#currencyOf(one.key), ...one }, this.#lines.get(one.key)),
      ),
      shape: layout.shape,
      unread: layout.unread,
      missing: layout.missing,
      sample: this.#sample,
    }
  }

  #isHeading(cells: readonly string[]): boolean {
    const { headerLine, headings } = this.#layout
    return headerLine > 0 && cells[0] === headings[0] && cells.join('\0') === headings.join('\0')
  }

  #beginSection(): void {
    this.#evidence.section()
    this.#section = accountIn(readPreamble(this.#preamble))
    if (this.#layout.columns.account === undefined) {
      this.#remember(this.#section)
    }
    this.#preamble = []
  }

  #add(record: CsvRecord): void {
    this.#count += 1
    checkRows(this.#count)
    if (this.#sample.length < SAMPLE_ROWS) {
      this.#sample.push(record.cells)
    }
    if (this.#opening.length < MAX_EVIDENCE) {
      this.#opening.push(record)
    }
    this.#lookAtAccount(record, this.#evidence.add(record))
  }

  #lookAtAccount({ line, cells }: CsvRecord, currency: string | undefined): void {
    const { profile, headings, columns } = this.#layout
    if (profile?.accountsOf) {
      const cellOf = (heading: string) => cells[headings.indexOf(heading)] ?? ''
      const names = profile.accountsOf(cellOf)
      // The currency of a row with two accounts may be that of either.
      const rowCurrencies = profile.currenciesOf?.(cellOf)
      const currencies = names.length === 1 ? [currency ?? rowCurrencies?.[0]] : rowCurrencies
      for (const [at, name] of names.entries()) {
        this.#remember(accountNamed(name))
        this.#seenAt(name, line, currencies?.[at])
      }
      return
    }
    const cell = accountCell(cells, columns)
    this.#seenAt(cell || this.#section.key, line, currency)
    if (cell === '') {
      // The reader gives such a row to the account of its section.
      this.#remember(this.#section)
    } else if (cell !== undefined && !this.#accounts.has(cell)) {
      this.#remember(accountNamed(cell))
    }
  }

  #seenAt(key: string, line: number, currency: string | null = ''): void {
    if (!this.#lines.has(key)) {
      this.#lines.set(key, line)
    }
    if (currency !== null) {
      this.#currencies.set(key, (this.#currencies.get(key) ?? new Set()).add(currency))
    }
  }

  /** The currency that all rows of an account name. */
  #currencyOf(key: string): { currency?: string } {
    const [currency = '', ...others] = this.#currencies.get(key) ?? []
    return currency === '' || others.length > 0 ? {} : { currency }
  }

  #remember(account: SourceAccount): void {
    const before = this.#accounts.get(account.key)
    this.#accounts.set(account.key, { ...account, ...before })
    if (this.#accounts.size > MAX_CSV_ACCOUNTS) {
      throw bankFileErrors.tooManyAccounts({ limit: MAX_CSV_ACCOUNTS })
    }
  }
}
