import type { SignedIn } from '../../../platform/context.ts'
import type { Content } from '../../../platform/owned-data/exports.ts'
import { ownedData } from '../../../platform/owned-data/owned-data.ts'
import { cutPage, type Position } from '../../../platform/database/paging.ts'
import { readOrStop } from '../../../platform/work/tasks.ts'
import type { LedgerRow } from '../../../ledger/ledger.public.ts'
import { filterFrom, longPage, positionOf } from '../../../ledger/search/search.public.ts'
import { owns } from '../../identity/access/access.public.ts'
import {
  type AccountView,
  classOf,
  presentAccount,
  visibleAccounts,
} from '../../money/accounts/accounts.public.ts'
import {
  assertionFrom,
  assertionsToCheck,
} from '../../money/balance-assertions/balance-assertions.public.ts'
import {
  presentTransaction,
  type ExportedRow,
} from '../../money/transaction-views/transaction-views.public.ts'
import type { StoredExport } from './exports.queries.ts'
import type { ExportContent, ExportFormat } from './exports.rules.ts'
import type { Book, BookAccount, BookCategory, StatedBalance } from './formats/postings.rules.ts'

/** Rows of a page: what is in memory at one time. */
const PAGE = 500

/** The data from which an export is made. */
export interface Source {
  owner: SignedIn
  wish: StoredExport
  book: Book
  /** Accounts that are exported, by id. */
  views: AccountView[]
  counts: Partial<Record<ExportContent, number>>
}

/** The owners of the accounts that an export covers: whose changes matter to it. */
export const ownersOf = ({ owner, views }: Pick<Source, 'owner' | 'views'>): string[] => [
  ...new Set([owner.caller.userId, ...views.map(({ account }) => account.ownerId)]),
]

/** The caller as a restricted token was, so that an export for it tells nothing of other accounts. */
function actingFor(owner: SignedIn, { restrictedTo }: StoredExport): SignedIn {
  if (restrictedTo === null) {
    return owner
  }
  const baseToken = { id: '', name: '', scopes: [], expiresAt: null, sessionOnly: [] }
  return {
    ...owner,
    caller: { ...owner.caller, token: { ...baseToken, accountIds: restrictedTo } },
  }
}

export async function openExportSource(owner: SignedIn, wish: StoredExport): Promise<Source> {
  const [views] = await readOrStop(owner, visibleAccounts(owner))
  const covered = views
    .filter(({ account }) => isCovered(owner, wish, account))
    .toSorted((one, other) => (one.account.id < other.account.id ? -1 : 1))
  const named = views.filter(({ account }) => wish.restrictedTo?.includes(account.id) ?? true)
  const book: Book = {
    accounts: new Map(named.map(({ account }) => [account.id, accountOf(account)])),
    inScope: new Set(covered.map(({ account }) => account.id)),
    categories: await categoriesOf(owner),
    payees: await namesOf(owner, 'payees'),
    tags: await namesOf(owner, 'tags'),
    scope: scopeInWords(wish, covered),
    links: wish.format === 'beancount' ? await linksOf(owner) : new Map(),
  }
  return { owner: actingFor(owner, wish), wish, book, views: covered, counts: {} }
}

function isCovered(
  { caller }: SignedIn,
  { accountIds, scope }: StoredExport,
  account: AccountView['account'],
): boolean {
  return accountIds === null
    ? (scope.shared || owns(caller, account)) && (scope.accountId?.includes(account.id) ?? true)
    : accountIds.includes(account.id)
}

/** All transactions of the user's own accounts, to be written in this format. */
export async function openOwn(owner: SignedIn, format: ExportFormat): Promise<Source> {
  const [views] = await readOrStop(owner, visibleAccounts(owner))
  const own = views.filter(({ account }) => owns(owner.caller, account))
  return openExportSource(owner, {
    format,
    options: {},
    scope: { shared: false, what: ['transactions'] },
    accountIds: own.map(({ account }) => account.id),
    restrictedTo: null,
  })
}

const accountOf = ({ id, name, type, currency }: AccountView['account']): BookAccount => ({
  id,
  name,
  type,
  currency,
  class: classOf(type),
})

function scopeInWords({ scope, restrictedTo }: StoredExport, covered: AccountView[]): string {
  const { accountId, shared, what: _, ...filter } = scope
  const isOfAll = accountId === undefined && restrictedTo === null
  const accounts = isOfAll
    ? `all accounts${shared ? ', with shared ones' : ''}`
    : `accounts ${covered.map(({ account }) => account.name).join(', ')}`
  const rest = Object.entries(filter).map(
    ([field, value]) =>
      `${field} ${typeof value === 'object' ? JSON.stringify(value) : String(value)}`,
  )
  return [accounts, ...rest].join('; ')
}

/** Lists that exports are made from. */
type Listed = ExportContent | 'transactionLinks'

const contentOf = (name: Listed): Content => {
  const found = ownedData()
    .flatMap(({ exports = [] }) => exports)
    .find((one) => one.name === name)
  if (!found) {
    throw new Error(`no area exports ${name}`)
  }
  return found
}

