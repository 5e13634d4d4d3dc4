import { coreOf } from '../../../../domain/ids.ts'
import type { ExportedRow } from '../../../money/transaction-views/transaction-views.public.ts'
import { type Book, type BookAccount, inOneLine, partyOf } from './postings.rules.ts'

/** The last day of a statement, and the balance at its end. */
export interface StatementEnd {
  to: string
  balance: string
}

// Characters that XML cannot hold, and those that have a meaning in it.
// oxlint-disable-next-line no-control-regex -- they are what it looks for
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g

const escaped = (text: string): string =>
  inOneLine(text)
    .replaceAll(FORBIDDEN, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')

const cut = (text: string, most: number): string =>
  escaped(Array.from(inOneLine(text)).slice(0, most).join(''))

const tag = (name: string, value: string): string => `<${name}>${value}</${name}>`

const day = (date: string): string => `${date.replaceAll('-', '')}120000`

/** @param date of the newest day in the file: nothing says when it was made */
export const ofxHead = (date: string): string =>
  [
    '<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n',
    '<?OFX OFXHEADER="200" VERSION="220" SECURITY="NONE" OLDFILEUID="NONE" NEWFILEUID="NONE"?>\n',
    '<OFX>\n',
    `<SIGNONMSGSRSV1><SONRS>${OK}${tag('DTSERVER', day(date))}${tag('LANGUAGE', 'ENG')}</SONRS></SIGNONMSGSRSV1>\n`,
  ].join('')

const OK = '<STATUS><CODE>0</CODE><SEVERITY>INFO</SEVERITY></STATUS>'

export const OFX_END = '</OFX>\n'

/** The sets of messages of a file, with the accounts that they have statements of. */
export const OFX_SETS = [
  { name: 'BANKMSGSRSV1', transaction: 'STMTTRNRS', statement: 'STMTRS', isOf: isBank },
  {
    name: 'CREDITCARDMSGSRSV1',
    transaction: 'CCSTMTTRNRS',
    statement: 'CCSTMTRS',
    isOf: (account: BookAccount) => !isBank(account),
  },
] as const

type MessageSet = (typeof OFX_SETS)[number]

function isBank({ type }: BookAccount): boolean {
  return type !== 'creditCard'
}

const TYPES: Record<string, string> = { savings: 'SAVINGS', lineOfCredit: 'CREDITLINE' }

/** The longest number of an account that the format takes. */
const LONGEST_NUMBER = 22

export const statementHead = (
  { transaction, statement }: MessageSet,
  account: BookAccount,
  { from, to }: { from: string; to: string },
): string => {
  const number = tag('ACCTID', coreOf(account.id).slice(-LONGEST_NUMBER))
  const of = isBank(account)
    ? `<BANKACCTFROM>${tag('BANKID', 'COFFER')}${number}${tag('ACCTTYPE', TYPES[account.type] ?? 'CHECKING')}</BANKACCTFROM>`
    : `<CCACCTFROM>${number}</CCACCTFROM>`
  return [
    `<${transaction}>${tag('TRNUID', '0')}${OK}<${statement}>${tag('CURDEF', account.currency)}${of}\n`,
    `<BANKTRANLIST>${tag('DTSTART', day(from))}${tag('DTEND', day(to))}\n`,
  ].join('')
}

export const statementEnd = (
  { transaction, statement }: MessageSet,
  { to, balance }: StatementEnd,
): string =>
  `</BANKTRANLIST>\n<LEDGERBAL>${tag('BALAMT', balance)}${tag('DTASOF', day(to))}</LEDGERBAL></${statement}></${transaction}>\n`

const LONGEST_NAME = 32
const LONGEST_MEMO = 255

/** A transaction as one account sees it; empty for a void one, which the format does not know. */
export function ofxTransaction(shown: ExportedRow, book: Book): string {
  const { view } = shown
  if (view.status === 'void') {
    return ''
  }
  const name = cut(partyOf(book, shown) || view.description || view.kind, LONGEST_NAME)
  const memo = cut(view.description, LONGEST_MEMO)
  return [
    `<STMTTRN>${tag('TRNTYPE', typeOf(shown))}${tag('DTPOSTED', day(view.date))}${tag('TRNAMT', view.signedAmount)}`,
    `${tag('FITID', view.id)}${tag('NAME', name)}${memo === '' ? '' : tag('MEMO', memo)}</STMTTRN>\n`,
  ].join('')
}

function typeOf({ view: { kind, signedAmount } }: ExportedRow): string {
  if (kind === 'transfer') {
    return 'XFER'
  }
  return signedAmount.startsWith('-') ? 'DEBIT' : 'CREDIT'
}
