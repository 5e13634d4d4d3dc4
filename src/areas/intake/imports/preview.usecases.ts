import { countRows, type RowCounts } from '../../../domain/imports/counts.ts'
import type { StoredRow } from '../../../domain/imports/verdicts.ts'
import type { SignedIn } from '../../../platform/context.ts'
import { read } from '../../../platform/database/database.ts'
import { ledgerSidesOf } from '../../../ledger/ledger.public.ts'
import { owns } from '../../identity/access/access.public.ts'
import { type AccountView, visibleAccounts } from '../../money/accounts/accounts.public.ts'
import { namedTags } from '../../money/tags/tags.public.ts'
import {
  type BookedAccount,
  type RowBooking,
  bookingOfRow,
  type TagIndex,
  tagIndex,
} from './booking/booking.rules.ts'
import { categoriesOfOwners, balancesOfUnopened } from './booking/booking.queries.ts'
import { type CategoryIndex, categoryIndex, isMade, pathText } from './booking/making.rules.ts'
import { importErrors } from './imports.errors.ts'
import {
  chunksOf,
  importById,
  notesOf,
  type ShownStatement,
  statementsShown,
} from './imports.queries.ts'
import { lateOpenings, mayOpen } from './booking/last-steps.usecases.ts'
import { openingFrom } from './booking/making.usecases.ts'
import { effectOf } from './booking/matched.rules.ts'
import type { ForeignAccount, Mapping } from './imports.rules.ts'
import { decidedRow, type DecidedRow } from './rows/pieces.rules.ts'
import { emptyAccounts } from './rows/rows.queries.ts'
import { readPiece } from './rows/rows.usecases.ts'

/** The effect that a commit would have on an account. */
export interface AccountPreview {
  accountId: string
  accountName: string
  currency: string
  counts: RowCounts
  beforeMinor: number
  afterMinor: number
  /** The balance that an account had before the file, if the file states it. */
  proposed: Proposal | null
}

/** An opening balance, which the commit books only on accounts that an import has created. */
export interface Proposal {
  minor: number
  date: string | null
  isBooked: boolean
}

/** An account that is there, or that the commit opens. */
interface Previewed {
  account: BookedAccount
  name: string
  beforeMinor: number
  /** Before the rows are booked. */
  openedMinor: number
}

const both = (minor: number) => ({ beforeMinor: minor, openedMinor: minor })

export interface Preview {
  accounts: AccountPreview[]
  /** Categories of the file that no own one is known for, with how many rows have them. */
  unmapped: { name: string; rows: number }[]
  /** Tags of the file that no own one has the name of. */
  unmappedTags: { name: string; rows: number }[]
  vanished: StoredRow[]
  statements: ShownStatement[]
  analysedAt: number | null
}

/** More numbers than notes of an import can have. */
const MOST = Number.MAX_SAFE_INTEGER

const BOOKED = ['new', 'transfer']

/** The names of tags that a row brings, unless the user has said others. */
const tagsIn = ({ read: { row }, overrides }: DecidedRow): string[] =>
  overrides.tagIds === undefined
    ? [...row.source.tags, ...row.source.parts.flatMap(({ tags = [] }) => tags)]
    : []

function proposedFor(
  statements: ShownStatement[],
  account: BookedAccount,
): AccountPreview['proposed'] {
  const { minor, openingDate = null } = openingFrom(statements, account)
  return minor === 0 ? null : { minor, date: openingDate, isBooked: false }
}

/** Transactions that rows would change. */
const MOST_LINES = 20_000

/** Finds the changes of balances by rows that update or remove transactions. */
async function effectsOf(
  ctx: SignedIn,
  rows: DecidedRow[],
  accounts: ReadonlyMap<string, Previewed>,
): Promise<[accountId: string, minor: number][]> {
  if (rows.length === 0) {
    return []
  }
  const ids = [...new Set(rows.flatMap(({ matchedId }) => matchedId ?? []))]
  const [stored] = await read(ctx, ledgerSidesOf(ctx, ids, MOST_LINES))
  const sides = new Map(
    stored.toReversed().map((side) => [`${side.transactionId} ${side.accountId}`, side]),
  )
  return rows.flatMap((found): [string, number][] => {
    const booking = bookingOfRow(found, accounts)
    const there = sides.get(`${found.matchedId} ${booking?.account.id}`)
    return booking && there ? [[booking.account.id, effectOf(booking, there)]] : []
  })
}

/** Adds up what a commit would book of the rows of an import. */
class Tally {
  readonly #caller: { userId: string }
  readonly #accounts: ReadonlyMap<string, Previewed>
  readonly #categories: CategoryIndex
  readonly #categoryMap: Mapping['categoryMap']
  readonly #tags: TagIndex
  /** By account, as are the sums. */
  readonly rows = new Map<string, DecidedRow[]>()
  readonly sums = new Map<string, number>()
  /** Accounts that the user has the opening row booked on. */
  readonly opened = new Set<string>()
  readonly updated: DecidedRow[] = []
  readonly unmapped = new Map<string, number>()
  readonly unmappedTags = new Map<string, number>()

