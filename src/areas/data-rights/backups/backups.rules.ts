/** What one run writes within its lease, with room to spare. */
export const MOST_BYTES = 2 * 1024 ** 3
/** Each is fetched from the bucket, and one run may do that some thousand times. */
export const MOST_FILES = 5000
/** That are kept for one user at a time. */
export const MOST_KEPT = 3

export const FORMAT = 'coffer-backup'
export const FORMAT_VERSION = 1

/** What an archive says of itself. */
export interface Manifest {
  format: typeof FORMAT
  formatVersion: typeof FORMAT_VERSION
  createdAt: string
  userId: string
  /** Whether something changed while it was read, three times over. */
  changedMeanwhile: boolean
  /** Of rows by kind. */
  counts: Record<string, number>
  files: { path: string; size: number; sha256: string }[]
  /** Files whose bytes were not there. */
  missing: string[]
  /** One hash of the data: archives of equal data have the same, whenever they were made. */
  contentHash: string
}

export const MANIFEST = 'manifest.json'

/** Files that differ between archives of equal data: when they were made, and what was done with the data. */
const OUTSIDE_OF_HASH: ReadonlySet<string> = new Set([
  MANIFEST,
  'auditLog.ndjson',
  'accountHistory.ndjson',
])

/** What `contentHash` is the SHA-256 of: paths with their hashes, sorted by their bytes. */
export const linesToHash = (files: Pick<Manifest['files'][number], 'path' | 'sha256'>[]): string =>
  files
    .filter(({ path }) => !OUTSIDE_OF_HASH.has(path))
    .map(({ path, sha256 }) => `${path} ${sha256}`)
    .toSorted((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)))
    .join('\n')

export const README = `This archive holds all data that its owner has in Coffer.

manifest.json           The format and its version, when the archive was made, the number of
                        rows of each kind, the size and SHA-256 of every file, and contentHash.
                        Archives of equal data have the same contentHash.
readable/               Copies for people and other programs.
  transactions.csv      All transactions as a table. A text cell that begins with = + - @ or
                        an apostrophe has one apostrophe in front.
  journal.hledger       All transactions as a journal of the program hledger.
files/                  The uploaded files, each in a folder named by its id.

Each file that ends in .ndjson is a list: one line for each row, and each line is one JSON object.
Amounts are decimal text in the currency that stands beside them.

profile, preferences    The user.
currencies              The user's own choice of currencies.
accountGroups           Folders of accounts.
accounts                Accounts, with their balances.
accountHistory          What happened to each account.
categories, tags        What transactions are sorted by.
payees                  Who money went to or came from, with the texts of banks for each.
transactions            Transactions; a transfer has one line for each of its two sides.
transfers               Transfers, each with both of its sides.
transactionLinks        Refunds, reimbursements and other links between transactions.
distinctPairs           Pairs of transactions that are no duplicates, or no transfer.
valuations              What assets were worth on a day.
exchangeRates           The user's own exchange rates.
periodLocks             Days up to which accounts are closed.
balanceAssertions       What accounts must have held on a day.
reconciliations, reconciliationRows  Statements that accounts were compared with.
imports, import...      What files of banks brought, and how they are read.
budgets, budget...      Budgets, with lines, amounts, movements, closed periods and templates.
exportSchedules         What is exported each week or month.
attachments             The files in files/, with their names and what they belong to.
shares, groups          What is shared with others, and the groups of the user.
trash                   What was deleted and can still be restored.
auditLog                Who did what with the data, and when.
`
