import { eq, type SQL, sql } from 'drizzle-orm'
import { tasks } from '../../../../../drizzle/schema/system.ts'
import { isNotRestored } from '../../../../platform/owned-data/owned-data.ts'
import { requireChangedOne, refuseIf } from '../../../../platform/database/premises.ts'
import type { Refusal } from '../../../../platform/database/refusals.ts'
import { db, type Statement } from '../../../../platform/database/statements.ts'
import { ownUserErrors } from '../own-user.errors.ts'

/** The key of the task: while a row has it, something of the user is about to be erased. */
export const wipeKeyOf = (userId: string): string => `user.wipe ${userId}`

const isOf = (userId: string) => eq(tasks.dedupeKey, wipeKeyOf(userId))

export const wipeOf = (userId: string) =>
  db.select({ payload: tasks.payload, state: tasks.state }).from(tasks).where(isOf(userId))

/** Refuses when a wipe is scheduled, runs, or has failed and may be tried again. */
export const mustHaveNoWipe = (userId: string, scheduled: Refusal): Statement =>
  refuseIf(sql`EXISTS (SELECT 1 FROM tasks t WHERE t.dedupe_key = ${wipeKeyOf(userId)})`, scheduled)

/** Refuses while something is restored: it keeps the dates of the archive, so that a wipe would take it for older. */
export const mustNotBeRestored = (userId: string): Statement =>
  refuseIf(sql`NOT ${isNotRestored(sql`${userId}`)}`, ownUserErrors.restoreUnderWay)

/** Refuses when it is under way, was undone meanwhile, or is over. */
export const undoWipeOf = (userId: string): Statement[] => [
  refuseIf(isUnderWay(userId), ownUserErrors.wipeRunning),
  db.delete(tasks).where(isOf(userId)),
  requireChangedOne(ownUserErrors.wipeNotScheduled),
]

const isUnderWay = (userId: string): SQL => sql`EXISTS (SELECT 1 FROM tasks t
  WHERE t.dedupe_key = ${wipeKeyOf(userId)} AND t.state = 'running')`

/** Refuses unless the task is still there and under way. */
export const mustBeWanted = (userId: string): Statement =>
  refuseIf(sql`NOT ${isUnderWay(userId)}`, ownUserErrors.wipeUndone)

/** So that the next one can be asked for. */
export const releaseWipeOf = (userId: string): Statement =>
  db.update(tasks).set({ dedupeKey: null }).where(isOf(userId))

export const deleteWipeOf = (userId: string): Statement => db.delete(tasks).where(isOf(userId))
