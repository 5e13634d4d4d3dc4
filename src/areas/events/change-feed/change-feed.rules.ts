import { eventErrors } from './change-feed.errors.ts'

// Decides what a client that keeps a copy is told. Access is compared at each request and needs no event; what was
// private to somebody else all the time is never named.

/** An account that the caller sees. */
export interface SeenAccount {
  id: string
  ownerId: string
  /** Another one once the account is seen by another right or share. */
  hash: string
}

/** How far a client has come, and for whom that holds. */
export interface FeedCursor {
  userId: string
  tokenHash: string | null
  /** When the client was last told all that there was. */
  at: number
  /** The last event in the log that it knows of. */
  number: number
  /** Hashes of the accounts that it knows. */
  known: string[]
  /** Hashes of accounts of others that it has just begun to see, and reads in full: nothing up to `until` is told of them. */
  begun: string[]
  until: number
}

/** An event of the log, as the caller may be told of it. */
export interface FeedEvent {
  number: number
  id: string
  at: number
  type: string
  actorId: string | null
  ownerId: string | null
  resourceType: string
  resourceId: string | null
  accountId: string | null
  version: number | null
  /** 1 if it took a transaction away that was not private. */
  tookAway: number
}

/** The days for which a cursor is good: as long as the trash keeps rows, whose authors it still knows. */
const DAYS = 30
const DAY_MS = 24 * 60 * 60 * 1000

/** Events of many rows at once, of which none has one of its own: what their owner has must be read again. */
export const RELOADS = [
  'backup.rowsRestored',
  'backup.restoreFailed',
  'user.dataErased',
  'user.wiped',
]

export const MOST_ACCOUNTS = 500

/** @throws AppError gone `events.cursorExpired` */
export function requireUsable(
  cursor: FeedCursor,
  now: number,
  { userId, tokenHash }: Pick<FeedCursor, 'userId' | 'tokenHash'>,
): void {
  const isOwn = cursor.userId === userId && cursor.tokenHash === tokenHash
  if (!isOwn || cursor.at < now - DAYS * DAY_MS) {
    throw eventErrors.cursorExpired()
  }
}

/** A page, before its transactions are read. */
interface FeedPage extends Pick<FeedCursor, 'begun' | 'until'> {
  /** The accounts that the client must read in full. */
  fresh: string[]
  events: FeedEvent[]
}

/**
 * Leaves out what is not told of accounts of others that the client has yet to read: it could not see them before.
 * @param last the number of the last event of the log
 */
export function pageOf(
  cursor: FeedCursor,
  accounts: SeenAccount[],
  found: FeedEvent[],
  { userId, isRestricted, last }: { userId: string; isRestricted: boolean; last: number },
): FeedPage {
  const [known, begun] = [new Set(cursor.known), new Set(cursor.begun)]
  const isReload = ({ type }: FeedEvent) => RELOADS.includes(type)
  const reloaded = new Set(found.filter(isReload).map(({ ownerId }) => ownerId))
  const isNew = ({ hash, ownerId }: SeenAccount) =>
    reloaded.has(ownerId) || !(known.has(hash) || begun.has(hash))
  // There is one `until` for all that has begun, so what began earlier begins again.
  const isAnyNew = accounts.some(isNew)
  const until = isAnyNew ? last : cursor.until
  const fresh = accounts.filter((one) => isNew(one) || (isAnyNew && begun.has(one.hash)))
  const waiting = accounts.filter(
    (one) => one.ownerId !== userId && (fresh.includes(one) || begun.has(one.hash)),
  )
  const waitingIds = new Set<string | null>(waiting.map(({ id }) => id))
  const isTold = (event: FeedEvent) =>
    (event.number > until || !waitingIds.has(event.accountId)) &&
    (!isReload(event) || (event.ownerId === userId && !isRestricted))
  return {
    fresh: fresh.map(({ id }) => id),
    events: found.filter(isTold),
    begun: waiting.map(({ hash }) => hash),
    until,
  }
}

/** The place after a page up to a number; the last one is a new beginning of the days of the cursor. */
export function cursorAfter(
  cursor: FeedCursor,
  accounts: SeenAccount[],
  { begun, until }: Pick<FeedPage, 'begun' | 'until'>,
  { number, hasMore, now }: { number: number; hasMore: boolean; now: number },
): FeedCursor {
  const waiting = new Set(number < until ? begun : [])
  return {
    ...cursor,
    at: hasMore ? cursor.at : now,
    number,
    known: accounts.map(({ hash }) => hash).filter((hash) => !waiting.has(hash)),
    begun: [...waiting],
    until: waiting.size > 0 ? until : 0,
  }
}

type TransactionEvent = FeedEvent & { resourceId: string; accountId: string }

const isOfTransaction = (event: FeedEvent): event is TransactionEvent =>
  event.resourceType === 'transaction' && event.resourceId !== null && event.accountId !== null

/** The transactions of a page, in the order in which they first appear. */
export const transactionsIn = (events: FeedEvent[]): string[] => [
  ...new Set(events.filter(isOfTransaction).map(({ resourceId }) => resourceId)),
]

/** The events before the first one of a transaction that is not among these. */
export function upTo(events: FeedEvent[], ids: ReadonlySet<string>): FeedEvent[] {
  const end = events.findIndex((event) => isOfTransaction(event) && !ids.has(event.resourceId))
  return end === -1 ? events : events.slice(0, end)
}

/** The transactions of others that the caller may be told of only while they see them, or if they recorded them. */
export function unspokenIn(events: FeedEvent[], userId: string): string[] {
  const told = events.filter((event) => event.ownerId === userId || event.tookAway === 1)
  const ids = new Set(transactionsIn(told))
  return transactionsIn(events).filter((id) => !ids.has(id))
}

/** A resource on an account, as its newest event of the page tells it. */
export interface FeedEntry extends FeedEvent {
  gone: boolean
}

/** Ends of other things than transactions and accounts. */
const ENDS =
  /\.(deleted|erased|merged|revoked|removed|left|withdrawn|declined|abandoned|unlocked|unshared|expired|uploadDeleted)$/

/** What the caller sees now. */
interface Sight {
  accountIds: ReadonlySet<string>
  /** The transactions of a page, each with its account. */
  there: ReadonlySet<string>
}

/** One entry for each resource and account. @param unspoken transactions that are not named if they are gone */
export function entriesOf(
  events: FeedEvent[],
  { accountIds, there }: Sight,
  unspoken: ReadonlySet<string>,
): FeedEntry[] {
  const isGone = (event: FeedEvent) =>
    isOfTransaction(event)
      ? !there.has(`${event.resourceId} ${event.accountId}`)
      : event.resourceType === 'account'
        ? !accountIds.has(event.resourceId ?? '')
        : ENDS.test(event.type)
  const keyOf = ({ resourceType, resourceId, accountId }: FeedEvent) =>
    JSON.stringify([resourceType, resourceId, accountId])
  return [...new Map(events.map((event) => [keyOf(event), event])).values()]
    .toSorted((one, other) => one.number - other.number)
    .map((event) => ({ ...event, gone: isGone(event) }))
    .filter((entry) => !(entry.gone && isOfTransaction(entry) && unspoken.has(entry.resourceId)))
}
