import type { BankIds } from '../bank-files/bank-ids.ts'
import { yearOfDigits, readDay } from '../bank-files/dates.ts'
import { negateDecimal, readPlainAmount } from '../bank-files/decimals.ts'
import { bankFileErrors } from '../bank-files/format.ts'
import type { Items } from '../bank-files/items.ts'
import { put, rowError } from '../bank-files/rows.ts'
import type { SourceAccount, SourceStatement } from '../bank-files/source.ts'
import { findCurrency } from '../currency.ts'
import type { Field, Token } from './fields.ts'
import { type Mt940Entry, isCutLine, rowOfBooking } from './rows.ts'

const BALANCE = /^([CD])([0-9]{2})([0-9]{2})([0-9]{2})([A-Z]{3})([0-9.,]+)$/
/** `:34F:` has no date, and a mark only where there are two of them. */
const FLOOR = /^([A-Z]{3})([CD]?)([0-9.,]+)$/
/** `:90D:`: how many, and their sum. */
const SUM = /^[0-9]{1,5}([A-Z]{3})()([0-9.,]+)$/

/** Lines below one `:61:` that are kept as information. */
const MAX_INFORMATION = 100

interface Balance {
  amount: string
  date: string
  currency: string
}

interface OpenStatement {
  account: SourceAccount
  statement: SourceStatement
  index: number | undefined
}

/** Makes accounts, statements and rows of the fields of messages. */
export class Messages {
  readonly #items: Items
  readonly #ids: BankIds
  #account: SourceAccount = { key: '' }
  #number: string | undefined
  /** Fields that say something of the statement before it is opened. */
  #early: Field[] = []
  #open: OpenStatement | undefined
  /** The balance at the end of a page, if the statement goes on. */
  #carry: string | undefined
  /** The statement whose next page may come. */
  #carried: (OpenStatement & { balance: string }) | undefined
  #booking: Mt940Entry | undefined
  #hasMessage = false
  #isUnclosed = false

  constructor(items: Items, ids: BankIds) {
    this.#items = items
    this.#ids = ids
  }

  take(token: Token): void {
    if (token.is === 'end') {
      this.#endMessage()
      return
    }
    const { field } = token
    const text = (field.lines[0] as string).trim()
    switch (field.tag) {
      case '20':
        this.#hasMessage = true
        break
      case '25':
      case '25P':
        this.#account = accountOf(text)
        break
      case '28':
      case '28C':
        this.#number = text.split('/', 1)[0]
        break
      case '34F':
      case '13D':
        this.#early.push(field)
        break
      case '60F':
      case '60M':
        this.#openWith(balanceOf(text), field.tag === '60M')
        break
      case '61':
        this.#endRow()
        this.#booking = { line: field, information: [] }
        break
      case '86':
        // Below a closing balance it is about the statement.
        if (this.#booking && this.#booking.information.length < MAX_INFORMATION) {
          this.#booking.information.push(field)
        }
        break
      case '62F':
      case '62M':
        this.#endRow()
        this.#closeWith(balanceOf(text), field.tag === '62M')
        break
      case '64':
      case '65':
      case '90C':
      case '90D':
        this.#endRow()
        keep(this.#current().statement, field)
        break
    }
  }

  /** The file must hold a message, and the last one its closing balance. */
  end(): void {
    const line = this.#booking?.line
    if (line && isCutLine(line)) {
      this.#endRow(true)
      this.#items.warn({ code: 'lastRecordCut', line: line.line })
    } else if (this.#isUnclosed) {
      this.#items.warn({ code: 'lastRecordCut' })
    }
    this.#endMessage()
    this.#endCarried()
    if (!this.#hasMessage) {
      throw bankFileErrors.malformed({ format: 'MT940', reason: 'it holds no message' })
    }
  }

  /** An opening balance begins a statement, or its next page. */
  #openWith(balance: Balance | undefined, isPage: boolean): void {
    const account = withCurrency(this.#account, balance?.currency)
    const carried = this.#carried
    this.#isUnclosed = true
    if (isPage && carried?.account.key === account.key) {
      this.#open = carried
      this.#carried = undefined
      carried.statement.pages += 1
      if (balance && balance.amount !== carried.balance) {
        this.#items.warn({
          code: 'statementMissing',
          account: account.key,
          number: this.#number,
          closing: carried.balance,
          opening: balance.amount,
        })
      }
      return
    }
    const { statement } = this.#start(account, false)
    put(statement, 'opening', balance?.amount)
    put(statement, 'currency', balance?.currency)
    put(statement, 'openingDate', balance?.date)
  }

  #closeWith(balance: Balance | undefined, isPage: boolean): void {
    const { statement } = this.#current()
    put(statement, 'closing', balance?.amount)
    put(statement, 'closingDate', balance?.date)
    put(statement, 'through', balance?.date)
    this.#isUnclosed = false
    this.#carry = isPage ? balance?.amount : undefined
  }

  /** The statement of this message; without an opening balance it is a report of what is pending (MT942). */
  #current(): OpenStatement {
    return this.#open ?? this.#start(this.#account, true)
  }

  #start(account: SourceAccount, isInterim: boolean): OpenStatement {
    this.#endCarried()
    this.#endStatement()
    const floor = this.#early.map(({ lines }) => FLOOR.exec(lines[0] as string)?.[1]).find(Boolean)
    const statement: SourceStatement = { account: '', evidence: [], pages: 1, interim: isInterim }
    put(statement, 'number', this.#number)
    put(statement, 'currency', floor)
    for (const field of this.#early) {
      keep(statement, field)
    }
    this.#ids.startScope()
    this.#open = { account: withCurrency(account, floor), statement, index: undefined }
    return this.#open
  }

  #endRow(isCut = false): void {
    const booking = this.#booking
    if (!booking) {
      return
    }
    this.#booking = undefined
    const open = this.#current()
    const row = rowOfBooking(booking, {
      statement: this.#begin(open),
      account: open.account.key,
      currency: open.statement.currency ?? '',
      isPending: open.statement.interim,
      ids: this.#ids,
    })
    if (isCut) {
      row.errors = [rowError.cut(':61:')]
    }
    this.#items.row(row)
  }

  #endMessage(): void {
    this.#endRow()
    const open = this.#open
    if (open && this.#carry !== undefined) {
      this.#carried = { ...open, balance: this.#carry }
      this.#open = undefined
    }
    this.#endStatement()
    this.#carry = undefined
    this.#account = { key: '' }
    this.#number = undefined
    this.#early = []
    this.#isUnclosed = false
  }

  #endCarried(): void {
    if (this.#carried) {
      this.#items.endStatement(this.#begin(this.#carried), this.#carried.statement)
      this.#carried = undefined
    }
  }

  #endStatement(): void {
    if (this.#open) {
      this.#items.endStatement(this.#begin(this.#open), this.#open.statement)
      this.#open = undefined
    }
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

