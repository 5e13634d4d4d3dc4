import { nearDay } from '../calendar.ts'
import { type Reading, bankFileErrors } from './format.ts'
import type {
  FileWarning,
  SourceAccount,
  SourceItem,
  SourceRow,
  SourceStatement,
} from './source.ts'

const MAX_ROWS = 200_000
export const MAX_STATEMENTS = 2_000
export const MAX_ACCOUNTS = 100
/** Characters of a text that a row keeps. */
export const MAX_FIELD = 10_000

/** Control characters other than tab and line ends, which no text may contain. */
// oxlint-disable-next-line no-control-regex -- they are what it looks for
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f]/

/** Refuses a file that has more rows than a file may have. */
export function checkRows(count: number): void {
  if (count > MAX_ROWS) {
    throw bankFileErrors.tooManyRows({ limit: MAX_ROWS })
  }
}

const FIRST_LIKELY_DATE = '1970-01-01'

/** The last day on which a row is likely, by the day of the upload: banks book ahead over weekends and holidays. */
export const lastLikelyDay = (today: string): string => nearDay(today, 7)

const SHOWN = ['payeeRaw', 'description', 'note'] as const

/** Takes what a reader finds, within the bounds of a file, until it is asked for. */
export class Items {
  readonly #zeroRows: Reading['zeroRows']
  readonly #latest: string | undefined
  readonly #accounts = new Set<string>()
  #statements = 0
  #rows = 0
  #items: SourceItem[] = []

  constructor({ zeroRows = 'ignore', today }: Pick<Reading, 'zeroRows' | 'today'> = {}) {
    this.#zeroRows = zeroRows
    this.#latest = today === undefined ? undefined : lastLikelyDay(today)
  }

  get rows(): number {
    return this.#rows
  }

  /** Each account is said once. */
  account(account: SourceAccount): void {
    if (this.#accounts.has(account.key)) {
      return
    }
    this.#accounts.add(account.key)
    if (this.#accounts.size > MAX_ACCOUNTS) {
      throw bankFileErrors.tooManyAccounts({ limit: MAX_ACCOUNTS })
    }
    this.#items.push({ is: 'account', account })
  }

  /** The index by which rows name the statement. */
  statement(statement: SourceStatement): number {
    this.#statements += 1
    if (this.#statements > MAX_STATEMENTS) {
      throw bankFileErrors.tooManyAccounts({ limit: MAX_STATEMENTS })
    }
    this.#items.push({ is: 'statement', statement: { ...statement } })
    return this.#statements - 1
  }

  endStatement(index: number, statement: SourceStatement): void {
    this.#items.push({ is: 'statementEnd', index, statement })
  }

  row(row: SourceRow): void {
    this.#rows += 1
    checkRows(this.#rows)
    // A row that reverses another one may have no amount of its own.
    const isZero = row.amount === '0' && row.correction?.action !== 'delete'
    if (isZero && row.ignored === undefined && this.#zeroRows === 'ignore') {
      row.ignored = 'zero'
    }
    if (row.date !== undefined && !this.#isLikely(row.date)) {
      warnOnce(row, 'dateUnlikely')
    }
    clean(row)
    this.#items.push({ is: 'row', row })
  }

  #isLikely(date: string): boolean {
    return date >= FIRST_LIKELY_DATE && (this.#latest === undefined || date <= this.#latest)
  }

  warn(warning: FileWarning): void {
    this.#items.push({ is: 'warning', warning })
  }

  take(): SourceItem[] {
    const items = this.#items
    this.#items = []
    return items
  }
}

/** Cuts what is too long, and marks characters that nobody can see; the text that identifies the row stays. */
function clean(row: SourceRow): void {
  for (const field of SHOWN) {
    const text = row[field]
    if (text !== undefined) {
      row[field] = cleanText(row, text)
    }
  }
  cleanAll(row, row.raw)
  cleanAll(row, row.metadata)
  for (const part of row.parts) {
    if (part.description !== undefined) {
      part.description = cleanText(row, part.description)
    }
  }
}

function cleanAll(row: SourceRow, texts: Record<string, string>): void {
  for (const name of Object.keys(texts)) {
    texts[name] = cleanText(row, texts[name] as string)
  }
}

function cleanText(row: SourceRow, written: string): string {
  let text = written
  if (!text.isWellFormed() || CONTROL.test(text)) {
    text = text.toWellFormed().replaceAll(new RegExp(CONTROL, 'g'), '\ufffd')
    warnOnce(row, 'badCharacters')
  }
  if (text.length > MAX_FIELD) {
    // Not within a character of two units.
    text = text
      .slice(0, MAX_FIELD)
      .toWellFormed()
      .replace(/\ufffd$/, '')
    warnOnce(row, 'textCut')
  }
  return text
}

function warnOnce(row: SourceRow, warning: SourceRow['warnings'][number]): void {
  if (!row.warnings.includes(warning)) {
    row.warnings.push(warning)
  }
}
