import { TransactionResponse } from '../../../money/transaction-views/transaction-views.public.ts'
import { LargeMap, LargeSet } from '../../../../domain/large-map.ts'
import { AccountResponseDTO } from '../../../money/accounts/accounts.public.ts'
import {
  BrokenZip,
  openMember,
  readDirectory,
  type ReadPart,
  type ZipMember,
} from '../../../../platform/files/unzip.ts'
import { formatMoney } from '../../../../domain/money.ts'
import { forEachInSteps, type Steps } from '../../../../domain/steps.ts'
import { pauseRegularly, runWithPauses } from '../../../../platform/work/pauses.ts'
import { sha256Hex, startSha256 } from '../../../../platform/secrets/crypto.ts'
import { backupErrors } from '../backups.errors.ts'
import { linesToHash, MANIFEST } from '../backups.rules.ts'
import {
  type Fault,
  faultsOf,
  faultsOfBalance,
  type ListedIds,
  type AccountSums,
  ZIP_BOUNDS,
} from './verifying.rules.ts'
import {
  manifestOf,
  type ReadManifest,
  Findings,
  ByteLines,
  type TakeRow,
} from './manifest.usecases.ts'
import { RowCheck } from './rows.usecases.ts'

/** The findings about an archive. */
export interface Inspection {
  manifest: Pick<ReadManifest, 'formatVersion' | 'createdAt' | 'counts' | 'seal'>
  contentHash: string
  known: ListedIds
  /** The check of the rows of tables. */
  rows: RowCheck
  /** All files, and those whose bytes were not there when it was made. */
  files: ReadManifest['files']
  missing: string[]
  faultCount: number
  /** The first of them. */
  faults: Fault[]
}

/** Reads an archive once from its beginning to its end, and compares all of it with what it says of itself. */
export async function inspect(read: ReadPart, size: number, now: number): Promise<Inspection> {
  const members = await directoryOf(read, size)
  const manifest = await manifestOf(read, members)
  const found = new Findings()
  const known: ListedIds = {
    accounts: new LargeMap(),
    categories: new LargeSet(),
    payees: new LargeSet(),
    tags: new LargeSet(),
  }
  const sums: AccountSums = new LargeMap()
  const rows = new RowCheck(now)
  const takers = { ...takersFor(found, known, sums), ...tableTakers(found, rows) }
  const hashes: { path: string; sha256: string }[] = []
  const byName = new Map(members.map((member) => [member.name, member]))
  const pause = pauseRegularly()
  for (const file of inOrder(manifest.files, Object.keys(takers))) {
    const member = byName.get(file.path)
    byName.delete(file.path)
    if (!member) {
      found.add({ code: 'missingMember', member: file.path, message: 'It is not in the archive.' })
      continue
    }
    const list = /^((?:data\/)?[A-Za-z_]+)\.ndjson$/.exec(file.path)?.[1]
    const sha256 = await readMember(
      read,
      member,
      found,
      list,
      list !== undefined && Object.hasOwn(takers, list) ? takers[list] : undefined,
      manifest,
    )
    const table = RowCheck.members().get(file.path)
    for (const fault of table ? await runWithPauses(rows.end(table), pause) : []) {
      found.add({ ...fault, member: file.path })
    }
    hashes.push({ path: file.path, sha256 })
    if (sha256 !== file.sha256) {
      found.add({
        ...{ code: 'hashMismatch', member: file.path },
        message: 'Its SHA-256 is not that of the manifest.',
      })
    }
  }
  byName.delete(MANIFEST)
  for (const name of byName.keys()) {
    found.add({ code: 'unknownMember', member: name, message: 'The manifest does not list it.' })
  }
  const balances = forEachInSteps(known.accounts.values(), (account) => {
    for (const fault of faultsOfBalance(account, sums)) {
      found.add({ ...fault, member: 'accounts.ndjson' })
    }
  })
  await runWithPauses(balances, pause)
  await runWithPauses(compareRows(rows, known, sums, found), pause)
  compareFiles(rows, manifest, found)
  const contentHash = sha256Hex(linesToHash(hashes))
  if ((manifest.contentHash ?? contentHash) !== contentHash) {
    found.add({
      ...{ code: 'hashMismatch', member: MANIFEST },
      message: 'contentHash is not that of the files.',
    })
  }
  return {
    ...{
      manifest,
      contentHash,
      known,
      rows,
      files: manifest.files,
      missing: manifest.missing ?? [],
    },
    ...{ faultCount: found.count, faults: found.first },
  }
}

/** Finds differences between the rows and the lists of the archive. */
const compareRows = (
  rows: RowCheck,
  { accounts }: ListedIds,
  sums: AccountSums,
  found: Findings,
): Steps<void> =>
  forEachInSteps(accounts.values(), ({ id, currency }) => {
    const [sum, listed] = [rows.sums.get(id) ?? 0n, sums.get(id) ?? 0n]
    if (sum !== listed) {
      found.add({
        ...{ code: 'unbalanced', member: 'data/entries.ndjson' },
        message: `The lines of ${id} add up to ${formatMoney(sum, currency)}, but its transactions to ${formatMoney(listed, currency)}.`,
      })
    }
  })

