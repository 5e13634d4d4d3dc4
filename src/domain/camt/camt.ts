import { BankIds } from '../bank-files/bank-ids.ts'
import {
  type FileFormat,
  type Reading,
  type SourceReader,
  bankFileErrors,
} from '../bank-files/format.ts'
import { checkRows, Items } from '../bank-files/items.ts'
import { surveyByReading } from '../bank-files/surveys.ts'
import { RepeatedEntries, type ReportedEntry } from '../bank-files/repeated-entries.ts'
import { type XmlElement, XmlTree } from '../xml.ts'
import { find, localName } from '../xml-paths.ts'
import { type XmlHandler, XmlReader } from '../xml-reader.ts'
import { type Detail, readDetail } from './details.ts'
import { rowsOfEntry } from './entries.ts'
import {
  newStatement,
  type OpenStatement,
  pageOf,
  readStatementPart,
  settleBalances,
} from './statements.ts'

/** Cash management messages of ISO 20022: statements (053), and reports and notifications (052, 054). */
export const camt: FileFormat = {
  key: 'camt',
  recognises: (head) => {
    if (/urn:iso:std:iso:20022:tech:xsd:camt\.05[234]/.test(head)) {
      return 1
    }
    return /<(?:\w+:)?BkToCstmr(?:Stmt|AcctRpt|DbtCdtNtfctn)\b/.test(head) ? 0.9 : 0
  },
  survey: (known) => {
    const repeatedEntries = new RepeatedEntries()
    const note = (entry: ReportedEntry) => {
      repeatedEntries.note(entry)
      return false
    }
    const surveyor = surveyByReading('camt', known, (reading, ids) => newReader(reading, ids, note))
    return {
      push: (text) => surveyor.push(text),
      end: () => ({ ...surveyor.end(), repeatedEntries }),
    }
  },
  read: (reading, { repeatedIds = [], repeatedEntries } = {}) =>
    newReader(reading, new BankIds(repeatedIds), repeatedEntries?.begin() ?? (() => false)),
}

const LIMITS = { maxDepth: 64, maxAttributes: 100, maxText: 10 * 1024, instruction: '*' }
const NEWEST_VERSION = 14
/** Elements of one entry, without those of its details, and of one detail. */
const MAX_ELEMENTS = 10_000
/** Details of one entry: all of them are compared with it at once. */
const MAX_DETAILS = 10_000

/** The elements that hold entries, and true for those whose content is interim. */
const STATEMENTS = new Map([
  ['Stmt', false],
  ['Rpt', true],
  ['Ntfctn', true],
])

const malformed = (reason: string) => bankFileErrors.malformed({ format: 'CAMT', reason })

type IsRepeated = (entry: ReportedEntry) => boolean

function newReader(reading: Reading, ids: BankIds, isRepeated: IsRepeated): SourceReader {
  const items = new Items(reading)
  const handler = new CamtHandler(items, reading, ids, isRepeated)
  const xml = new XmlReader(handler, {
    ...LIMITS,
    refuse: (reason, isCutShort) => (isCutShort ? bankFileErrors.truncated() : malformed(reason)),
  })
  return {
    push: (text) => {
      xml.push(text)
      return items.take()
    },
    end: () => {
      xml.end()
      if (!handler.hasStatement) {
        throw bankFileErrors.noStatements({ format: 'CAMT' })
      }
      return items.take()
    },
  }
}

class CamtHandler implements XmlHandler {
  readonly #items: Items
  readonly #reading: Reading
  readonly #ids: BankIds
  readonly #isRepeated: IsRepeated
  /** The element that is being read: a child of a statement, or the head of a message. */
  readonly #tree = new XmlTree()
  #elements = 0
  #detailCount = 0
  #details: Detail[] = []
  #open: OpenStatement | undefined
  #page: ReturnType<typeof pageOf>
  /** The last sequence number of each account. */
  readonly #sequences = new Map<string, string>()
  hasStatement = false

  constructor(items: Items, reading: Reading, ids: BankIds, isRepeated: IsRepeated) {
    this.#items = items
    this.#reading = reading
    this.#ids = ids
    this.#isRepeated = isRepeated
  }

