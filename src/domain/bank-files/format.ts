import { errorTable } from '../errors.ts'
import type { SourceAccount, SourceItem } from './source.ts'
import type { RepeatedEntries } from './repeated-entries.ts'

/** The formats that are read, and the word for each in the API. */
export const FORMAT_KEYS = ['csv', 'ofx', 'qif', 'camt', 'mt940', 'ynab', 'coffer'] as const

export type FormatKey = (typeof FORMAT_KEYS)[number]

export type DateOrder = 'YMD' | 'DMY' | 'MDY'
export type DecimalMark = '.' | ','

/** The roles of columns. */
export const ROLES = [
  'date',
  'valueDate',
  'time',
  'amount',
  'debit',
  'credit',
  'direction',
  'fee',
  'currency',
  'balance',
  'originalAmount',
  'originalCurrency',
  'rate',
  'description',
  'payee',
  'counterAccount',
  'bankId',
  'reference',
  'type',
  'category',
  'tags',
  'note',
  'account',
  'state',
  'ignore',
] as const

export type ColumnRole = (typeof ROLES)[number]

/** The index of a column, or its heading. */
export type ColumnName = number | string

/** The settings for reading a file: detected, answered by the user, or taken from a profile. */
export interface Reading {
  format: FormatKey
  /** A label of `TextDecoder`. */
  encoding?: string
  delimiter?: string
  quote?: string
  /** The physical line of the heading, from 1; 0 where there is none. */
  headerLine?: number
  skipLines?: number
  /** Indexes from 0, or headings. A survey turns headings into indexes. */
  columns?: Partial<Record<ColumnRole, ColumnName | ColumnName[]>>
  dateOrder?: DateOrder
  decimal?: DecimalMark
  sign?: 'asIs' | 'reversed'
  /** The unit of amounts, for a program that has written both pounds and pence. */
  amountUnit?: 'major' | 'minor'
  /** Amounts without a sign leave the account, because the others have a plus. It is decided anew for each file. */
  unsigned?: 'out'
  /** The direction of rows without a word for it, if all others have the opposite one; found anew for each file. */
  blankDirection?: 'out'
  /** The year of dates that have none; of later months than `month`, the year before. */
  year?: number
  month?: number
  /**
   * The meaning of a fee in a column of its own: part of the amount already (`inside`), to be subtracted from it
   * (`minus`), or to be added to it with its own sign (`plus`).
   */
  fee?: 'inside' | 'minus' | 'plus'
  /** Columns of CSV that are no part of the text by which a row is known again; found anew for each file. */
  outsideIdentity?: number[]
  /** The day of the upload, `YYYY-MM-DD`, against which dates look unlikely. */
  today?: string
  currency?: string
  /** The currency of the account that was sent with the file: how many decimals amounts can have. */
  accountCurrency?: string
  batches?: 'split' | 'whole' | 'separate'
  zeroRows?: 'ignore' | 'book'
  /** The built-in profile that reads the rows, such as `revolut`. */
  builtIn?: string
}

export type QuestionKey =
  | 'format'
  | 'encoding'
  | 'columns'
  | 'dateOrder'
  | 'decimal'
  | 'sign'
  | 'amountUnit'
  | 'account'
  | 'currency'
  | 'accounts'
  | 'year'

/** Something that the file does not say. `options` lists the values as they can be answered. */
export interface Question {
  key: QuestionKey
  options: string[]
  evidence: { line: number; raw: string }[]
  suggestion?: string
  /** The options about accounts, described for people. */
  choices?: AccountChoice[]
  /** The outcomes that answers would have, where that was tried. */
  outcomes?: AnswerOutcome[]
}

/** The result of booking a file under one answer. */
export interface AnswerOutcome {
  option: string
  rows: number
  /** Rows that could not be booked. */
  errors: number
  /** The first and the last day; null without rows. */
  from: string | null
  to: string | null
  sums: { currency: string; in: string; out: string }[]
}

/** An account that can be answered: an own one, or one that would be made. */
export interface AccountChoice {
  option: string
  /** The account of the file that one would be made for. */
  foreign?: string
  name: string
  type: string
  currency: string
}

/** The result of one pass over the whole file. */
export interface Survey {
  /** The given reading, completed by everything that the file proves. */
  reading: Reading
  /** Open questions; the file can be read when there are none. */
  questions: Question[]
  accounts: SourceAccount[]
  /** The confidence in each detected value, from 0 to 1, with the lines that support it, for people. */
  found: Partial<Record<keyof Reading, { confidence: number; evidence: string[] }>>
  /** Headings, or the kinds of columns, by which a profile recognises files of the same shape. */
  shape: string[]
  /** The cells under each heading of the first rows, for showing. */
  sample: string[][]
  /** Columns that nothing is read of, by their headings, or else by their numbers from 0. */
  unread?: string[]
  /** Columns that were chosen and that the file does not have, as they were sent. */
  missing?: string[]
  /** Bank ids that several bookings have although their format allows each once; reading passes over them. */
  repeatedIds?: string[]
  /** Entries of interim reports that the file repeats. */
  repeatedEntries?: RepeatedEntries
}

/** Takes the text of a file in pieces of any length, once, from its beginning. */
export interface Surveyor {
  push(text: string): void
  /** Does a part of what is left to do after the last text, and tells whether there may be more; `end` does all the rest. */
  finish?(): boolean
  end(): Survey
}

/** Takes the text of a file in pieces of any length, and says what is in it as soon as it is known. */
export interface SourceReader {
  push(text: string): SourceItem[]
  /** Gives a part of what is left after the last text, and undefined when there is no more; `end` gives all the rest. */
  finish?(): SourceItem[] | undefined
  end(): SourceItem[]
}

/**
 * A format. Readers throw `imports.malformed`, `imports.truncated` and the other errors of
 * `bank-files/format.ts` where a file cannot be read at all; what is wrong with one row is said in
 * its `errors`.
 */
export interface FileFormat {
  key: FormatKey
  /** Returns the likelihood, from 0 to 1, that a file with this beginning is of this format. */
  recognises(head: string): number
  survey(known: Partial<Reading>): Surveyor
  /**
   * With a reading whose survey left no question open, and what that survey found. A file that broke off is known
   * only at its end: nothing that was read counts before `end()` has returned.
   */
  read(reading: Reading, survey?: Pick<Survey, 'repeatedIds' | 'repeatedEntries'>): SourceReader
}

/** The errors of files that cannot be read at all. */
export const bankFileErrors = errorTable('imports', {
  empty: ['invalid', 'The file is empty.'],
  malformed: [
    'invalid',
    'The file is not well-formed {format}: {reason}. Download it again, or in another format.',
  ],
  truncated: [
    'invalid',
    'The file ends before it is complete. Download it again. Nothing was read from it.',
  ],
  noStatements: [
    'invalid',
    'The file is {format}, but it holds no statement of an account. Download a statement.',
  ],
  tooManyRows: ['invalid', 'The file has more than {limit} rows. Divide it into several files.'],
  tooManyAccounts: [
    'invalid',
    'The file has more than {limit} accounts or statements. Divide it into several files.',
  ],
})
