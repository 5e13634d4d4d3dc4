import { readPlainAmount } from '../bank-files/decimals.ts'
import { bankFileErrors } from '../bank-files/format.ts'
import type { Items } from '../bank-files/items.ts'
import { put } from '../bank-files/rows.ts'
import type { SourceAccount, SourceStatement } from '../bank-files/source.ts'
import { type XmlElement, XmlTree } from '../xml.ts'
import { textAt } from '../xml-paths.ts'
import type { XmlHandler } from '../xml-reader.ts'
import { readOfxDay, rowOfSecurity, rowOfStatementTransaction } from './rows.ts'

const STATEMENTS = new Set(['STMTRS', 'CCSTMTRS', 'INVSTMTRS'])
const ROWS = new Set(['STMTTRN', 'STMTTRNP'])
/** Aggregates that are read as a whole, wherever they stand. */
const READ = new Set([
  ...ROWS,
  ...['STATUS', 'BANKACCTFROM', 'CCACCTFROM', 'INVACCTFROM', 'LEDGERBAL', 'AVAILBAL'],
])
/** Elements in the list of an investment account that are no trades. */
const NO_TRADES = new Set(['DTSTART', 'DTEND', 'INVBANKTRAN'])

/** A good message has few elements within one row. */
const MAX_ELEMENTS = 1_000
const MAX_SHOWN = 100

interface OpenStatement {
  account: SourceAccount
  statement: SourceStatement
  index: number | undefined
}

export const malformed = (reason: string): Error =>
  bankFileErrors.malformed({ format: 'OFX', reason })

/** Makes accounts, statements and rows of the elements of either kind of OFX. */
export class OfxHandler implements XmlHandler {
  readonly #items: Items
  readonly #tree = new XmlTree()
  #elements = 0
  /** The element around the present one, where it matters. */
  readonly #path: string[] = []
  #open: OpenStatement | undefined
  hasStatement = false

  constructor(items: Items) {
    this.#items = items
  }

  open(name: string, attributes: ReadonlyMap<string, string>): void {
    const isTrade = this.#path.at(-1) === 'INVTRANLIST' && !NO_TRADES.has(name)
    if (this.#tree.depth > 0 || READ.has(name) || isTrade) {
      this.#elements += 1
      if (this.#elements > MAX_ELEMENTS) {
        throw malformed('a transaction has too many elements')
      }
      this.#tree.open(name, attributes)
      return
    }
    this.#path.push(name)
    if (STATEMENTS.has(name)) {
      this.hasStatement = true
      this.#open = {
        account: { key: '' },
        statement: { account: '', evidence: [], pages: 1, interim: false },
        index: undefined,
      }
    }
  }

  close(name: string, text: string): void {
    if (this.#tree.depth > 0) {
      this.#tree.close(name, text)
      if (this.#tree.depth === 0) {
        this.#elements = 0
        this.#read(this.#tree.closed as XmlElement)
      }
      return
    }
    this.#path.pop()
    if (this.#open) {
      this.#readValue(this.#open, name, text.trim())
    }
  }

  #readValue(open: OpenStatement, name: string, text: string): void {
    if (name === 'CURDEF' && open.index === undefined) {
      put(open.account, 'currency', text)
      put(open.statement, 'currency', text)
    } else if (name === 'DTSTART') {
      const start = readOfxDay(text)
      put(open.statement, 'from', start?.date)
      put(open.statement, 'startsWithin', start?.time === undefined ? undefined : true)
    } else if (name === 'DTEND') {
      put(open.statement, 'through', readOfxDay(text)?.date)
    } else if (STATEMENTS.has(name)) {
      this.#items.endStatement(this.#begin(open), open.statement)
      this.#open = undefined
    }
  }

  #read(element: XmlElement): void {
    if (element.name === 'STATUS') {
      mustBeGood(element)
    } else if (this.#open) {
      this.#readPart(this.#open, element)
    }
  }

  #readPart(open: OpenStatement, element: XmlElement): void {
    const { name } = element
    if (name.endsWith('ACCTFROM')) {
      // Once rows were said to be of an account, they stay its.
      open.account =
        open.index === undefined ? accountOf(element, open.account.currency) : open.account
    } else if (name === 'LEDGERBAL') {
      const { amount, date } = balanceOf(element)
      put(open.statement, 'closing', amount)
      put(open.statement, 'closingDate', date)
    } else if (name === 'AVAILBAL') {
      const { amount, date } = balanceOf(element)
      if (amount !== undefined) {
        const evidence: SourceStatement['evidence'][number] = { name, amount }
        put(evidence, 'date', date)
        open.statement.evidence.push(evidence)
      }
    } else {
      this.#readRow(open, element)
    }
  }

  #readRow(open: OpenStatement, element: XmlElement): void {
    const context = {
      statement: this.#begin(open),
      account: open.account.key,
      line: this.#items.rows + 1,
      currency: open.account.currency ?? '',
      isPending: this.#path.includes('BANKTRANLISTP'),
    }
    this.#items.row(
      ROWS.has(element.name)
        ? rowOfStatementTransaction(element, context)
        : rowOfSecurity(element, context),
    )
  }

  /** Says the account and the statement, before their first row. */
  #begin(open: OpenStatement): number {
    if (open.index === undefined) {
      this.#items.account(open.account)
      open.statement.account = open.account.key
      open.index = this.#items.statement(open.statement)
    }
    return open.index
  }
}

/** The bank may answer with an error in place of data. */
function mustBeGood(status: XmlElement): void {
  const code = textAt(status, 'CODE')
  if (!/^0*$/.test(code)) {
    const message = textAt(status, 'MESSAGE').slice(0, MAX_SHOWN)
    throw malformed(`the bank reports error ${code.slice(0, MAX_SHOWN)} ${message}`.trim())
  }
}

function accountOf(element: XmlElement, currency: string | undefined): SourceAccount {
  const number = textAt(element, 'ACCTID')
  const bank = textAt(element, element.name === 'INVACCTFROM' ? 'BROKERID' : 'BANKID')
  const account: SourceAccount = { key: [bank, number].filter(Boolean).join('/') }
  put(account, 'number', number)
  put(account, 'bank', bank)
  put(account, 'type', textAt(element, 'ACCTTYPE') || TYPES[element.name])
  put(account, 'currency', currency)
  return account
}

const TYPES: Record<string, string> = { CCACCTFROM: 'CREDITCARD', INVACCTFROM: 'INVESTMENT' }

const balanceOf = (element: XmlElement) => ({
  amount: readPlainAmount(textAt(element, 'BALAMT')),
  date: readOfxDay(textAt(element, 'DTASOF'))?.date,
})
