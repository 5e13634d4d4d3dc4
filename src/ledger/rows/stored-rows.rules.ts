import { isClockTime } from '../../domain/calendar.ts'
import { RATE_PATTERN } from '../../domain/exchange.ts'
import { MAX_FEES, MAX_PARTS, MAX_TRANSFER_PARTS } from '../../domain/ledger.ts'
import { LONGEST_TEXTS } from '../../domain/ledger-ids.ts'
import { isExactMetadata, isSmallMetadata } from '../../domain/metadata.ts'
import {
  type Check,
  dateText,
  eachOnce,
  exactly,
  idText,
  mapOf,
  minorUnits,
  numberWithin,
  objectWith,
  orNull,
  textLike,
  textThat,
  textUpTo,
  wholeNumber,
} from '../../domain/stored-values.ts'
import { MOST_RELABELLED } from '../labels/labels.rules.ts'

// Checks for the columns of stored rows, whoever stores them.

/** Lines are numbered anew with every change of them, and never from the beginning. */
const lineNumber = wholeNumber(1, 2 ** 40)

/** The line of a part, or 0 for the whole. */
export const lineOrWhole: Check = wholeNumber(0, 2 ** 40)

/** The lines of a split transaction, with two more for each part that is a transfer; a transfer has fewer. */
export const MOST_LINES_OF_ONE = Math.max(1 + MAX_PARTS + 2 * MAX_TRANSFER_PARTS, 4 + MAX_FEES)

/** Folding words makes them longer at times. */
const MOST_SEARCHED = 20 * (LONGEST_TEXTS.description + LONGEST_TEXTS.payeeRaw + LONGEST_TEXTS.note)

const payeeRaw = textUpTo(LONGEST_TEXTS.payeeRaw)
/** The status of a leg that returns; a part that moves no money has none. */
const legStatus = exactly('pending', 'uncleared', 'cleared', 'reconciled')
const externalId = textUpTo(LONGEST_TEXTS.bankId)
const isSet = (value: unknown) => value !== null && value !== undefined

export const transactionColumns: Record<string, Check> = {
  time: textThat(isClockTime),
  description: textUpTo(LONGEST_TEXTS.description),
  payeeRaw,
  originalAmountMinor: (value, row) => minorUnits(value, row) && isSet(row['original_currency']),
  originalCurrency: (_, row) => isSet(row['original_amount_minor']),
  rate: textLike(RATE_PATTERN),
  note: textUpTo(LONGEST_TEXTS.note),
  searchText: textUpTo(MOST_SEARCHED),
  lastLine: lineOrWhole,
}

const NORTH = 90
const EAST = 180

export const transactionJson: Record<string, Check> = {
  matchedPart: objectWith({
    line: lineNumber,
    side: exactly('account', 'expense', 'income', 'opening', 'adjustment', 'exchange'),
    categoryId: orNull(idText),
    payeeId: orNull(idText),
    date: dateText,
    leg: orNull(
      objectWith({
        amountMinor: minorUnits,
        payeeRaw: orNull(payeeRaw),
        status: legStatus,
        externalId: orNull(externalId),
      }),
    ),
  }),
  metadata: (value) =>
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    isSmallMetadata(value) &&
    isExactMetadata(value),
  location: objectWith({
    lat: numberWithin(NORTH),
    lon: numberWithin(EAST),
    name: textUpTo(LONGEST_TEXTS.placeName),
  }),
}

/** The columns of lines, as the constraints of booked ones have them: those in the trash may be booked again. */
export const lineColumns: Record<string, Check> = {
  line: lineNumber,
  amountMinor: (value) => value !== 0,
  note: textUpTo(LONGEST_TEXTS.note),
  externalId: (value, row) => externalId(value, row) && row['side'] === 'account',
  pair: (value, row) =>
    lineNumber(value, row) &&
    Number(value) < Number(row['line']) &&
    Number(row['line']) > 2 &&
    (row['side'] === 'account' || row['side'] === 'exchange'),
  payeeRaw: (value, row) => payeeRaw(value, row) && isSet(row['pair']) && row['side'] === 'account',
}

export const entryColumns: Record<string, Check> = {
  ...lineColumns,
  uncategorised: (value, row) => value === 0 || row['side'] === 'account',
  externalScope: (value, row) => value === '' || isSet(row['external_id']),
  counterAccountId: (_, row) => isSet(row['flow_minor']),
  flowMinor: (_, row) =>
    isSet(row['counter_account_id']) && (row['side'] === 'account' || row['side'] === 'exchange'),
}

const linesOfOne = eachOnce(lineOrWhole, MOST_LINES_OF_ONE + 1)

const linesById = mapOf(
  idText,
  (value, row) => linesOfOne(value, row) && (value as number[]).length > 0,
  MOST_RELABELLED,
)

/** Lines by the id of their transaction, as many as the commit could relabel that took their label off. */
const lines: Check = (value, row) =>
  linesById(value, row) &&
  Object.values(value as Record<string, number[]>).flat().length <= MOST_RELABELLED

/** The image of a row in the trash: with the row as it was stored, and what else was kept of it. */
export const trashedImage = (row: Check, more: Record<string, Check> = {}): Check =>
  objectWith({ row, lines, into: orNull(idText), ...more }, { refunds: lines })
