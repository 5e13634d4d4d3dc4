import { LargeMap, type LargeSet } from '../../../../domain/large-map.ts'
import { AppError } from '../../../../domain/errors.ts'
import { formatMoney, parseMoney } from '../../../../domain/money.ts'
import { coreOf, remainderId, transactionIdFrom, transferIdFrom } from '../../../../domain/ids.ts'

/** Bounds of an archive that is sent in one request. */
export const SENT_BYTES = 50 * 1024 ** 2
export const ZIP_BOUNDS = {
  ...{ members: 10_000, bytes: 2 * 1024 ** 3, ratio: 200 },
  isExact: true as const,
}
/** Units of text of a line: the database takes no larger parameter, so what is longer could not be restored. */
export const MOST_OF_LINE = 2_000_000
/** Objects and arrays of a line. Lists of the log have what was sent a few levels deeper. */
export const LINE_BOUNDS = { deepest: 100, most: 100_000 }
export const MOST_ARCHIVE_LINES = 2_000_000
/** Accounts whose balance is listed. */
export const MOST_BALANCES = 1000
/** Faults that are listed. */
export const MOST_FAULTS = 100

export const FAULTS = [
  'brokenArchive',
  'hashMismatch',
  'missingMember',
  'unknownMember',
  'malformedLine',
  'wrongCount',
  'unknownReference',
  'unbalanced',
] as const

/** Something that is wrong in an archive. */
export interface Fault {
  code: (typeof FAULTS)[number]
  member: string
  /** Line of the member, from 1 on. */
  line: number | null
  message: string
}

/** The fields of a transaction that refer to other rows, or say amounts. */
export interface ArchivedTransaction {
  id: string
  accountId: string
  currency: string
  signedAmount: string
  amount: string
  status: string
  categoryId: string | null
  payeeId: string | null
  tagIds: string[]
  splits: {
    amount: string
    categoryId: string | null
    payeeId: string | null
    tagIds: string[]
  }[]
}

export interface ArchivedAccount {
  id: string
  name: string
  currency: string
  balance: string
}

/** The ids in the lists that transactions refer to, by the names of the lists. */
export interface ListedIds {
  accounts: LargeMap<string, ArchivedAccount>
  categories: LargeSet<string>
  payees: LargeSet<string>
  tags: LargeSet<string>
}

/** Minor units by account. */
export type AccountSums = LargeMap<string, bigint>

/** Returns the faults of a single transaction, and adds it to the sum of its account. */
export function faultsOf(
  transaction: ArchivedTransaction,
  { accounts, categories, payees, tags }: ListedIds,
  sums: AccountSums,
): Pick<Fault, 'code' | 'message'>[] {
  const { id, accountId, currency, splits } = transaction
  const account = accounts.get(accountId)
  const labelled = [transaction, ...splits]
  const unknown = [
    ...(account && account.currency === currency ? [] : [accountId]),
    ...labelled.flatMap(({ categoryId }) => missingIn(categories, [categoryId])),
    ...labelled.flatMap(({ payeeId }) => missingIn(payees, [payeeId])),
    ...labelled.flatMap(({ tagIds }) => missingIn(tags, tagIds)),
  ]
  const references = unknown.map((one) => ({
    code: 'unknownReference' as const,
    message: `${id} refers to ${one}, which is not in the archive, or has another currency.`,
  }))
  // Only accounts that exist are summed: an archive may name others without end.
  return [
    ...references,
    ...unbalanced(transaction, account ? sums : new LargeMap<string, bigint>()),
  ]
}

const missingIn = (known: Pick<LargeSet<string>, 'has'>, ids: (string | null)[]): string[] =>
  ids.filter((id) => id !== null && !known.has(id)) as string[]

function unbalanced(
  { id, accountId, currency, signedAmount, amount, status, splits }: ArchivedTransaction,
  sums: AccountSums,
): Pick<Fault, 'code' | 'message'>[] {
  const signed = minorOf(signedAmount, currency)
  const whole = minorOf(amount, currency)
  const parts = splits.map((part) => minorOf(part.amount, currency))
  if (signed === undefined || whole === undefined || parts.includes(undefined)) {
    return [{ code: 'malformedLine', message: `${id} has an amount that cannot be read.` }]
  }
  sums.set(accountId, (sums.get(accountId) ?? 0n) + BigInt(status === 'void' ? 0 : signed))
  const total = parts.reduce<bigint>((sum, part) => sum + BigInt(part ?? 0), 0n)
  const isEven = Math.abs(signed) === whole && (parts.length === 0 || total === BigInt(whole))
  return isEven
    ? []
    : [{ code: 'unbalanced', message: `${id} has parts that do not add up to its amount.` }]
}

/** Returns a fault of an account whose balance is not the sum of its transactions. */
export function faultsOfBalance(
  { id, currency, balance }: ArchivedAccount,
  sums: AccountSums,
): Pick<Fault, 'code' | 'message'>[] {
  const sum = sums.get(id) ?? 0n
  const listed = minorOf(balance, currency)
  return listed !== undefined && BigInt(listed) === sum
    ? []
    : [
        {
          code: 'unbalanced',
          message: `${id} has the balance ${balance}, but its transactions add up to ${formatMoney(sum, currency)}.`,
        },
      ]
}

function minorOf(text: string, currency: string): number | undefined {
  try {
    return parseMoney(text, currency, { signed: true })
  } catch (error) {
    if (error instanceof AppError) {
      return undefined
    }
    throw error
  }
}

type Row = Readonly<Record<string, string | number | null>>
type Ids = ReadonlyMap<string, Pick<ReadonlySet<string>, 'has'>>

/**
 * Tells whether a row takes an id that is made of the id of another row, without being what has that id: the opening balance of an
 * account, the row that became a transfer, or what a transfer leaves behind when it is erased. The service would meet it where it
 * makes the id. Transfers come first.
 * @param ids those of the rows that came before, by table
 */
export function isTakenId(table: string, row: Row, ids: Ids): boolean {
  const id = String(row['id'] ?? row['transaction_id'])
  if (table === 'transactions') {
    const isOfAccount = ids.get('accounts')?.has(`acc_${coreOf(id)}`) === true
    const other = id.startsWith('trf_') ? transactionIdFrom(id) : transferIdFrom(id)
    const isOther = ids.get(table)?.has(other) === true
    return isOfAccount !== (row['kind'] === 'opening') || (isOther && row['matched_into'] !== other)
  }
  return (
    (table === 'entries' || table === 'unbooked_entries') &&
    row['side'] === 'account' &&
    typeof row['pair'] === 'number' &&
    ids.get('transactions')?.has(remainderId(id, row['pair'])) === true
  )
}
