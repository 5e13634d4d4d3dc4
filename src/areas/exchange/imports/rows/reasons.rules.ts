import type { IgnoredReason, RowError, RowErrorCode } from '../../../../domain/bank-files/source.ts'
import type { DuplicateReason, Verdict } from '../../../../domain/imports/verdicts.ts'

const IGNORED: Record<Exclude<IgnoredReason, 'rule'>, string> = {
  opening:
    'An opening balance is not a booking. Set the opening balance of the account, or decide `book` for the row.',
  closing: 'A closing balance is not a booking.',
  turnover: 'A total is not a booking.',
  zero: 'The amount is zero.',
  notCompleted: 'The bank did not carry it out.',
  pending: 'It is pending. Set `pending` to `import` to have such rows booked.',
  neutral: 'The file says that it is neither money in nor money out.',
  security: 'It is about securities, which are not imported.',
  information: 'It is information, not a booking.',
  empty: 'The line is empty.',
  deleted: 'The file itself withdraws it.',
  paidElsewhere: 'It was paid from another account, whose own file has it.',
  hold: 'It is a hold, not a payment.',
  otherSide: 'It is the other side of a transfer that the file has already.',
  toldAgain: 'A later report or a statement in the file contains it, too.',
  accountIgnored: 'The mapping leaves its account out.',
  outsideSpan: 'It is outside of the days that the mapping selects.',
}

const DUPLICATE: Record<DuplicateReason, string> = {
  sameId: 'A transaction with the same bank id exists already.',
  sameRow: 'A transaction from the same row exists already.',
  externalId: 'A transaction has the bank id of the row as its `externalId`.',
  sameIdOtherDate: 'A transaction with the same bank id and amount exists already, on another day.',
  inTrash: 'It was imported and is in the trash. Restore it there.',
  erased: 'It was imported and erased.',
  skipped: 'You skipped it for good in an earlier import.',
}

const ERRORS: Record<RowErrorCode, string> = {
  dateMissing: 'It has no date.',
  dateInvalid: 'Its date does not exist in the calendar.',
  amountMissing: 'It has no amount.',
  'money.malformed': 'Its amount is not a number.',
  'money.tooManyDigits': 'Its amount has more decimals than the currency.',
  'money.outOfRange': 'Its amount is too large.',
  amountStyleMixed: 'Its amount is written in another style than those of most rows.',
  bothSides: 'It has an amount in both the debit and the credit column.',
  directionUnknown: 'The word for its direction is not known.',
  tooFewFields: 'It has fewer fields than the heading.',
  tooManyFields: 'It has more fields than the heading.',
  fieldTooLong: 'One of its fields is too long.',
  lineTooLong: 'Its line is too long.',
  partsDoNotSum: 'Its parts do not add up to its amount.',
  tooManyParts: 'It has more parts than a transaction may have.',
  accountUnknown: 'It names an account that is not in the file.',
  currencyMismatch: 'Its currency is not that of its account.',
  manyAccounts: 'It is on several accounts.',
  lastRecordCut: 'The file ends within it.',
}

const OTHERS: Record<string, string> = {
  once: 'You skipped it for this file.',
  cancelled: 'The import was cancelled before it was booked.',
  notWithdrawn:
    'The bank withdraws a transaction that is reconciled, part of a transfer, or gone already.',
}

const SENTENCES = new Map(Object.entries({ ...IGNORED, ...DUPLICATE, ...ERRORS, ...OTHERS }))

/** A sentence for each verdict that may have no reason. */
const VERDICTS: Partial<Record<Verdict, string>> = {
  duplicate: 'It was imported before.',
  ignored: 'It is not a booking.',
  locked: 'Its day is locked for the account. End the lock, or send `force` with the commit.',
  error: 'It cannot be read.',
  skipped: 'You skipped it.',
}

/** A sentence that says why a row is left out; null if it is not. */
export const sentenceOf = (verdict: Verdict, reason: string | null): string | null =>
  SENTENCES.get(reason ?? '') ?? VERDICTS[verdict] ?? null

/** Like `sentenceOf`, for one row: the message of its own error comes first. */
export const messageOf = (
  { verdict, reason }: { verdict: Verdict; reason: string | null },
  [error]: RowError[],
): string | null => (verdict === 'error' && error ? error.message : sentenceOf(verdict, reason))
