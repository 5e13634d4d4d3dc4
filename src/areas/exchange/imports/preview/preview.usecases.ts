import { countRows, type RowCounts } from '../../../../domain/imports/counts.ts'
import type { StoredRow } from '../../../../domain/imports/verdicts.ts'
import type { SignedIn } from '../../../../platform/context.ts'
import { read } from '../../../../platform/database.ts'
import { ledgerSidesOf } from '../../../../ledger/ledger.public.ts'
import { owns } from '../../../identity/access/access.public.ts'
import { visibleAccounts } from '../../../money/accounts/accounts.public.ts'
import { namedTags } from '../../../money/tags/tags.public.ts'
import { type BookedAccount, bookingOf } from '../booking/booking.rules.ts'
import { namedCategories } from '../booking/booking.queries.ts'
import { categoryIndex, pathText } from '../booking/categories.rules.ts'
import { tagIndex } from '../booking/tags.rules.ts'
import { importErrors } from '../imports.errors.ts'
import {
  chunksOf,
  importById,
  notesOf,
  type ShownStatement,
  statementsShown,
} from '../imports.queries.ts'
import { isMade, openingFrom } from '../booking/making.usecases.ts'
import { effectOf } from '../booking/matched.rules.ts'
import type { ForeignAccount, Mapping } from '../imports.rules.ts'
import { decidedRow, type DecidedRow } from '../rows/pieces.rules.ts'
import { emptyAccounts } from './preview.queries.ts'
import { readPiece } from '../rows/pieces.usecases.ts'

/** The effect that a commit would have on an account. */
export interface AccountPreview {
  accountId: string
  accountName: string
  currency: string
  counts: RowCounts
  beforeMinor: number
  afterMinor: number
  /** What the file says that an account had before, which nothing is booked on yet. */
  proposed: { minor: number; date: string | null } | null
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
  return minor === 0 ? null : { minor, date: openingDate }
}

/** Transactions that rows would change. */
const MOST_LINES = 20_000

/** What rows change the balances of accounts by that update transactions, or take them back. */
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
  return rows.flatMap((found): [string, number][] => {
    const booking = bookingOf(found, accounts)
    const there = stored.find(
      ({ transactionId, accountId }) =>
        transactionId === found.matchedId && accountId === booking?.account.id,
    )
    return booking && there ? [[booking.account.id, effectOf(booking, there)]] : []
  })
}

/** Calculates the effect of a commit from the verdicts and decisions. */
export async function previewImport(ctx: SignedIn, id: string): Promise<Preview> {
  const [[row], chunks, notes, views, statements, categories, tags, empty] = await read(
    ctx,
    importById(ctx, id),
    chunksOf(id),
    notesOf(id, 1, MOST),
    visibleAccounts(ctx),
    statementsShown(ctx, id),
    namedCategories(ctx),
    namedTags(ctx),
    emptyAccounts(id),
  )
  if (!row) {
    throw importErrors.notFound()
  }
  if (row.state !== 'previewed') {
    throw importErrors.notPreviewed({ state: row.state })
  }
  const byRow = new Map(notes.map((note) => [note.row, note]))
  const accounts = new Map<string, Previewed>(
    views.map((view) => [
      view.account.id,
      { account: view.account, name: view.account.name, ...both(view.balances.balanceMinor) },
    ]),
  )
  for (const { create } of JSON.parse(row.accounts) as ForeignAccount[]) {
    if (create) {
      const account = { ...create, ownerId: ctx.caller.userId }
      const { minor } = openingFrom(statements, create)
      const { name } = create
      accounts.set(create.id, { account, name, beforeMinor: 0, openedMinor: minor })
    }
  }
  const index = categoryIndex(categories)
  const ownTags = tagIndex(tags)
  const { categoryMap } = JSON.parse(row.mapping) as Mapping
  const decided = new Map<string, DecidedRow[]>()
  const sums = new Map<string, number>()
  /** Accounts that the user has the opening row booked on. */
  const opened = new Set<string>()
  const updated: DecidedRow[] = []
  const unmapped = new Map<string, number>()
  const unmappedTags = new Map<string, number>()
  for (const chunk of chunks) {
    for (const one of await readPiece(ctx, chunk)) {
      const found = decidedRow(one, byRow.get(one.row.at + 1))
      const accountId = found.overrides.accountId ?? one.row.accountId
      const some = decided.get(accountId) ?? []
      some.push(found)
      decided.set(accountId, some)
      const booking = BOOKED.includes(found.verdict) ? bookingOf(found, accounts) : undefined
      const path = one.row.source.category
      if (booking && one.row.ignored === 'opening') {
        opened.add(accountId)
      }
      if (found.verdict === 'updated') {
        updated.push(found)
      }
      if (booking) {
        sums.set(accountId, (sums.get(accountId) ?? 0) + booking.minor)
        const kind = booking.minor < 0 ? ('expense' as const) : ('income' as const)
        const { ownerId } = booking.account
        const wish = { kind, ownerId, mapping: categoryMap }
        const isMadeFor = owns(ctx.caller, booking.account) && path && isMade(path, categoryMap)
        if (path && !isMadeFor && index.find(path, wish) === null) {
          unmapped.set(pathText(path), (unmapped.get(pathText(path)) ?? 0) + 1)
        }
        for (const name of ownTags.unknown(tagsIn(found), ownerId)) {
          unmappedTags.set(name, (unmappedTags.get(name) ?? 0) + 1)
        }
      }
    }
  }
  for (const [accountId, minor] of await effectsOf(ctx, updated, accounts)) {
    sums.set(accountId, (sums.get(accountId) ?? 0) + minor)
  }
  return {
    accounts: [...decided].flatMap(([accountId, found]) => {
      const view = accounts.get(accountId)
      return view
        ? [
            {
              ...{ accountId, accountName: view.name, currency: view.account.currency },
              counts: countRows(found),
              beforeMinor: view.beforeMinor,
              afterMinor: view.openedMinor + (sums.get(accountId) ?? 0),
              proposed:
                empty.some((one) => one.id === accountId) && !opened.has(accountId)
                  ? proposedFor(statements, view.account)
                  : null,
            },
          ]
        : []
    }),
    unmapped: [...unmapped].map(([name, rows]) => ({ name, rows })),
    unmappedTags: [...unmappedTags].map(([name, rows]) => ({ name, rows })),
    vanished: JSON.parse(row.vanished) as StoredRow[],
    statements,
    analysedAt: row.analysedAt,
  }
}