/** Finds differences between the rows and the files of the archive. */
function compareFiles(rows: RowCheck, manifest: ReadManifest, found: Findings): void {
  const byPath = new Map(manifest.files.map((file) => [file.path, file]))
  for (const { path, size, sha256 } of rows.files) {
    const file = byPath.get(path)
    const isThere = file?.size === size && file.sha256 === sha256
    if (!isThere && !(manifest.missing ?? []).includes(path)) {
      found.add({
        ...{ code: 'missingMember', member: path },
        message: 'It is not in the archive, or is another file than its row says.',
      })
    }
  }
}

/** Refuses what is no archive of a backup, by its directory and its manifest. */
export async function requireArchive(read: ReadPart, size: number): Promise<void> {
  await manifestOf(read, await directoryOf(read, size))
}

/** The members of an archive by their names. */
export const membersOf = async (read: ReadPart, size: number): Promise<Map<string, ZipMember>> =>
  new Map((await directoryOf(read, size)).map((member) => [member.name, member]))

async function directoryOf(read: ReadPart, size: number): Promise<ZipMember[]> {
  try {
    return await readDirectory(read, size, ZIP_BOUNDS)
  } catch (error) {
    throw error instanceof BrokenZip ? backupErrors.brokenArchive({ reason: error.message }) : error
  }
}

/** The lists that others refer to come first, wherever they are in the archive. */
function inOrder<File extends { path: string }>(files: File[], lists: string[]): File[] {
  const placeOf = ({ path }: File) => {
    const place = lists.indexOf(path.replace(/\.ndjson$/, ''))
    return place === -1 ? lists.length : place
  }
  return files.toSorted((one, other) => placeOf(one) - placeOf(other))
}

const tableTakers = (found: Findings, rows: RowCheck): Record<string, TakeRow> =>
  Object.fromEntries(
    [...RowCheck.members()].map(([member, table]) => [
      member.replace(/\.ndjson$/, ''),
      (row, line) => {
        for (const fault of rows.take(table, row as object)) {
          found.add({ ...fault, member, line })
        }
      },
    ]),
  )

/** The parts that are kept of each row of the lists are short: an archive may have millions. */
const LONGEST_ID = 64
const LONGEST_NAME = 200
/**
 * The fields of an account that are compared: those that have been in the list since the first format, as accounts
 * get others later.
 */
const listedAccount = AccountResponseDTO.pick({
  id: true,
  name: true,
  currency: true,
  balance: true,
})

/** Archives of earlier versions say nothing of recurring items and exclusion from reports. */
const listedTransaction = TransactionResponse.partial({
  ...{ recurringId: true, recurringDate: true },
  excludeFromReports: true,
})

function takersFor(found: Findings, known: ListedIds, sums: AccountSums): Record<string, TakeRow> {
  const ids =
    (list: 'categories' | 'payees' | 'tags'): TakeRow =>
    (row, line) => {
      const { id } = row as { id?: unknown }
      if (typeof id === 'string' && id.length <= LONGEST_ID) {
        known[list].add(id)
      } else {
        malformed(`${list}.ndjson`, line)
      }
    }
  const malformed = (member: string, line: number) =>
    found.add({ code: 'malformedLine', member, line, message: 'A field is missing or wrong.' })
  return {
    categories: ids('categories'),
    payees: ids('payees'),
    tags: ids('tags'),
    accounts: (row, line) => {
      const account = listedAccount.safeParse(row).data
      const { id = '', currency = '', balance = '' } = account ?? {}
      if (account && Math.max(id.length, currency.length, balance.length) <= LONGEST_ID) {
        known.accounts.set(id, { id, name: account.name.slice(0, LONGEST_NAME), currency, balance })
      } else {
        malformed('accounts.ndjson', line)
      }
    },
    transactions: (row, line) => {
      const transaction = listedTransaction.safeParse(row).data
      if (!transaction) {
        malformed('transactions.ndjson', line)
        return
      }
      for (const fault of faultsOf(transaction, known, sums)) {
        found.add({ ...fault, member: 'transactions.ndjson', line })
      }
    },
  }
}

/** Reads a member and takes the lines of a list; gives the hash of its bytes. */
async function readMember(
  read: ReadPart,
  member: ZipMember,
  found: Findings,
  list: string | undefined,
  take: TakeRow | undefined,
  { counts }: ReadManifest,
): Promise<string> {
  const hash = startSha256()
  const lines = new ByteLines(member.name, found, take)
  const pause = pauseRegularly()
  try {
    for await (const chunk of openMember(read, member)) {
      hash.add(chunk)
      if (list !== undefined) {
        await runWithPauses(lines.add(chunk), pause)
      }
      await pause()
    }
    if (list !== undefined) {
      lines.end()
      const { count } = lines
      if (counts[list] !== undefined && counts[list] !== count) {
        found.add({
          ...{ code: 'wrongCount', member: member.name },
          message: `It has ${count} lines, and the manifest says ${counts[list]}.`,
        })
      }
    }
  } catch (error) {
    if (!(error instanceof BrokenZip)) {
      throw error
    }
    found.add({ code: 'brokenArchive', member: member.name, message: error.message })
  }
  return hash.digest()
}
