import type { Question, Reading } from '../../../domain/bank-files/format.ts'
import type { FileWarning, SourceAccount } from '../../../domain/bank-files/source.ts'
import type { AccountType } from '../../money/accounts/accounts.public.ts'
import { noRows, type RowCounts } from '../../../domain/imports/counts.ts'
import { formatMoney } from '../../../domain/money.ts'

/** The maximum number of open imports of a user. */
export const MOST_OPEN_IMPORTS = 10

export const IMPORT_STATES = [
  'uploaded',
  'questions',
  'previewed',
  'committing',
  'done',
  'reverting',
  'reverted',
  'failed',
  'cancelled',
] as const

/** The time for which the file and its rows are kept after the last step. */
export const IMPORT_KEPT_MS = 30 * 24 * 60 * 60 * 1000

/** The limits of a file. */
export const MOST_IMPORT_BYTES = 25 * 1024 * 1024
export const MOST_ROWS = 200_000

/** The most imported rows of one transaction. Erasing it changes the identities of all of them. */
export const MOST_OF_TRANSACTION = 100
export const MOST_ACCOUNTS = 100
export const MOST_STATEMENTS = 2000
/** Balances of a statement that nothing is calculated with; a bank tells a few. Those behind them are not stored. */
export const MOST_OTHER_BALANCES = 100

/** The limits up to which a file is read within the request that uploads it. */
export const READ_AT_ONCE = { bytes: 1024 * 1024, rows: 2000 }

/** Rows of a piece. */
export const PIECE_ROWS = 2000

export const countsFrom = (stored: string): RowCounts => ({
  ...noRows(),
  ...(JSON.parse(stored) as Partial<RowCounts>),
})

/** The choices and answers of the user. The file decides everything else. */
export interface Mapping extends Partial<Reading> {
  accountId?: string | undefined
  /** By the keys of the file's accounts: an own account, or what else is to be done. */
  accountMap?: Record<string, string> | undefined
  /** By the same keys: what is said of accounts that the commit makes. */
  newAccounts?: Record<string, NewAccountWishes> | undefined
  /** By the file's path of a category. */
  categoryMap?: Record<string, string> | undefined
  pending?: 'skip' | 'import' | undefined
  matching?: 'usual' | 'strict' | 'never' | undefined
  from?: string | undefined
  through?: string | undefined
}

/** Some fields of a mapping, as a request sends them. Null removes a field. */
export type SentMapping = { [Field in keyof Mapping]: Mapping[Field] | null | undefined }

/** The fields that were sent with a value. */
export const mappingFrom = (sent: SentMapping): Mapping =>
  Object.fromEntries(
    Object.entries(sent).filter(([, value]) => value !== undefined && value !== null),
  )

/** A mapping without the fields that a request removes. */
export const withoutNulls = (mapping: Mapping, sent: SentMapping): Mapping =>
  Object.fromEntries(
    Object.entries(mapping).filter(([name]) => sent[name as keyof Mapping] !== null),
  )

/** An account of the file, with the own one that it is mapped to. */
export interface ForeignAccount extends SourceAccount {
  rows: number
  accountId: string | null
  /** The account that the commit makes, where `accountId` says so. */
  create?: MadeAccount
}

/** Values of the user for an account that the commit creates, in place of those of the file. */
export interface NewAccountWishes {
  name?: string | undefined
  type?: AccountType | undefined
  currency?: string | undefined
}

/** An account that the commit makes. */
export interface MadeAccount {
  id: string
  currency: string
  name: string
  type: AccountType
}

/** The findings of one reading of a file. */
export interface Analysis {
  mapping: Mapping
  questions: Question[]
  warnings: FileWarning[]
  accounts: ForeignAccount[]
  shape: string[]
}

/** The id of a row of an import. */
export const rowIdOf = (importId: string, row: number): string => `irw_${importId.slice(4)}_${row}`

/** The number of the row that an id names; undefined of what is none of the import. */
export function rowNumberOf(importId: string, rowId: string): number | undefined {
  const [, core = '', number = ''] = /^irw_(\w+)_([1-9]\d{0,6})$/.exec(rowId) ?? []
  return core !== '' && `imp_${core}` === importId ? Number(number) : undefined
}

/** The identity of a row while it is pending. */
export interface HeldIdentity {
  identity: string
  bankKey: string | null
  date: string
  amountMinor: number
  balanceMinor: number | null
  transactionId: string
  importId: string
}

/** The explanations of a difference of a statement, and the values of its file beside the two balances. */
export interface StatementContent {
  causes: { line: number; reason: string; amountMinor: number | null; explainsAll: boolean }[]
  evidence: { name: string; amount: string; date?: string; currency?: string }[]
  /** The number of its rows that were matched with transactions; absent in older stored statements. */
  matched?: number
  /** An interim report checks no balance. */
  isInterim: boolean
  /** The day of the closing balance, where that is not the last one. */
  closingDate?: string
  /** The balance before the first row, by the closing balance. */
  derivedMinor?: number
  /** The days that it tells the whole of; absent where it does not say, and in what was stored before this was. */
  covers?: { from: string; through: string }
}

/** A statement as it is stored. */
interface StoredBalances {
  /** Empty while the account is not known. */
  accountId: string
  currency: string
  throughDate: string | null
  openingMinor: number | null
  closingMinor: number | null
  sumMinor: number
  content: string
}

/** The balance after the rows of a statement, and what its closing balance has more; null where the file does not say enough. */
export function checkOf({ openingMinor, closingMinor, sumMinor, content }: StoredBalances) {
  const { isInterim } = JSON.parse(content) as StatementContent
  const computed = openingMinor === null || isInterim ? null : openingMinor + sumMinor
  const difference = computed === null || closingMinor === null ? null : closingMinor - computed
  return { computed, difference }
}

/** Rounded rows may leave so much. */
const roundingOf = ({ content }: StoredBalances) =>
  (JSON.parse(content) as StatementContent).causes.filter(({ reason }) => reason === 'rounded')
    .length

/** A sentence about statements whose rows do not lead from one balance to the other; null if there are none. */
export function mismatchOf(statements: StoredBalances[]): string | null {
  const wrong = statements.flatMap((statement) => {
    const { difference } = checkOf(statement)
    const isKnown = statement.accountId !== '' && difference !== null
    return isKnown && Math.abs(difference) > roundingOf(statement)
      ? [{ ...statement, difference }]
      : []
  })
  const [first, ...others] = wrong
  if (!first) {
    return null
  }
  const { difference, throughDate, currency } = first
  const day = throughDate === null ? '' : ` of ${throughDate}`
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`
  return `The rows of the statement${day}${more} do not lead from its opening balance to its closing balance: ${formatMoney(difference, currency)} ${currency} are missing.`
}