  constructor(
    caller: { userId: string },
    accounts: ReadonlyMap<string, Previewed>,
    own: { categories: CategoryIndex; categoryMap: Mapping['categoryMap']; tags: TagIndex },
  ) {
    this.#caller = caller
    this.#accounts = accounts
    this.#categories = own.categories
    this.#categoryMap = own.categoryMap
    this.#tags = own.tags
  }

  add(found: DecidedRow): void {
    const { row } = found.read
    const accountId = found.overrides.accountId ?? row.accountId
    const others = this.rows.get(accountId) ?? []
    others.push(found)
    this.rows.set(accountId, others)
    if (found.verdict === 'updated') {
      this.updated.push(found)
    }
    const booking = BOOKED.includes(found.verdict) ? bookingOfRow(found, this.#accounts) : undefined
    if (!booking) {
      return
    }
    if (row.ignored === 'opening') {
      this.opened.add(accountId)
    }
    this.addMoney(accountId, booking.minor)
    this.#addCategory(booking)
    for (const name of this.#tags.unknown(tagsIn(found), booking.account.ownerId)) {
      increase(this.unmappedTags, name, 1)
    }
  }

  addMoney(accountId: string, minor: number): void {
    increase(this.sums, accountId, minor)
  }

  #addCategory({ row, account, minor }: RowBooking): void {
    const path = row.source.category
    if (!path) {
      return
    }
    const isMadeFor = owns(this.#caller, account) && isMade(path, this.#categoryMap)
    const wish = {
      kind: minor < 0 ? ('expense' as const) : ('income' as const),
      ...{ ownerId: account.ownerId, mapping: this.#categoryMap },
    }
    if (!isMadeFor && this.#categories.find(path, wish) === null) {
      increase(this.unmapped, pathText(path), 1)
    }
  }
}

const increase = (sums: Map<string, number>, key: string, by: number) =>
  sums.set(key, (sums.get(key) ?? 0) + by)

/** The accounts that the caller sees, and those that the commit opens. */
function accountsOf(
  ctx: SignedIn,
  views: AccountView[],
  foreign: ForeignAccount[],
  statements: ShownStatement[],
): Map<string, Previewed> {
  const accounts = new Map<string, Previewed>(
    views.map(({ account, balances }) => [
      account.id,
      { account, name: account.name, ...both(balances.balanceMinor) },
    ]),
  )
  for (const { create } of foreign) {
    if (create) {
      const account = { ...create, ownerId: ctx.caller.userId }
      const { minor } = openingFrom(statements, create)
      const { name } = create
      accounts.set(create.id, { account, name, beforeMinor: 0, openedMinor: minor })
    }
  }
  return accounts
}

/** Calculates the effect of a commit from the verdicts and decisions. */
export async function previewImport(ctx: SignedIn, id: string): Promise<Preview> {
  const [[row], chunks, notes, views, statements, categories, tags, empty, unopened] = await read(
    ctx,
    importById(ctx, id),
    chunksOf(id),
    notesOf(id, 1, MOST),
    visibleAccounts(ctx),
    statementsShown(ctx, id),
    categoriesOfOwners(ctx),
    namedTags(ctx),
    emptyAccounts(id),
    balancesOfUnopened(id),
  )
  if (!row) {
    throw importErrors.notFound()
  }
  if (row.state !== 'previewed') {
    throw importErrors.notPreviewed({ state: row.state })
  }
  const byRow = new Map(notes.map((note) => [note.row, note]))
  const foreign = JSON.parse(row.accounts) as ForeignAccount[]
  const accounts = accountsOf(ctx, views, foreign, statements)
  const { categoryMap } = JSON.parse(row.mapping) as Mapping
  const tally = new Tally(ctx.caller, accounts, {
    ...{ categories: categoryIndex(categories), categoryMap, tags: tagIndex(tags) },
  })
  for (const chunk of chunks) {
    for (const one of await readPiece(ctx, chunk)) {
      tally.add(decidedRow(one, byRow.get(one.row.at + 1)))
    }
  }
  for (const [accountId, minor] of await effectsOf(ctx, tally.updated, accounts)) {
    tally.addMoney(accountId, minor)
  }
  const late = new Map(
    (mayOpen(ctx) ? lateOpenings(unopened) : []).map(({ accountId, minor, date }) => [
      accountId,
      { minor, date, isBooked: true },
    ]),
  )
  const lacksOpening = (accountId: string) =>
    empty.some((one) => one.id === accountId) && !tally.opened.has(accountId)
  return {
    accounts: [...tally.rows].flatMap(([accountId, found]) => {
      const view = accounts.get(accountId)
      return view
        ? [
            {
              ...{ accountId, accountName: view.name, currency: view.account.currency },
              counts: countRows(found),
              beforeMinor: view.beforeMinor,
              afterMinor:
                view.openedMinor +
                (late.get(accountId)?.minor ?? 0) +
                (tally.sums.get(accountId) ?? 0),
              proposed:
                late.get(accountId) ??
                (lacksOpening(accountId) ? proposedFor(statements, view.account) : null),
            },
          ]
        : []
    }),
    unmapped: [...tally.unmapped].map(([name, rows]) => ({ name, rows })),
    unmappedTags: [...tally.unmappedTags].map(([name, rows]) => ({ name, rows })),
    vanished: JSON.parse(row.vanished) as StoredRow[],
    statements,
    analysedAt: row.analysedAt,
  }
}
