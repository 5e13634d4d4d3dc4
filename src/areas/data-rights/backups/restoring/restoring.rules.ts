import { keysOfName } from '../../../../domain/search-key.ts'
import { MANIFEST } from '../backups.rules.ts'
import type { Fault } from '../verifying/verifying.rules.ts'

export const RESTORE_STATES = [
  'queued',
  'checking',
  'writing',
  'comparing',
  'takingBack',
  'done',
  'failed',
] as const

type RestoreState = (typeof RESTORE_STATES)[number]

export type StoredRestoreState =
  | 'checking'
  | 'writing'
  | 'comparing'
  | 'reading'
  | 'takingBack'
  | 'done'
  | 'failed'

/** Returns the state of a restore for answers. A restore whose task ended before it is about to be taken back. */
export function restoreState(stored: StoredRestoreState, task: string | null): RestoreState {
  if (stored === 'done' || stored === 'failed') {
    return stored
  }
  if (task !== 'queued' && task !== 'running') {
    return 'takingBack'
  }
  if (stored === 'checking' && task === 'queued') {
    return 'queued'
  }
  return stored === 'reading' ? 'comparing' : stored
}

/** Rows of one commit. */
export const ROWS_PER_PIECE = 250
/** Files of one commit. */
export const FILES_PER_PIECE = 20
/** Units of text of one commit. */
export const TEXT_PER_PIECE = 1_000_000
/** Commits of one run, so that it ends well within its lease; what is left is another task's. */
export const COMMITS_PER_RUN = 100
/** Ids of one query. */
export const IDS_PER_QUERY = 2000
/** Entries of a list in a report. */
export const MOST_REPORTED = 1000
/** The time for which a report is kept. */
export const REPORT_KEPT_MS = 90 * 24 * 60 * 60 * 1000

/** The lists of an archive that a restore leaves out. */
export const NOT_RESTORED = [
  'profile',
  'avatar',
  'accountHistory',
  'auditLog',
  'shares',
  'groups',
  'importsUnderWay',
  'filesInTrash',
  'notifications',
  'exports',
  'jobs',
] as const

export interface RestoreError {
  code: string
  message: string
  member: string | null
  line: number | null
}

/** The findings and results of a restore. */
export interface RestoreReport {
  formatVersion?: number
  archiveCreatedAt?: string
  archiveHash?: string
  contentHash?: string
  /** Rows by table. */
  counts?: Record<string, number>
  balances?: { accountId: string; name: string; currency: string; balance: string }[]
  idMap?: { from: string; to: string }[]
  /** The results for the rows of the archive, by table. */
  merged?: Record<string, MergedCount>
  error?: RestoreError
  /** Rows that could not be taken back. */
  left?: number
}

const CODES: Partial<Record<Fault['code'], string>> = {
  hashMismatch: 'backups.hashMismatch',
  unbalanced: 'backups.unbalanced',
}

/** The error for an archive with faults: bytes that were changed explain all others. */
export function errorOfFaults(faults: readonly Fault[]): RestoreError | undefined {
  const fault =
    faults.find(({ code, member }) => code === 'hashMismatch' && member !== MANIFEST) ?? faults[0]
  return (
    fault && {
      code: CODES[fault.code] ?? 'backups.brokenArchive',
      message: `${fault.message} (${fault.code})`,
      member: fault.member,
      line: fault.line,
    }
  )
}

/** Rows of one query of a plan. */
export const ROWS_PER_LOOK = 2000
/** Tables with things that are in the trash as rows of their own. */
export const LABEL_TABLES = ['categories', 'payees', 'tags']
export const DEEPEST_CATEGORY = 5

/** The numbers of rows of a table that a merge adds, maps and skips. */
export interface MergedCount {
  added: number
  /** A row of the same name stands for them. */
  mapped: number
  /** They are there already, or left out. */
  skipped: number
}

/** The decisions of a merge, as they are stored in JSON before any row. */
export interface StoredMerge {
  /** True if the user had no data. */
  isFresh: boolean
  /** Fields that rows get in place of their own, by their ids. */
  changed: Record<string, Record<string, string | number | null>>
  /** The previous content, by table: the sum of its rows. */
  before: Record<string, string>
}

const MOST_OF_NAME = 80

/** A name that nobody has yet: with a number behind it. */
export function freeRowName(name: string, taken: Set<string>) {
  const begin = [...name].slice(0, MOST_OF_NAME).join('').trimEnd()
  for (let number = 2; ; number++) {
    const next = `${begin} (${number})`
    const keys = keysOfName(next)
    if (!taken.has(keys.nameKey)) {
      taken.add(keys.nameKey)
      return { name: next, ...keys }
    }
  }
}

/** The text of a sum is so long. */
const SUM_DIGITS = 32
const SUM_BITS = (1n << 128n) - 1n

/** A sum of rows that does not depend on their order, as hexadecimal digits. */
export const addToSum = (sum: string, hash: string): string =>
  ((BigInt(`0x${sum}`) + BigInt(`0x${hash.slice(0, SUM_DIGITS)}`)) & SUM_BITS)
    .toString(16)
    .padStart(SUM_DIGITS, '0')

export const NO_SUM = '0'.repeat(SUM_DIGITS)
