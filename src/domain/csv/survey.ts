import { fileErrors } from '../bank-files/errors.ts'
import type { Reading, Survey, Surveyor } from '../bank-files/format.ts'
import { checkRows } from '../bank-files/items.ts'
import type { SourceAccount } from '../bank-files/source.ts'
import { withLine } from '../bank-files/surveys.ts'
import { conclude } from './conclusions.ts'
import { chooseDialect, namedDelimiter } from './dialect.ts'
import { evidenceCollector, type EvidenceCollector } from './evidence.ts'
import { isRowLike, type Columns } from './layout.ts'
import { decideLayout, isComplete, type Layout } from './layout-decision.ts'
import { readPreamble } from './preamble.ts'
import { accountIn, accountNamed, MAX_ACCOUNTS } from './reader.ts'
import { recordReader, type CsvRecord, type Dialect } from './records.ts'

/** The layout is decided on this much text, and on so many records of it. */
const HEAD_LENGTH = 131_072
const HEAD_RECORDS = 200
const SAMPLE_ROWS = 20
const MAX_EVIDENCE = 5

/** Looks at a whole file once: how it is written, and what it leaves open. */
export function csvSurveyor(known: Partial<Reading>): Surveyor {
  let head = ''
  let first: CsvRecord[] = []
  let dialect: Dialect | undefined
  let records: ReturnType<typeof recordReader> | undefined
  let layout: Layout | undefined
  let evidence: EvidenceCollector | undefined
  const accounts = new Map<string, SourceAccount>()
  const lines = new Map<string, number>()
  const sample: string[][] = []
  const opening: CsvRecord[] = []
  let preamble: CsvRecord[] = []
  let section: SourceAccount = { key: '' }
  let rows = 0

  function begin() {
    const { delimiter, quote, fits } = chooseDialect(head, known)
    if (fits === 0) {
      if (head.trim() === '') {
        throw fileErrors.empty()
      }
      throw fileErrors.malformed({
        format: 'CSV',
        reason: 'no character divides its lines into fields',
      })
    }
    dialect = { delimiter, quote }
    records = recordReader(dialect)
    records.push(head).forEach(see)
  }

  function settle() {
    layout = decideLayout(first, known, namedDelimiter(head) !== undefined)
    evidence = evidenceCollector(layout.suggested ?? layout.columns, known, layout.headings)
    section = accountIn(layout.facts)
    if (layout.columns.account === undefined && !layout.profile?.accountsOf) {
      remember(section)
    }
    const early = first
    first = []
    early.forEach(look)
  }

  /** The first records are kept until there are enough of them to decide on the layout. */
  function see(record: CsvRecord) {
    if (layout) {
      look(record)
      return
    }
    first.push(record)
    if (first.length === HEAD_RECORDS) {
      settle()
    }
  }

  function remember(account: SourceAccount) {
    const before = accounts.get(account.key)
    accounts.set(account.key, { ...account, ...before })
    if (accounts.size > MAX_ACCOUNTS) {
      throw fileErrors.tooManyAccounts({ limit: MAX_ACCOUNTS })
    }
  }

  function look(record: CsvRecord) {
    const { headerLine, skipLines, headings, columns, suggested } = layout as Layout
    const { line, cells } = record
    if (line <= headerLine || line <= skipLines) {
      return
    }
    if (headerLine > 0 && cells[0] === headings[0] && cells.join('\0') === headings.join('\0')) {
      evidence?.section()
      section = accountIn(readPreamble(preamble))
      if (columns.account === undefined) {
        remember(section)
      }
      preamble = []
      return
    }
    if (cells.every((cell) => cell === '')) {
      return
    }
    const read = suggested ?? columns
    if (isComplete(read) && !isRowLike(read, cells)) {
      // What stands between two sections belongs to the one below.
      preamble.push(...(preamble.length < HEAD_RECORDS ? [record] : []))
      return
    }
    preamble = []
    rows += 1
    checkRows(rows)
    if (sample.length < SAMPLE_ROWS) {
      sample.push(cells)
    }
    if (opening.length < MAX_EVIDENCE) {
      opening.push(record)
    }
    lookAtAccount(record, columns)
    evidence?.add(record)
  }

  function seenAt(key: string, line: number) {
    if (!lines.has(key)) {
      lines.set(key, line)
    }
  }

  function lookAtAccount(record: CsvRecord, { account }: Columns) {
    const { profile, headings } = layout as Layout
    if (profile?.accountsOf) {
      const names = profile.accountsOf((heading) => record.cells[headings.indexOf(heading)] ?? '')
      for (const name of names) {
        remember(accountNamed(name))
        seenAt(name, record.line)
      }
      return
    }
    const cell = record.cells[account?.[0] ?? -1]
    seenAt(cell || section.key, record.line)
    if (cell === '') {
      // The reader gives such a row to the account of its section.
      remember(section)
    } else if (cell !== undefined && !accounts.has(cell)) {
      remember(accountNamed(cell))
    }
  }

  function end(): Survey {
    if (!records) {
      begin()
    }
    records?.end().forEach(see)
    if (!layout) {
      settle()
    }
    const settled = layout as Layout
    const conclusion = conclude({
      known,
      dialect: dialect as Dialect,
      layout: settled,
      evidence: evidence as EvidenceCollector,
      opening,
    })
    const currency = evidence?.currency()
    const named = currency === undefined ? {} : { currency }
    return {
      ...conclusion,
      accounts: [...accounts.values()].map((one) =>
        withLine({ ...named, ...one }, lines.get(one.key)),
      ),
      shape: settled.shape,
      unread: settled.unread,
      missing: settled.missing,
      sample,
    }
  }

  return {
    push(text) {
      if (records) {
        records.push(text).forEach(see)
        return
      }
      head += text
      if (head.length >= HEAD_LENGTH) {
        begin()
      }
    },
    end,
  }
}
