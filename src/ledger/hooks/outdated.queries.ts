import { type SQL, sql } from 'drizzle-orm'
import type { SignedIn } from '../../platform/context.ts'
import { Memory } from '../../platform/database/memory.ts'
import { db, type Statement } from '../../platform/database/statements.ts'

/** How many owners a process notes. */
const OWNERS_NOTED = 1000

/** Owners whose rules or usual categories this process changed since it read them. */
const outdated = new Memory<true>(OWNERS_NOTED)

/** To be called after a change of the caller's rules or usual categories: the next booking reads them at once. */
export const noteChangedRules = ({ caller }: SignedIn): void => outdated.set(caller.userId, true)

export const areRulesOutdated = (ownerId: string): boolean => outdated.get(ownerId) === true

/** To be called once they are read. */
export const noteReadRules = (ownerId: string): void => outdated.forget(ownerId)

/**
 * Lets statements that change many rules, or much of what they go by, count as one change: the number that counts is negative
 * meanwhile, and triggers leave it so.
 * @param isAny whether there is something to change
 */
export const asOneChange = (
  ownerId: string,
  statements: Statement[],
  isAny: SQL = sql`TRUE`,
): Statement[] => [
  db.run(sql`UPDATE users SET rule_set = -rule_set - 1 WHERE id = ${ownerId} AND ${isAny}`),
  ...statements,
  db.run(sql`UPDATE users SET rule_set = -rule_set WHERE id = ${ownerId} AND rule_set < 0`),
]
