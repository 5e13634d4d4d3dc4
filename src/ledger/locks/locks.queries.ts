import { sql } from 'drizzle-orm'
import { accessLevel, viewerOf } from '../../areas/identity/access/access.public.ts'
import { rankOf } from '../../domain/sharing.ts'
import type { Context } from '../../platform/context.ts'
import { numberOf, premise } from '../../platform/database/premises.ts'
import { explainedBy, type Refusal } from '../../platform/database/refusals.ts'
import { db, prepared, type Statement } from '../../platform/database/statements.ts'
import { lockErrors } from './locks.errors.ts'
import { type AccountLocks, type ChangedDay, lockRefusal } from './locks.rules.ts'

const pairsOf = (days: ChangedDay[]) =>
  JSON.stringify(days.map(({ accountId, date }) => [accountId, date]))

/** One seek for each account, whether or not there is a lock. */
const guard = prepared<{ days: string }, unknown>(() =>
  db.run(sql`INSERT INTO write_guard (premise) SELECT ${numberOf('locked')}
    FROM json_each(${sql.placeholder('days')}) changed
    JOIN accounts ON accounts.id = changed.value->>0
    WHERE changed.value->>1 <= accounts.locked_through LIMIT 1`),
)

const MANAGE = sql.raw(String(rankOf('manage')))

/** Refuses what is under a hard lock, and under a soft one where the caller may not use force. */
const guardOfForced = (ctx: Context, days: ChangedDay[]): Statement =>
  db.run(sql`INSERT INTO write_guard (premise) SELECT ${numberOf('locked')}
    FROM json_each(${pairsOf(days)}) changed
    JOIN accounts ON accounts.id = changed.value->>0
    WHERE changed.value->>1 <= accounts.hard_locked_through
      ${ctx.caller ? sql`OR changed.value->>1 <= accounts.locked_through AND (${accessLevel(viewerOf({ ...ctx, caller: ctx.caller }))}) < ${MANAGE}` : sql``}
    LIMIT 1`)

/** The locks of these accounts, and what the caller may do with them. */
export const locksOf = (ctx: Context, accountIds: string[]): Statement<AccountLocks[]> =>
  db.all(sql`SELECT accounts.id, accounts.locked_through AS lockedThrough,
      accounts.hard_locked_through AS hardLockedThrough,
      ${ctx.caller ? accessLevel(viewerOf({ ...ctx, caller: ctx.caller })) : sql.raw(String(rankOf('owner')))} AS rank
    FROM accounts WHERE accounts.id IN (SELECT value FROM json_each(${JSON.stringify(accountIds)}))`)

/** The fields of a request that concern locks. */
interface LockOptions {
  force?: boolean | undefined
  lockedField?: string
}

/** Asserts that no line of the commit, as it was or as it will be, is on a locked day. */
export function mustBeUnlocked(
  ctx: Context,
  days: ChangedDay[],
  { force, lockedField: field = 'date' }: LockOptions,
): Statement[] {
  if (days.length === 0) {
    return []
  }
  const locked: Refusal = explainedBy(
    () => lockErrors.periodLocked({ through: 'this day', how: 'Choose a later day.' }),
    locksOf(
      ctx,
      days.map(({ accountId }) => accountId),
    ),
    (accounts) => lockRefusal(days, accounts, { force, field }),
  )
  return [premise(force ? guardOfForced(ctx, days) : guard({ days: pairsOf(days) }), { locked })]
}

/** The facts of an event that was forced upon a locked day: which locks those were. `value` is the event. */
const LOCKS = sql`(SELECT json_object('forced', json('true'), 'lockIds', json_group_array(k.id ORDER BY k.id))
  FROM (SELECT own.id FROM period_locks own WHERE own.account_id = value->>'accountId' AND own.kind IN ('soft', 'hard')
      AND own.through >= value->'values'->>'date'
    UNION ALL SELECT every.id FROM accounts locked CROSS JOIN period_locks every ON every.owner_id = locked.owner_id
      AND every.account_id IS NULL AND every.kind IN ('soft', 'hard') AND every.through >= value->'values'->>'date'
    WHERE locked.id = value->>'accountId') k HAVING count(*) > 0)`

export const forcedFacts = (date: string) => ({ values: { date }, sql: LOCKS })

const withLocks = new Map<object, typeof LOCKS>()

/** Adds the facts about forced locks to other facts. The SQL for the same facts is always the same object. */
export function factsWithLocks(facts: typeof LOCKS): typeof LOCKS {
  const known = withLocks.get(facts)
  const made = known ?? sql`json_patch(${facts}, ifnull(${LOCKS}, '{}'))`
  withLocks.set(facts, made)
  return made
}
