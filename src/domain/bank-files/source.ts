/**
 * The output of the readers of bank files, whatever the format: the accounts, statements and rows of a file, before
 * anything is known of the user's own accounts. Amounts are canonical decimal text (`-12.30`, see `MONEY_PATTERN`),
 * because a file often does not name its currency.
 */

import type { JsonRecord } from '../json-values.ts'

/** An account as a file names it. */
export interface SourceAccount {
  /** The key that rows and statements use; empty where the file names no account. */
  key: string
  iban?: string
  number?: string
  bank?: string
  name?: string
  currency?: string
  /** The source's own word for its type, such as `CREDITLINE` or `CCard`. */
  type?: string
  /** The line of its first row, where a survey has seen one. */
  line?: number
}

/** A bank's statement, or the span that a file says it covers. Dates are calendar dates. */
export interface SourceStatement {
  account: string
  number?: string
  from?: string
  /** The statement begins in the midst of its first day. */
  startsWithin?: true
  through?: string
  opening?: string
  /** The day that the bank gives for the opening balance; often the last one of the statement before. */
  openingDate?: string
  closing?: string
  /** The day at whose end the closing balance stood; absent: `through`. */
  closingDate?: string
  currency?: string
  /** Balances that are shown and not calculated with: what they are called, and their amounts. */
  evidence: { name: string; amount: string; date?: string; currency?: string }[]
  /** Pages of one statement; they are in order, and the closing of one opens the next. */
  pages: number
  /** The page that the file holds of a statement, where a statement is spread over several files. */
  page?: { number: number; last: boolean }
  /** Interim reports (CAMT.052 and .054, MT942) are no statements that a balance could be checked by. */
  interim: boolean
}

/** Reasons for which a row of a file is no booking. */
export type IgnoredReason =
  | 'opening'
  | 'closing'
  | 'turnover'
  | 'zero'
  | 'notCompleted'
  | 'pending'
  | 'neutral'
  | 'security'
  | 'information'
  /** A line or record without any text. */
  | 'empty'
  | 'deleted'
  | 'paidElsewhere'
  | 'hold'
  | 'otherSide'
  /** The row is in an interim report, and a statement of the file, or a later report, repeats it. */
  | 'toldAgain'
  | 'accountIgnored'
  | 'outsideSpan'
  | 'rule'

export type RowErrorCode =
  | 'dateMissing'
  | 'dateInvalid'
  | 'amountMissing'
  | 'money.malformed'
  | 'money.tooManyDigits'
  | 'money.outOfRange'
  | 'amountStyleMixed'
  | 'bothSides'
  | 'directionUnknown'
  | 'tooFewFields'
  | 'tooManyFields'
  | 'fieldTooLong'
  | 'lineTooLong'
  | 'partsDoNotSum'
  | 'tooManyParts'
  | 'accountUnknown'
  | 'currencyMismatch'
  | 'manyAccounts'
  | 'lastRecordCut'

/** A problem that prevents a row from being booked. The message contains at most the first 100 characters of a cell. */
export interface RowError {
  code: RowErrorCode
  /** The heading, tag or element in question. */
  column?: string
  message: string
}

export type RowWarning =
  | 'badCharacters'
  | 'unclosedQuote'
  | 'textAfterQuote'
  | 'unquotedDelimiter'
  | 'dateRepaired'
  | 'dateUnlikely'
  | 'amountRounded'
  | 'detailsDoNotSum'
  | 'lastRecordCut'
  | 'idReused'
  | 'balanceDiffers'
  | 'textCut'
  /** The row names another currency; the user has said that it means that of the account. */
  | 'currencyDiffers'

/** A part of a split. Amounts are signed as the row is and sum to its amount. */
export interface SourcePart {
  amount: string
  description?: string
  /** The path of a category, from the top. */
  category?: string[]
  tags?: string[]
  fee?: boolean
  /** The key of the other account where the part is a transfer. */
  transfer?: string
  /** The key that the part shares with the row on the other account, as `SourceRow.transfer.pair`. */
  pair?: string
}

/** A fee of a transfer, which is part of the amount that leaves. The amount has no sign. */
export interface SourceFee {
  amount: string
  description?: string
  category?: string[]
}

/** A row of a file: one booking on one account, as its bank or program sees it. */
export interface SourceRow {
  /** The first physical line from 1; of formats without lines, the number of the element. */
  line: number
  /** The content of the file, by heading, tag or position. */
  raw: Record<string, string>
  account: string
  /** Index into the statements that were said so far. */
  statement?: number
  date?: string
  /** `HH:MM:SS`, local. */
  time?: string
  /** Money in is positive. */
  amount?: string
  currency?: string
  /** The balance after the row. */
  balance?: string
  payeeRaw?: string
  description?: string
  note?: string
  category?: string[]
  tags: string[]
  /** The bank's own id, and what kind of id it is: ids of different schemes never meet. */
  bankId?: { scheme: string; id: string }
  /** The id that the program which wrote the file knows from the bank, where `bankId` is its own. */
  externalId?: string
  /** The text that identifies a row without a trusted id, as the source writes it (not folded). */
  text: string
  pending: boolean
  /** The status that the source gives; a row without one is cleared. */
  status?: 'cleared' | 'uncleared'
  parts: SourcePart[]
  counterAccount?: string
  original?: { amount: string; currency: string; rate?: string }
  /**
   * The other side, where the source says that the row is a transfer: its account, and a key that
   * both sides share (rows with one pair are one transfer). The account is empty where only the pair tells it.
   */
  transfer?: { account: string; pair?: string; fees?: SourceFee[] }
  /** The row corrects or takes back the one with this bank id. */
  correction?: { action: 'replace' | 'delete'; id: string }
  /** Values that no other field holds (`valueDate`, `reference`, …), most important first. */
  metadata: Record<string, string>
  /** The free fields of a transaction of this service, in place of `metadata`. */
  ownMetadata?: JsonRecord
  ignored?: IgnoredReason
  errors: RowError[]
  warnings: RowWarning[]
}

/** A warning about the file as a whole: a code, and the particulars that its text names. */
export interface FileWarning {
  code:
    | 'unclosedQuote'
    | 'newerVersion'
    | 'statementMissing'
    | 'balanceCurrency'
    | 'bankIdsReused'
    | 'lastRecordCut'
    | 'sectionIgnored'
    | 'decisionsDropped'
    | 'accountTypeDiffers'
    | 'columnsUnread'
    | 'datesUnlikely'
    | 'columnsNotFound'
    | 'filesUnread'
  [particular: string]: unknown
}

/** The items of a reader, in the order of the file. Accounts and statements come before their rows. */
export type SourceItem =
  | { is: 'account'; account: SourceAccount }
  | { is: 'statement'; statement: SourceStatement }
  /** The end of a statement, whose closing balance is often known only there. */
  | { is: 'statementEnd'; index: number; statement: SourceStatement }
  | { is: 'row'; row: SourceRow }
  | { is: 'warning'; warning: FileWarning }
