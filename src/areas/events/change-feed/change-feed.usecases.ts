import { ledgerRowsInOrder, type LedgerRow } from '../../../ledger/ledger.public.ts'
import { legIdOf } from '../../../domain/ledger-ids.ts'
import { profileOf, type SignedIn } from '../../../platform/context.ts'
import { read, readNewest } from '../../../platform/database/database.ts'
import { cutPage } from '../../../platform/database/paging.ts'
import { mac } from '../../../platform/secrets/crypto.ts'
import { eventErrors } from './change-feed.errors.ts'
import { eventsFor, ownWorkAmong, seenAccounts } from './change-feed.queries.ts'
import {
  cursorAfter,
  entriesOf,
  type FeedCursor,
  type FeedEntry,
  type FeedEvent,
  MOST_ACCOUNTS,
  pageOf,
  requireUsable,
  transactionsIn,
  unspokenIn,
  upTo,
} from './change-feed.rules.ts'

export interface Feed {
  next: FeedCursor
  hasMore: boolean
  accountIds: string[]
  fresh: string[]
  entries: FeedEntry[]
  /** Those of the entries that the caller sees now. */
  rows: LedgerRow[]
}

/** What changed after a cursor; without one nothing but a cursor for this moment. */
export async function listEvents(
  ctx: SignedIn,
  { from, limit }: { from: FeedCursor | undefined; limit: number },
): Promise<Feed> {
  const { userId, tokenHash } = ctx.caller
  if (from) {
    requireUsable(from, ctx.now, { userId, tokenHash })
  }
  const after = from?.number ?? Number.MAX_SAFE_INTEGER
  const finders = [seenAccounts(ctx), eventsFor(ctx, after, limit)] as const
  let [seen, found] = await read(ctx, ...finders)
  if (from && lastIn(found) < from.number) {
    // A replica lags behind the cursor.
    ;[seen, found] = await readNewest(ctx, ...finders)
  }
  if (seen.length > MOST_ACCOUNTS) {
    throw eventErrors.tooManyAccounts({ most: MOST_ACCOUNTS })
  }
  const accounts = seen.map(({ id, ownerId, rank, way }) => ({
    ...{ id, ownerId, hash: hashOf(ctx, JSON.stringify([id, rank, way])) },
  }))
  const last = lastIn(found)
  const accountIds = accounts.map(({ id }) => id)
  if (!from) {
    const known = accounts.map(({ hash }) => hash)
    const next = { userId, tokenHash, at: ctx.now, number: last, known, begun: [], until: 0 }
    return { next, hasMore: false, accountIds, fresh: [], entries: [], rows: [] }
  }
  // The database was replaced by an older one.
  if (last < from.number) {
    throw eventErrors.cursorExpired()
  }
  const all = found.filter((row): row is typeof row & FeedEvent => row.number !== null)
  const events = all.slice(0, limit)
  const cut = all.length > limit ? events.at(-1)?.number : undefined
  const edge = found[0]?.edge ?? last + 1
  const end = cut ?? edge - 1
  const isRestricted = Array.isArray(ctx.caller.token?.accountIds)
  const page = pageOf(from, accounts, events, { userId, isRestricted, last })
  const told = await withTransactions(ctx, new Set(accountIds), page.events)
  const number = told.end ?? end
  const hasMore = end < last || told.end !== undefined
  return {
    ...{ accountIds, fresh: page.fresh, entries: told.entries, rows: told.rows, hasMore },
    next: cursorAfter(from, accounts, page, { number, hasMore, now: ctx.now }),
  }
}

/** What is told of events, in a second round trip. `end` is the last of them where the transactions fill the answer. */
async function withTransactions(
  ctx: SignedIn,
  accountIds: ReadonlySet<string>,
  events: FeedEvent[],
): Promise<Pick<Feed, 'entries' | 'rows'> & { end?: number | undefined }> {
  const ids = transactionsIn(events)
  const unspoken = new Set(unspokenIn(events, ctx.caller.userId))
  const [found, ownWork] =
    ids.length === 0
      ? [[], []]
      : await read(ctx, ledgerRowsInOrder(ctx, ids), ownWorkAmong(ctx, [...unspoken]))
  ownWork.forEach(({ id }) => unspoken.delete(id))
  const { rows, next } = cutPage(found, { limit: found.length }, ({ mark }) => [String(mark)])
  const some = next ? upTo(events, new Set(ids.slice(0, Number(next[0]) + 1))) : events
  const there = new Set(rows.map((row) => `${idOf(row)} ${row.accountId}`))
  return {
    entries: entriesOf(some, { accountIds, there }, unspoken),
    rows: profileOf(ctx).permissions.includes('transactions.read') ? rows : [],
    ...(next ? { end: some.at(-1)?.number } : {}),
  }
}

const lastIn = (found: { last: number }[]) => found[0]?.last ?? 0

const hashOf = ({ settings }: SignedIn, text: string) =>
  Buffer.from(mac(settings.appSecret, 'account of a feed', text).subarray(0, 8)).toString('hex')

const idOf = ({ transactionId, kind, line }: LedgerRow) => legIdOf(transactionId, kind, line)
