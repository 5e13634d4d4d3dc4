import type { Question, Reading } from '../../../domain/bank-files/format.ts'
import type { FileWarning, SourceAccount } from '../../../domain/bank-files/source.ts'
import type { AccountType } from '../../money/accounts/accounts.public.ts'
import { noRows, type RowCounts } from '../../../domain/imports/counts.ts'

/** How many imports of a user may be open. */
export const MOST_OPEN = 10

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

/** How long file and rows are kept after the last step. */
export const KEPT_MS = 30 * 24 * 60 * 60 * 1000

/** What a file may have. */
export const MOST_BYTES = 25 * 1024 * 1024
export const MOST_ROWS = 200_000
export const MOST_ACCOUNTS = 100
export const MOST_STATEMENTS = 2000

/** What is read within the request that uploads it. */
export const READ_AT_ONCE = { bytes: 1024 * 1024, rows: 2000 }

/** Rows of a piece. */
export const PIECE_ROWS = 2000

export const countsFrom = (stored: string): RowCounts => ({
  ...noRows(),
  ...(JSON.parse(stored) as Partial<RowCounts>),
})

/** What the user chose or answered. What is not said is told by the file. */
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

/** A mapping as a request sends some of it. */
export type SentMapping = { [Field in keyof Mapping]: Mapping[Field] | undefined }

/** The fields that are sent. */
export const mappingFrom = (sent: SentMapping): Mapping =>
  Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined))

/** An account of the file, with the own one that it is mapped to. */
export interface ForeignAccount extends SourceAccount {
  rows: number
  accountId: string | null
  /** The account that the commit makes, where `accountId` says so. */
  create?: MadeAccount
}

/** What is said of an account that the commit makes, instead of what the file tells. */
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

/** What one reading of a file found. */
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