async function namesOf(owner: SignedIn, name: 'payees' | 'tags'): Promise<Map<string, string>> {
  const names = new Map<string, string>()
  for await (const page of pagesOf(owner, name)) {
    for (const { id, name: own } of page as { id: string; name: string }[]) {
      names.set(id, own)
    }
  }
  return names
}

async function linksOf(owner: SignedIn): Promise<Map<string, string[]>> {
  const links = new Map<string, string[]>()
  for await (const page of pagesOf(owner, 'transactionLinks')) {
    for (const { id, sourceId, targetId } of page as {
      id: string
      sourceId: string
      targetId: string
    }[]) {
      for (const end of [sourceId, targetId]) {
        links.set(end, [...(links.get(end) ?? []), id])
      }
    }
  }
  return links
}

async function categoriesOf(owner: SignedIn): Promise<Map<string, BookCategory>> {
  const rows = new Map<
    string,
    { id: string; name: string; kind: BookCategory['kind']; parentId: string | null }
  >()
  for await (const page of pagesOf(owner, 'categories')) {
    for (const row of page as {
      id: string
      name: string
      kind: BookCategory['kind']
      parentId: string | null
    }[]) {
      rows.set(row.id, row)
    }
  }
  const pathOf = (id: string | null): string[] => {
    const row = id === null ? undefined : rows.get(id)
    return row ? [...pathOf(row.parentId), row.name] : []
  }
  return new Map([...rows.values()].map(({ id, kind }) => [id, { id, kind, path: pathOf(id) }]))
}

async function* pagesOf(owner: SignedIn, name: Listed): AsyncGenerator<object[]> {
  // The bytes of files are in backups alone.
  for await (const page of contentOf(name).pages(owner, () => undefined)) {
    await readOrStop(owner)
    yield page
  }
}

/** The rows of one kind, as the lists of the API tell them. */
export async function* rowsOf(source: Source, name: ExportContent): AsyncGenerator<object> {
  for await (const row of unfiltered(source, name)) {
    const { accountId } = row as { accountId?: string }
    if (accountId === undefined || source.book.inScope.has(accountId)) {
      source.counts[name] = (source.counts[name] ?? 0) + 1
      yield row
    }
  }
}

async function* unfiltered(source: Source, name: ExportContent): AsyncGenerator<object> {
  if (name === 'accounts') {
    yield* source.views.map(presentAccount)
    return
  }
  if (name === 'transactions') {
    for await (const { view } of exportedLines(source)) {
      yield view
    }
    return
  }
  for await (const page of pagesOf(source.owner, name)) {
    yield* page
  }
}

/** The balance assertions that are exported, by the last day that counts: those of all lines of an account that the user sees. */
export async function assertionsOf({ owner, wish, book }: Source): Promise<StatedBalance[]> {
  const { options, scope } = wish
  if (!options.assertions) {
    return []
  }
  const [views] = await readOrStop(owner, assertionsToCheck(owner, {}))
  return views
    .map(assertionFrom)
    .filter(
      ({ row: { accountId, basis, through }, outcome }) =>
        basis === 'balance' &&
        outcome.ok !== null &&
        book.inScope.has(accountId) &&
        (scope.to === undefined || through <= scope.to),
    )
    .map(({ row, currency }) => ({ ...row, currency }))
    .toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1))
}

const keyOf = ({ through, date, id }: StatedBalance) => `${through} ${date} ${id}`

/** The lines of accounts, by date and then by id. @param accountId in place of all that are exported */
export async function* exportedLines(
  { owner, wish, book }: Source,
  accountId?: string,
): AsyncGenerator<ExportedRow> {
  const { accountId: _, shared: __, what: ___, ...selected } = wish.scope
  const filter = await filterFrom(
    owner,
    accountId === undefined
      ? { ...selected, accountIds: [...book.inScope] }
      : { ...selected, accountId },
  )
  let after: Position | undefined
  do {
    const page = { limit: PAGE, after }
    let found: LedgerRow[] = []
    for (const finder of longPage(owner, filter, page, 'date')) {
      if (found.length <= page.limit) {
        ;[found] = await readOrStop(owner, finder)
      }
    }
    const { rows, next } = cutPage(found, page, (row) => positionOf(row, 'date'))
    yield* rows.map((row) => ({ row, view: presentTransaction(row, owner) }))
    after = next ?? undefined
  } while (after)
}

/** Yields each transaction of the source once. */
export async function* wholesOf(source: Source): AsyncGenerator<ExportedRow> {
  let last: string | undefined
  for await (const shown of counted(source, exportedLines(source))) {
    // The lines of a transaction have its date, so they stand together.
    if (shown.row.transactionId !== last) {
      last = shown.row.transactionId
      yield shown
    }
  }
}

export async function* counted(
  source: Source,
  all: AsyncGenerator<ExportedRow>,
): AsyncGenerator<ExportedRow> {
  for await (const shown of all) {
    source.counts.transactions = (source.counts.transactions ?? 0) + 1
    yield shown
  }
}
