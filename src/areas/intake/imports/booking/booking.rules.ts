import { LONGEST_TEXTS, MOST_TAGS, MOST_TAGS_OF_PARTS } from '../../../../domain/ledger-ids.ts'
import { METADATA_BYTES } from '../../../../domain/metadata.ts'
import { isRate } from '../../../../domain/exchange.ts'
import { MAX_PARTS } from '../../../../domain/ledger.ts'
import {
  bankIdOf,
  bankKeysOf,
  type Hash,
  identitiesAs,
  type RowIdentity,
} from '../../../../domain/imports/identity.ts'
import type { SettledRow } from '../../../../domain/imports/rows.ts'
import type { SchemeOfAccount } from '../../../../domain/imports/trust.ts'
import { cutText, foldKey } from '../../../../domain/text.ts'
import { formatMoney, negate, parseMoney } from '../../../../domain/money.ts'
import type { AccountView } from '../../../money/accounts/accounts.public.ts'
import {
  type DraftPart,
  type AccountLocks,
  daysChanged,
  lockRefusal,
  type Whole,
} from '../../../../ledger/ledger.public.ts'
import type { RecordDraft } from '../../../money/transactions/transactions.public.ts'
import type { NamedTag } from '../../../money/tags/tags.public.ts'
import type { Mapping } from '../imports.rules.ts'
import type { DecidedRow } from '../rows/pieces.rules.ts'
import type { CategoryIndex } from './making.rules.ts'

/** The fields of an account that a booking needs. */
export type BookedAccount = Pick<AccountView['account'], 'id' | 'ownerId' | 'currency'>

/** A row that is to be booked or matched, with what the user said instead of the file. */
export interface RowBooking {
  decided: DecidedRow
  row: SettledRow
  account: BookedAccount
  date: string
  minor: number
}

/** Makes a booking from the values of the file and of the user; undefined if the row has no account, date or amount. */
export function bookingOfRow(
  decided: DecidedRow,
  accounts: ReadonlyMap<string, { account: BookedAccount }>,
): RowBooking | undefined {
  const { row } = decided.read
  const { overrides } = decided
  const account = accounts.get(overrides.accountId ?? row.accountId)?.account
  const date = overrides.date ?? row.date
  if (!account || date === undefined) {
    return undefined
  }
  const minor =
    overrides.amount === undefined
      ? row.minor
      : parseMoney(overrides.amount, account.currency, { signed: true })
  // A row that takes another one back books nothing itself.
  const isWithdrawal = decided.verdict === 'updated' && row.source.correction?.action === 'delete'
  return minor === undefined || (minor === 0 && !isWithdrawal)
    ? undefined
    : { decided, row, account, date, minor }
}

/** Particulars that fit, the most important first. */
function metadataOf(source: SettledRow['source']): Record<string, unknown> | null {
  if (source.ownMetadata) {
    return source.ownMetadata
  }
  const said = source.counterAccount
    ? { counterAccount: source.counterAccount, ...source.metadata }
    : source.metadata
  const all = JSON.stringify(said)
  // A unit of text is three bytes at most.
  if (3 * all.length <= METADATA_BYTES && !Object.hasOwn(said, '__proto__')) {
    return all === '{}' ? null : said
  }
  const kept: Record<string, string> = {}
  let bytes = 2
  for (const [name, value] of Object.entries(said)) {
    bytes += new TextEncoder().encode(JSON.stringify({ [name]: value })).length
    if (bytes > METADATA_BYTES || name === '__proto__') {
      break
    }
    kept[name] = value
  }
  return Object.keys(kept).length === 0 ? null : kept
}

/** Finds labels of the owner of a row by what the file calls them. */
interface LabelFinder {
  category: (path: string[] | undefined) => string | undefined
  tags: (names: string[] | undefined) => string[]
}

/** The parts of a row, signed against the whole; none where the user changed what they add up to. */
function partsOf({ row, decided, minor, account }: RowBooking, find: LabelFinder): DraftPart[] {
  const { parts } = row.source
  const { overrides } = decided
  // The user books a row of too many parts as a whole.
  const isUsable = parts.length > 1 && parts.length <= MAX_PARTS
  if (!isUsable || overrides.amount !== undefined || overrides.categoryId !== undefined) {
    return []
  }
  let tagsLeft = MOST_TAGS_OF_PARTS
  return parts.map(({ category, description, tags }, at) => {
    const signed = row.partMinors[at] ?? 0
    const tagIds = find.tags(tags).slice(0, tagsLeft)
    tagsLeft -= tagIds.length
    return {
      amount: formatMoney(minor < 0 ? negate(signed) : signed, account.currency),
      categoryId: find.category(category),
      note: description === undefined ? null : cutText(description, LONGEST_TEXTS.note),
      tagIds,
    }
  })
}

interface Making {
  id: string
  importId: string
  externalId: string | null
  mapping: Mapping
  categories: CategoryIndex
  tags: TagIndex
}