/** `:25:` names an IBAN, or a bank and an account, with or without the currency behind them. */
function accountOf(text: string): SourceAccount {
  const currency = findCurrency(/(?<=[0-9] ?)[A-Z]{3}$/.exec(text)?.[0] ?? '')?.code
  const named = currency === undefined ? text : text.slice(0, -currency.length)
  const id = named.trim().replace(/^\//, '')
  const [bank, number] = id.includes('/') ? id.split('/', 2) : [undefined, id]
  const plain = id.replaceAll(' ', '')
  const account: SourceAccount = { key: plain }
  if (/^[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}$/.test(plain)) {
    account.iban = plain
  } else {
    put(account, 'number', number)
    put(account, 'bank', bank)
  }
  return currency === undefined ? account : withCurrency(account, currency)
}

/** A bank may keep several currencies under one number. */
const withCurrency = (account: SourceAccount, currency: string | undefined): SourceAccount =>
  currency === undefined || account.currency !== undefined
    ? account
    : { ...account, key: `${account.key} ${currency}`.trim(), currency }

function balanceOf(text: string): Balance | undefined {
  const [, mark = '', year = '', month = '', day = '', currency = '', written = ''] =
    BALANCE.exec(text) ?? []
  const amount = readPlainAmount(written)
  const date = readDay(yearOfDigits(year), month, day)?.date
  return amount === undefined || date === undefined
    ? undefined
    : { amount: mark === 'D' ? negateDecimal(amount) : amount, date, currency }
}

/** Keeps a value of a statement that is shown and not calculated with. */
function keep(statement: SourceStatement, { tag, lines }: Field): void {
  const text = (lines[0] as string).trim()
  const name = `:${tag}:`
  if (tag === '13D') {
    put(
      statement,
      'through',
      readDay(yearOfDigits(text.slice(0, 2)), text.slice(2, 4), text.slice(4, 6))?.date,
    )
    return
  }
  const balance = balanceOf(text)
  if (balance) {
    statement.evidence.push({ name, ...balance })
    return
  }
  const [, currency = '', mark = '', written = ''] = FLOOR.exec(text) ?? SUM.exec(text) ?? []
  const amount = readPlainAmount(written)
  if (amount !== undefined) {
    const isOut = mark === 'D' || tag === '90D'
    statement.evidence.push({ name, currency, amount: isOut ? negateDecimal(amount) : amount })
  }
}
