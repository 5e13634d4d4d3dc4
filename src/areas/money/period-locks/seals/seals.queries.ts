import { type SQL, sql } from 'drizzle-orm'
import type { Context, SignedIn } from '../../../../platform/context.ts'
import { BY_EVENT, type LogList } from '../../../../platform/log/log-reading.ts'
import { IS_OF_COMMIT } from '../../../../platform/log/log-tables.ts'
import { refuseIf } from '../../../../platform/database/premises.ts'
import { changedMeanwhile } from '../../../../platform/database/refusals.ts'
import { among, db, type Statement } from '../../../../platform/database/statements.ts'
import { accountIsSeenBy, viewerOf } from '../../../identity/access/access.public.ts'
import { lockedAccounts } from '../period-locks.queries.ts'
import type { SealedLine } from '../period-locks.rules.ts'

/** Lines of one trip. */
export const LINES_PER_TRIP = 20_000

/** The account lines up to a day, in the order of a seal; one more than a trip takes. */
const linesToSeal = (
  accounts: SQL,
  through: string | SQL,
  after?: SealedLine,
): Statement<SealedLine[]> =>
  db.all(sql`SELECT accounts.id AS accountId, accounts.currency, e.transaction_id AS transactionId, e.line, e.date,
      e.amount_minor AS amountMinor, e.status = 'void' AS isVoid
    FROM accounts JOIN entries e ON e.account_id = accounts.id AND e.side = 'account'
    WHERE ${accounts} AND e.date <= ${through}
      ${after ? sql`AND (accounts.id, e.date, e.transaction_id, e.line) > (${after.accountId}, ${after.date}, ${after.transactionId}, CAST(${after.line} AS INTEGER))` : sql``}
    ORDER BY accounts.id, e.date, e.transaction_id, e.line LIMIT ${sql.raw(String(LINES_PER_TRIP + 1))}`)

/** Finds the lines of a period that is about to be locked. */
export const linesForLock = (ctx: SignedIn, accountId: string | null, through: string) =>
  linesToSeal(lockedAccounts(ctx, accountId), through)

/** Finds the lines of a lock, as far as the caller sees its accounts: the first page of `linesOfAccounts`. */
export const linesOfLock = (ctx: SignedIn, id: string) => {
  const of = (column: SQL) => sql`(SELECT ${column} FROM period_locks k WHERE k.id = ${id})`
  return linesToSeal(
    sql`accounts.owner_id = ${of(sql`k.owner_id`)} AND ifnull(${of(sql`k.account_id`)}, accounts.id) = accounts.id
      AND ${accountIsSeenBy(viewerOf(ctx))}`,
    of(sql`k.through`),
  )
}

export const linesOfAccounts = (accountIds: string[], through: string, after?: SealedLine) =>
  linesToSeal(sql`accounts.id IN ${among(accountIds)}`, through, after)

/** The end of what the log says of an owner's data. Every change of a line moves it. */
const endOfLog = (owner: SQL): SQL =>
  sql`(SELECT ifnull(max(c.number), 0) FROM log_commits c WHERE c.owner_id = ${owner}) || ' ' ||
    (SELECT ifnull(max(l.number), 0) FROM log_events l WHERE l.owner_id = ${owner})`

const logEndOf = (owner: SQL) => db.all<{ end: string }>(sql`SELECT ${endOfLog(owner)} AS end`)

export const logEndOfOwner = (ownerId: string) => logEndOf(sql`${ownerId}`)

/** Finds the end of the log for the owner of a period that is about to be locked. */
export const logEndForLock = ({ caller }: SignedIn, accountId: string | null) =>
  logEndOf(
    accountId === null
      ? sql`${caller.userId}`
      : sql`(SELECT accounts.owner_id FROM accounts WHERE accounts.id = ${accountId})`,
  )

/** Refuses where something of the owner has changed since the lines were read. */
export const mustEndAt = (ownerId: string, end: string): Statement =>
  refuseIf(sql`${endOfLog(sql`${ownerId}`)} <> ${end}`, changedMeanwhile)

export interface LockToSeal {
  id: string
  ownerId: string
  accountId: string | null
  through: string
  version: number
}

/** All accounts of a lock, those in the trash included. */
export const accountsOfLock = ({ ownerId, accountId }: LockToSeal) =>
  db.all<{ id: string }>(
    sql`SELECT id FROM accounts WHERE owner_id = ${ownerId} AND (${accountId} IS NULL OR id = ${accountId})`,
  )

/** A lock that waits for its seal. */
export const lockToSeal = (id: string): Statement<LockToSeal[]> =>
  db.all(sql`SELECT id, owner_id AS ownerId, account_id AS accountId, through, version FROM period_locks
    WHERE id = ${id} AND seals IS NULL`)

export const sealLock = ({ now }: Context, { id, ownerId }: LockToSeal, seals: object): Statement =>
  db.run(sql`UPDATE period_locks SET seals = ${JSON.stringify(seals)}, version = version + 1, updated_at = ${now}
    WHERE id = ${id} AND owner_id = ${ownerId} AND seals IS NULL`)

/** A forced change on a locked day. */
export interface ForcedChange {
  sequence: number
  at: number
  type: string
  transactionId: string | null
  accountId: string
  actorId: string | null
}

/** The changes that were forced upon a lock on some accounts, the newest first. */
export const forcedChanges = (
  { id, ownerId, createdAt }: { id: string; ownerId: string; createdAt: number },
  accountIds: string[],
  isOwn: boolean,
): LogList<ForcedChange> => {
  const isForced = sql`e.account_id IN ${among(accountIds)} AND e.facts IS NOT NULL
    ${isOwn ? sql`` : sql`AND e.content->'private' IS NULL`}
    AND EXISTS (SELECT 1 FROM json_each(e.facts, '$.lockIds') k WHERE k.value = ${id})`
  return {
    order: 'newest',
    scope: { things: sql`(${ownerId})`, from: createdAt },
    rows: ({ after, limit }) => {
      const isBefore = after ? sql`AND +e.number < CAST(${after[0]} AS INTEGER)` : sql``
      return sql`SELECT l.number AS sequence, l.at, l.type, l.resource_id AS transactionId, l.account_id AS accountId,
          l.actor_id AS actorId
        FROM (SELECT e.number FROM log_commits c CROSS JOIN log_events e ON ${IS_OF_COMMIT}
            WHERE c.owner_id = ${ownerId} AND e.owner_id IS NULL AND ${isForced} ${isBefore}
          UNION ALL SELECT e.number FROM log_events e WHERE e.owner_id = ${ownerId} AND ${isForced} ${isBefore}) p
          CROSS JOIN log_entries l ON l.number = p.number
        ORDER BY l.number DESC LIMIT ${limit + 1}`
    },
    placeOf: ({ at, sequence }) => ({ at, commit: 0, event: sequence }),
    position: BY_EVENT,
  }
}
