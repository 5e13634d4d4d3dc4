import { LONGEST_TEXTS } from '../../../../domain/ledger-texts.ts'
import { METADATA_BYTES } from '../../../../domain/metadata.ts'
import { MAX_PARTS, singleEntries, type Split } from '../../../../domain/ledger.ts'
import {
  bankIdOf,
  bankKeysOf,
  type Hash,
  identitiesAs,
  type RowIdentity,
} from '../../../../domain/imports/identity.ts'
import type { SettledRow } from '../../../../domain/imports/rows.ts'
import type { SchemeOfAccount } from '../../../../domain/imports/trust.ts'
import { negate, parseMoney } from '../../../../domain/money.ts'
import type { AccountView } from '../../../money/accounts/accounts.public.ts'
import type { Draft, Header, PlacedDraft, Ready, Whole } from '../../../../ledger/ledger.public.ts'
import { labelsFrom, WHOLE } from '../../../../ledger/labels/labels.public.ts'
import type { Mapping } from '../imports.rules.ts'
import type { DecidedRow } from '../rows/pieces.rules.ts'
import type { CategoryIndex } from './categories.rules.ts'
import type { TagIndex } from './tags.rules.ts'

/** Cuts a text to a length, without half a character at its end. */
const cut = (text: string, most: number): string =>
  text.length <= most
    ? text
    : text
        .slice(0, most)
        .toWellFormed()
        .replace(/\ufffd$/, '')

/** The fields of an account that a booking needs. */
export type BookedAccount = Pick<AccountView['account'], 'id' | 'ownerId' | 'currency'>

/** A row that is to be booked or matched, with what the user said instead of the file. */
export interface Booking {
  decided: DecidedRow
  row: SettledRow
  account: BookedAccount
  date: string
  minor: number
}

/** Makes a booking from the values of the file and of the user; undefined if the row has no account, date or amount. */
export function bookingOf(
  decided: DecidedRow,
  accounts: ReadonlyMap<string, { account: BookedAccount }>,
): Booking | undefined {
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

/** The draft from which hooks find the payee of a row. */
export const draftOf = ({ decided: { overrides }, row, account, date, minor }: Booking): Draft => ({
  kind: minor < 0 ? 'expense' : 'income',
  accountId: account.id,
  date,
  // Hooks look at words alone.
  amount: '1',
  ...(row.source.payeeRaw === undefined
    ? {}
    : { payeeRaw: cut(row.source.payeeRaw, LONGEST_TEXTS.payeeRaw) }),
  ...(overrides.payeeId === undefined ? {} : { payeeId: overrides.payeeId }),
  ...(overrides.categoryId === undefined ? {} : { categoryId: overrides.categoryId }),
})

/** Particulars that fit, the most important first. */
function metadataOf(source: SettledRow['source']): string | null {
  if (source.ownMetadata) {
    return JSON.stringify(source.ownMetadata)
  }
  const said = source.counterAccount
    ? { counterAccount: source.counterAccount, ...source.metadata }
    : source.metadata
  const all = JSON.stringify(said)
  // A unit of text is three bytes at most.
  if (3 * all.length <= METADATA_BYTES && !Object.hasOwn(said, '__proto__')) {
    return all === '{}' ? null : all
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
  return Object.keys(kept).length === 0 ? null : JSON.stringify(kept)
}

/** The parts of a row, signed against the whole; none where the user changed what they add up to. */
function partsOf(
  { row, decided: { overrides }, minor }: Booking,
  categoryOf: (path: string[] | undefined, kind: 'expense' | 'income') => string | null,
): Split[] {
  const { parts } = row.source
  // The user books a row of too many parts as a whole.
  const isUsable = parts.length > 1 && parts.length <= MAX_PARTS
  if (!isUsable || overrides.amount !== undefined || overrides.categoryId !== undefined) {
    return []
  }
  const kind = minor < 0 ? 'expense' : 'income'
  return parts.map(({ category, description }, at) => {
    const signed = row.partMinors[at] ?? 0
    return {
      amountMinor: minor < 0 ? negate(signed) : signed,
      categoryId: categoryOf(category, kind),
      note: description === undefined ? null : cut(description, LONGEST_TEXTS.note),
    }
  })
}

type NewHeader = Partial<Header> & Pick<Header, 'id' | 'ownerId' | 'kind' | 'date'>

interface Making {
  id: string
  importId: string
  header: (said: NewHeader) => Header
  mapping: Mapping
  categories: CategoryIndex
  tags: TagIndex
  externalId: string | null
}

/** A transaction made of a row. */
export function wholeFrom(
  booking: Booking,
  ready: Ready<Draft & PlacedDraft>,
  { id, importId, header: headerOf, mapping, categories, tags, externalId }: Making,
): Whole {
  const { decided, row, account, date, minor } = booking
  const { overrides } = decided
  const { source } = row
  const kind = minor < 0 ? ('expense' as const) : ('income' as const)
  const wish = { ownerId: account.ownerId, mapping: mapping.categoryMap }
  const categoryOf = (path: string[] | undefined, of: 'expense' | 'income') =>
    path === undefined ? null : categories.find(path, { ...wish, kind: of })
  const splits = partsOf(booking, categoryOf)
  const own =
    overrides.categoryId === undefined
      ? (categoryOf(source.category, kind) ?? ready.categoryId ?? null)
      : overrides.categoryId
  const expenseCategoryIds = categories.expenseIds
  const status = source.pending ? 'pending' : (source.status ?? 'cleared')
  const leg = { accountId: account.id, ownerId: account.ownerId, currency: account.currency }
  const entries = singleEntries({
    kind,
    leg: { ...leg, status, externalId },
    date,
    signedMinor: minor,
    categoryId: splits.length > 0 ? null : own,
    splits,
    expenseCategoryIds,
  })
  const { original } = source
  const note = overrides.note === undefined ? (source.note ?? null) : overrides.note
  const header = headerOf({
    ...{ id, importId, kind, date, ownerId: account.ownerId, source: 'import' },
    time: source.time?.slice(0, 5) ?? null,
    description: cut(overrides.description ?? source.description ?? '', LONGEST_TEXTS.description),
    payeeRaw: source.payeeRaw === undefined ? null : cut(source.payeeRaw, LONGEST_TEXTS.payeeRaw),
    ...(original && row.originalMinor
      ? {
          originalAmountMinor: Math.abs(row.originalMinor),
          originalCurrency: original.currency,
          rate: original.rate ?? null,
        }
      : {}),
    note: note === null ? null : cut(note, LONGEST_TEXTS.note),
    metadata: metadataOf(source),
  })
  const payeeId = ready.payeeId ?? null
  const tagIds = overrides.tagIds ?? tags.find(source.tags, account.ownerId)
  const labels = labelsFrom([
    { line: WHOLE, payeeId, tagIds },
    ...splits.map((_, at) => ({
      // The account's own line is the first, then come the parts.
      ...{ line: entries[at + 1]?.line ?? WHOLE, payeeId: null },
      tagIds: tags.find(source.parts[at]?.tags ?? [], account.ownerId),
    })),
  ])
  return { header, entries, labels }
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
    /** Of a row that is booked beside its twin: what may identify it, what does so first. */
    again: (row: SettledRow, occurrence: number): string[] => {
      const [byText = '', byId] = identitiesAs(hash, row, occurrence)
      if (byId === undefined) {
        return [byText]
      }
      return isTrusted(row) ? [byId, byText] : [byText, byId]
    },
  }
}
