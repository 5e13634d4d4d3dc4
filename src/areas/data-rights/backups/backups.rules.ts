import { backupErrors } from './backups.errors.ts'

/** The maximum size of an archive, which one run writes well within its lease. */
export const MOST_ARCHIVE_BYTES = 2 * 1024 ** 3
/** Each is fetched from the bucket, and one run may do that some thousand times. */
export const MOST_ARCHIVE_FILES = 5000
/** The maximum number of archives that are kept for a user. */
export const MOST_KEPT_BACKUPS = 3

export const FORMAT = 'coffer-backup'
export const FORMAT_VERSION = 2

/** The content of `manifest.json`. */
export interface Manifest {
  format: typeof FORMAT
  formatVersion: typeof FORMAT_VERSION
  createdAt: string
  userId: string
  /** True if something changed while it was read, three times over. */
  changedMeanwhile: boolean
  /** The number of rows by kind. */
  counts: Record<string, number>
  files: { path: string; size: number; sha256: string }[]
  /** Files whose bytes were not there. */
  missing: string[]
  /** One hash of the data: archives of equal data have the same, whenever they were made. */
  contentHash: string
  /** Proves to the service that it made the data of this archive for its user. */
  seal: string
}

export const MANIFEST = 'manifest.json'

/** Files that differ when the lists that a user reads do: rows of tables, and uploaded files. */
const isData = (path: string): boolean =>
  path.startsWith('data/') || (path.startsWith('files/') && path !== 'files/avatar')

/**
 * Returns the lines of which `contentHash` is the SHA-256: paths with their hashes, sorted by their bytes. Lists depend
 * on the caller and on what others share, so the hash covers the rows that they are made of.
 */
export const linesToHash = (files: Pick<Manifest['files'][number], 'path' | 'sha256'>[]): string =>
  files
    .filter(({ path }) => isData(path))
    .map(({ path, sha256 }) => `${path} ${sha256}`)
    .toSorted((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)))
    .join('\n')

export const README = `This archive holds all data that its owner has in Coffer.

manifest.json           Format, version, time, number of rows of each kind, size and SHA-256 of every
                        file, and contentHash, which is the same for equal data.
readable/               Copies for people and other programs.
  transactions.csv      All transactions as a table. A text cell that begins with = + - @ or
                        an apostrophe has one apostrophe in front.
  journal.hledger       All transactions as a journal of the program hledger.
files/                  The uploaded files, each in a folder named by its id.
data/                   The rows of tables, for POST /backup/restore. Amounts are in minor units.

Each file that ends in .ndjson is a list of JSON objects, one in each line. Amounts in the lists
below are decimal text in the currency that stands beside them.

profile, preferences    The user.
currencies              The user's own choice of currencies.
accountGroups           Folders of accounts.
accounts                Accounts, with their balances.
accountHistory          What happened to each account.
categories, tags        Categories and tags of transactions.
payees                  People and shops, with the texts of banks for each.
rules                   How transactions are categorized, named, tagged or split.
transactions            Transactions; a transfer has one line for each of its two sides.
transfers               Transfers, each with both of its sides.
transactionLinks        Refunds, reimbursements and other links between transactions.
distinctPairs           Pairs that the user dismissed as duplicates or as a transfer.
valuations              Values of assets on a day.
exchangeRates           The user's own exchange rates.
periodLocks             Locks of the books through a day.
balanceAssertions       Balances that were stated for a day.
reconciliations, reconciliationRows  Comparisons of accounts with statements of banks.
imports, import...      Imports, profiles for reading files, and the rows that are known.
budgets, budget...      Budgets, with lines, amounts, movements, closed periods and templates.
recurring, recurring... Recurring transactions, and what is known of their occurrences.
exportSchedules         Exports that are made each week or month.
savedViews              Queries that are kept under a name.
attachments             The files in files/, with their names and what they belong to.
shares, groups          Accounts shared with others, and the groups of the user.
trash                   Deleted things that can still be restored.
auditLog                Who did what with the data, and when.
`

const MIB = 1024 ** 2
/** Bytes of an archive. */
export const UPLOAD_BYTES = 2048 * MIB
/** Bytes of a part. Only the last one may have fewer than the least. */
export const PART_BYTES = { least: 5 * MIB, most: 50 * MIB }
export const MOST_PARTS = Math.ceil(UPLOAD_BYTES / PART_BYTES.least)
/** The maximum number of uploads of a user. */
export const MOST_UPLOADS = 3
/** The time for which an upload is kept after its last use. */
export const UPLOAD_KEPT_MS = 24 * 60 * 60 * 1000

interface Part {
  number: number
  size: number
}

const sum = (parts: Part[]) => parts.reduce((bytes, { size }) => bytes + size, 0)

/**
 * Refuses a part that the upload has no place for.
 * @param parts the stored ones
 */
export function requireFitting(parts: Part[], part: Part, size: number): void {
  if (part.size === 0) {
    throw backupErrors.emptyPart()
  }
  const all = [...parts.filter(({ number }) => number !== part.number), part]
  const last = Math.max(...all.map(({ number }) => number))
  const small = all.find((one) => one.size < PART_BYTES.least && one.number !== last)
  if (small) {
    throw backupErrors.partTooSmall({ ...small, least: PART_BYTES.least })
  }
  const sent = sum(all)
  if (sent > size) {
    throw backupErrors.uploadTooLong({ sent, size })
  }
}

/**
 * Refuses an upload of which something is missing.
 * @param parts in order
 */
export function requireComplete(parts: Part[], size: number): void {
  const received = sum(parts)
  if (received !== size || parts.some(({ number }, at) => number !== at + 1)) {
    throw backupErrors.uploadIncomplete({ received, size, parts: parts.length })
  }
}

interface ByteRange {
  offset: number
  length: number
}

/** A part of an object. */
export interface ObjectRange {
  objectKey: string
  range: ByteRange
}

/** Finds the bytes of a range in objects that follow each other. */
export function rangesIn(
  objects: readonly { objectKey: string; size: number }[],
  { offset, length }: ByteRange,
): ObjectRange[] {
  const found: ObjectRange[] = []
  let start = 0
  for (const { objectKey, size } of objects) {
    const from = Math.max(offset, start)
    const to = Math.min(offset + length, start + size)
    if (from < to) {
      found.push({ objectKey, range: { offset: from - start, length: to - from } })
    }
    start += size
  }
  return found
}
