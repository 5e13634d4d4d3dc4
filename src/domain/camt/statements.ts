import { readIsoDay } from '../bank-files/dates.ts'
import { negateDecimal } from '../bank-files/decimals.ts'
import { put } from '../bank-files/rows.ts'
import type { SourceAccount, SourceStatement } from '../bank-files/source.ts'
import type { XmlElement } from '../xml.ts'
import { find, firstText, textAt } from '../xml-paths.ts'
import { moneyAt } from './details.ts'

/** A statement, report or notification as far as it was read. */
export interface OpenStatement {
  id: string
  account: SourceAccount
  statement: SourceStatement
  /** Its index, once it was said. */
  index: number | undefined
  /** `ElctrncSeqNb`. */
  sequence: string
  /** The moment since when a report tells all, as it is written; absent of all else. */
  since?: string
  balances: XmlElement[]
}

/** The codes of the opening and closing balance of a statement. All other balances are only kept. */
const OPENING = ['OPBD', 'PRCD']
const CLOSING = ['CLBD']

export const newStatement = (isInterim: boolean, isReport: boolean): OpenStatement => ({
  id: '',
  account: { key: '' },
  statement: { account: '', evidence: [], pages: 1, interim: isInterim },
  index: undefined,
  sequence: '',
  ...(isReport ? { since: '' } : {}),
  balances: [],
})

/** A child of the statement that is not an entry. */
export function readStatementPart(open: OpenStatement, element: XmlElement): void {
  const { statement } = open
  switch (element.name) {
    case 'Id':
      open.id = element.text.trim()
      statement.number ??= open.id
      break
    case 'LglSeqNb':
      statement.number = open.sequence || element.text.trim()
      break
    case 'ElctrncSeqNb':
      open.sequence = element.text.trim()
      statement.number = open.sequence
      break
    case 'StmtPgntn':
    case 'RptPgntn':
    case 'NtfctnPgntn':
      put(statement, 'page', pageOf(element))
      break
    case 'FrToDt':
      if (open.since !== undefined) {
        open.since = firstText(element, ['FrDtTm'], ['FrDt'])
      }
      put(statement, 'from', dayAt(element, ['FrDtTm'], ['FrDt']))
      put(statement, 'through', dayAt(element, ['ToDtTm'], ['ToDt']))
      break
    case 'Acct':
      open.account = accountOf(element)
      break
    case 'Bal':
      open.balances.push(element)
      break
  }
}

/** `MsgPgntn` of the message, or that of the statement. */
export function pageOf(element: XmlElement | undefined): SourceStatement['page'] {
  const number = Number(textAt(element, 'PgNb'))
  return Number.isSafeInteger(number) && number > 0
    ? { number, last: ['true', '1'].includes(textAt(element, 'LastPgInd')) }
    : undefined
}

const dayAt = (element: XmlElement, ...paths: string[][]) =>
  readIsoDay(firstText(element, ...paths))?.date

function accountOf(element: XmlElement): SourceAccount {
  const id = find(element, 'Id')
  const iban = textAt(id, 'IBAN').replaceAll(' ', '')
  const number = firstText(id, ['Othr', 'Id'], ['PrtryAcct', 'Id'], ['BBAN'])
  const currency = textAt(element, 'Ccy')
  // A bank may keep several currencies under one number.
  const account: SourceAccount = { key: [iban || number, currency].filter(Boolean).join(' ') }
  put(account, 'iban', iban)
  put(account, 'number', number)
  put(
    account,
    'type',
    firstText(element, ['Tp', 'Cd'], ['Tp', 'Prtry'], ['Id', 'Othr', 'SchmeNm', 'Cd']),
  )
  put(account, 'name', firstText(element, ['Nm'], ['Ownr', 'Nm']))
  put(account, 'currency', currency)
  put(account, 'bank', firstText(find(element, 'Svcr', 'FinInstnId'), ['BICFI'], ['BIC'], ['Nm']))
  return account
}

interface Balance {
  kind: string
  amount: string
  currency: string
  date: string
}

/**
 * Settles the balances: the earliest that opens, the latest that closes, the rest as evidence. Says whether one was
 * in another currency than the account.
 */
export function settleBalances({ account, statement, balances }: OpenStatement): boolean {
  const read = balances.flatMap((element) => balanceOf(element))
  const currency = account.currency ?? read[0]?.currency ?? ''
  put(statement, 'currency', currency)
  const own = statement.interim ? [] : read.filter((balance) => balance.currency === currency)
  const byDay = own.toSorted((a, b) => (a.date < b.date ? -1 : 1))
  const opening = OPENING.flatMap((kind) => byDay.filter((one) => one.kind === kind))[0]
  const closing = byDay.findLast(({ kind }) => CLOSING.includes(kind))
  put(statement, 'opening', opening?.amount)
  put(statement, 'openingDate', opening?.date)
  put(statement, 'closing', closing?.amount)
  put(statement, 'closingDate', closing?.date)
  statement.evidence = read
    .filter((balance) => balance !== opening && balance !== closing)
    .map(({ kind: name, ...rest }) => ({ name, ...rest }))
  return read.some((balance) => balance.currency !== currency)
}

function balanceOf(element: XmlElement): Balance[] {
  const money = moneyAt(element, 'Amt')
  if (money === undefined) {
    return []
  }
  const isDebit = textAt(element, 'CdtDbtInd') === 'DBIT'
  const kind = firstText(element, ['Tp', 'CdOrPrtry', 'Cd'], ['Tp', 'CdOrPrtry', 'Prtry'])
  const date = dayAt(element, ['Dt', 'Dt'], ['Dt', 'DtTm']) ?? ''
  const amount = isDebit ? negateDecimal(money.amount) : money.amount
  return [{ kind, amount, currency: money.currency, date }]
}