  open(written: string, attributes: ReadonlyMap<string, string>): void {
    const name = localName(written)
    if (name === 'Document') {
      this.#checkVersion(attributes)
    }
    if (this.#tree.depth > 0 || this.#open || name === 'GrpHdr') {
      this.#elements += 1
      if (this.#elements > MAX_ELEMENTS) {
        throw malformed('an entry has too many elements')
      }
      this.#tree.open(name, attributes)
      return
    }
    const isInterim = STATEMENTS.get(name)
    if (isInterim !== undefined) {
      this.hasStatement = true
      this.#open = newStatement(isInterim, name === 'Rpt')
      if (this.#page) {
        this.#open.statement.page = this.#page
      }
    }
  }

  close(written: string, text: string): void {
    if (this.#tree.depth === 0) {
      // All elements in a statement are read as trees, so this is its own end.
      if (this.#open) {
        this.#endStatement(this.#open)
      }
      return
    }
    this.#tree.close(written, text)
    const closed = this.#tree.closed as XmlElement
    if (closed.name === 'TxDtls') {
      this.#readDetail(closed)
    }
    if (this.#tree.depth === 0) {
      this.#elements = 0
      this.#readPart(closed)
      this.#details = []
    }
  }

  #checkVersion(attributes: ReadonlyMap<string, string>): void {
    for (const value of attributes.values()) {
      const version = Number(/camt\.05[234]\.\d{3}\.(\d{2})$/.exec(value)?.[1] ?? 0)
      if (version > NEWEST_VERSION) {
        this.#items.warn({ code: 'newerVersion', version, newest: NEWEST_VERSION })
      }
    }
  }

  /** A batch has many details, so each goes as soon as it is read. */
  #readDetail(element: XmlElement): void {
    this.#detailCount += 1
    checkRows(this.#detailCount)
    if (this.#details.length >= MAX_DETAILS) {
      throw malformed(`an entry has more than ${MAX_DETAILS} details`)
    }
    this.#details.push(readDetail(element))
    this.#tree.dropClosed()
    this.#elements = 0
  }

  #readPart(element: XmlElement): void {
    if (!this.#open) {
      this.#page = pageOf(find(element, 'MsgPgntn'))
    } else if (element.name === 'Ntry') {
      this.#readEntry(this.#open, element)
    } else {
      readStatementPart(this.#open, element)
    }
  }

  #readEntry(open: OpenStatement, element: XmlElement): void {
    const rows = rowsOfEntry(element, this.#details, {
      account: open.account.key,
      statement: this.#begin(open),
      interim: open.statement.interim,
      since: open.since,
      isRepeated: this.#isRepeated,
      statementId: open.id,
      line: this.#items.rows + 1,
      batches: this.#reading.batches,
      ids: this.#ids,
    })
    for (const row of rows) {
      this.#items.row(row)
    }
  }

  /** Says the account and the statement, before their first row. */
  #begin(open: OpenStatement): number {
    if (open.index === undefined) {
      const { account, statement } = open
      this.#items.account(account)
      statement.account = account.key
      const isForeign = settleBalances(open)
      open.index = this.#items.statement(statement)
      if (isForeign) {
        this.#items.warn({
          code: 'balanceCurrency',
          account: account.key,
          number: statement.number,
        })
      }
      this.#checkSequence(open)
    }
    return open.index
  }

  #checkSequence({ account: { key }, sequence }: OpenStatement): void {
    const before = this.#sequences.get(key)
    if (sequence !== '') {
      this.#sequences.set(key, sequence)
    }
    if (before !== undefined && Number(sequence) > Number(before) + 1) {
      this.#items.warn({ code: 'statementMissing', account: key, after: before, before: sequence })
    }
  }

  #endStatement(open: OpenStatement): void {
    const index = this.#begin(open)
    // Some banks write balances behind the entries.
    settleBalances(open)
    this.#items.endStatement(index, open.statement)
    this.#open = undefined
  }
}
