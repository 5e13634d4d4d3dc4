import { toDayNumber } from '../calendar.ts'
import { foldText } from '../matching/texts.ts'
import { bankIdOf, type RowIdentity } from './identity.ts'
import type { BookableRow } from './rows.ts'

/** The data that pass 2 keeps of a row that is not known: about 500 bytes. */
export interface OpenRow {
  at: number
  accountId: string
  currency: string
  date: string
  day: number
  minor: number
  pending: boolean
  /** The payee's text and the description, folded. */
  text: string
  payeeId?: string
  number?: string
  bankId?: { scheme: string; key: string }
  /** The position of its statement among those of the file. */
  statement?: number
  /** The row that this one corrects, by the key of its bank id. */
  corrects?: { action: 'replace' | 'delete'; key: string }
  counterAccount?: string
  transferAccountId?: string
  isUncategorised: boolean
  original?: { minor: number; currency: string }
}

/** The fields in which readers keep a cheque or reference number, the most significant first. */
const NUMBERS = ['checkNumber', 'number', 'reference']

/** An account number in the form in which two of them are compared. */
export const foldNumber = (text: string): string => text.replaceAll(/[\s.-]/g, '').toUpperCase()

/** @param corrected the key of the bank id that the row corrects */
export function openRow(
  row: BookableRow,
  { bankKey }: RowIdentity,
  corrected: string | undefined,
): OpenRow {
  const { source, payeeId, originalMinor, transferAccountId } = row
  const bankId = bankIdOf(row)
  const name = NUMBERS.find((one) => (source.metadata[one] ?? '') !== '')
  const number = name === undefined ? undefined : source.metadata[name]
  return {
    at: row.at,
    accountId: row.accountId,
    currency: row.currency,
    date: row.date,
    day: toDayNumber(row.date),
    minor: row.minor,
    pending: source.pending,
    text: foldText(
      [source.payeeRaw, source.description].filter((one) => one !== undefined).join(' '),
    ),
    isUncategorised: source.category === undefined,
    ...(payeeId === undefined ? {} : { payeeId }),
    ...(number === undefined ? {} : { number }),
    ...(bankId && bankKey ? { bankId: { scheme: bankId.scheme, key: bankKey } } : {}),
    ...(source.correction && corrected
      ? { corrects: { action: source.correction.action, key: corrected } }
      : {}),
    ...(source.counterAccount === undefined
      ? {}
      : { counterAccount: foldNumber(source.counterAccount) }),
    ...(transferAccountId === undefined ? {} : { transferAccountId }),
    ...(source.statement === undefined ? {} : { statement: source.statement }),
    ...(source.original === undefined || originalMinor === undefined
      ? {}
      : { original: { minor: originalMinor, currency: source.original.currency } }),
  }
}