/** The draft of the transaction that a row is, with what the user said instead of the file. */
export function draftOf(
  booking: RowBooking,
  { id, importId, mapping, categories, tags, externalId }: Making,
): RecordDraft {
  const { decided, row, account, date, minor } = booking
  const { overrides } = decided
  const { source } = row
  const { ownerId, currency } = account
  const kind = minor < 0 ? ('expense' as const) : ('income' as const)
  const wish = { ownerId, kind, mapping: mapping.categoryMap }
  const find: LabelFinder = {
    category: (path) => (path && categories.find(path, wish)) ?? undefined,
    tags: (names = []) => tags.find(names, ownerId),
  }
  const splits = partsOf(booking, find)
  const { payeeRaw, original } = source
  const note = overrides.note === undefined ? source.note : overrides.note
  const categoryId =
    overrides.categoryId === undefined ? find.category(source.category) : overrides.categoryId
  return {
    ...{
      isHalf: decided.verdict === 'transfer',
      id,
      importId,
      source: 'import',
      kind,
      accountId: account.id,
      date,
      externalId,
    },
    status: source.pending ? 'pending' : (source.status ?? 'cleared'),
    amount: formatMoney(Math.abs(minor), currency),
    time: source.time?.slice(0, 5),
    description: cutText(
      overrides.description ?? source.description ?? '',
      LONGEST_TEXTS.description,
    ),
    payeeRaw: payeeRaw && cutText(payeeRaw, LONGEST_TEXTS.payeeRaw),
    payeeId: overrides.payeeId,
    note: note && cutText(note, LONGEST_TEXTS.note),
    metadata: metadataOf(source),
    tagIds: overrides.tagIds ?? find.tags(source.tags),
    ...(splits.length > 0 ? { splits } : { categoryId }),
    ...(original && row.originalMinor
      ? {
          originalAmount: formatMoney(Math.abs(row.originalMinor), original.currency),
          originalCurrency: original.currency,
          rate: original.rate && isRate(original.rate) ? original.rate : null,
        }
      : {}),
  }
}

/**
 * A row that was left out of the file's identities, and that its user books or matches: it is one like any other then. Its number is
 * the first that its account does not know.
 */
export function identified(decided: DecidedRow, hash: Hash): DecidedRow {
  const { note, read } = decided
  const isWanted = note?.decision === 'book' || note?.decision === 'match'
  if (!isWanted || read.identity !== undefined) {
    return decided
  }
  const { ignored: _, ...row } = read.row
  const [byText = '', byId] = identitiesAs(hash, row, 1)
  const bankId = byId === undefined ? undefined : bankIdOf(row)
  const [bankKey] = bankKeysOf(hash, bankId ? [bankId] : [])
  const identity = {
    ...{ byText, occurrence: 0 },
    ...(byId === undefined ? {} : { byId }),
    ...(bankKey === undefined ? {} : { bankKey }),
  }
  return { ...decided, read: { ...read, row, identity } }
}

/** Makes the identities of the rows of a file; untrusted bank ids do not count. */
export function identityKeys(untrusted: SchemeOfAccount[], hash: Hash) {
  const lost = new Set(untrusted.map(({ accountId, scheme }) => `${accountId}\n${scheme}`))
  const isTrusted = ({ accountId, source }: SettledRow) =>
    source.bankId !== undefined && !lost.has(`${accountId}\n${source.bankId.scheme}`)
  return {
    isTrusted,
    keyOf: (row: SettledRow, { byId, byText }: RowIdentity): string =>
      byId !== undefined && isTrusted(row) ? byId : byText,
    /** Returns the identities of a row that is booked although an equal row is known, the preferred one first. */
    again: (row: SettledRow, occurrence: number): string[] => {
      const [byText = '', byId] = identitiesAs(hash, row, occurrence)
      if (byId === undefined) {
        return [byText]
      }
      return isTrusted(row) ? [byId, byText] : [byText, byId]
    },
  }
}

/** A list in parts of one size, of which the last may be shorter. */
export const slices = <Item>(all: Item[], size: number): Item[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, at) =>
    all.slice(at * size, (at + 1) * size),
  )

/** The locks of accounts, and what the caller may do with them. */
export const locksOfViews = (views: AccountView[]): AccountLocks[] =>
  views.map(({ account: { id, lockedThrough, hardLockedThrough }, seen: { rank } }) => ({
    ...{ id, lockedThrough, hardLockedThrough, rank },
  }))

type Entries = Whole['entries']

/** Tells whether a lock is in the way of a change of lines. */
export const lockWatcher = (views: AccountView[], force: boolean | undefined) => {
  const locks = locksOfViews(views)
  return (before: Entries | undefined, after: Entries | undefined): boolean =>
    lockRefusal(daysChanged(before, after), locks, { force }) !== undefined
}

/** Finds tags by what files call them. */
export interface TagIndex {
  /** The tags of one owner that have these names, as many as a transaction may have. */
  find: (names: string[], ownerId: string) => string[]
  /** The names that no tag of the owner has. */
  unknown: (names: string[], ownerId: string) => string[]
}

export function tagIndex(tags: NamedTag[]): TagIndex {
  const byName = new Map(tags.map(({ id, ownerId, nameKey }) => [`${ownerId} ${nameKey}`, id]))
  const idOf = (name: string, ownerId: string) => byName.get(`${ownerId} ${foldKey(name)}`)
  return {
    find: (names, ownerId) =>
      [...new Set(names.flatMap((name) => idOf(name, ownerId) ?? []))].slice(0, MOST_TAGS),
    unknown: (names, ownerId) =>
      [...new Set(names)].filter((name) => idOf(name, ownerId) === undefined),
  }
}
