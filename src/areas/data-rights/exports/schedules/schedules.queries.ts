import { and, asc, eq, lte, sql } from 'drizzle-orm'
import { exportSchedules } from '../../../../../drizzle/schema/files.ts'
import type { Context, SignedIn } from '../../../../platform/context.ts'
import { refuseIf, requireChangedOne } from '../../../../platform/premises.ts'
import { changedMeanwhile } from '../../../../platform/refusals.ts'
import { isNotRestored } from '../../../../platform/owned-data.ts'
import { db, type Statement } from '../../../../platform/statements.ts'
import { ownedBy } from '../../../identity/access/access.public.ts'
import { exportErrors } from '../exports.errors.ts'
import { MOST_SCHEDULES } from '../exports.rules.ts'
import type { ExportScheduleRow } from './schedules.rules.ts'

/** Own ones by their format: few enough to come at once. */
export const ownSchedules = ({ caller }: SignedIn) =>
  db
    .select()
    .from(exportSchedules)
    .where(ownedBy(caller, exportSchedules.ownerId))
    .orderBy(asc(exportSchedules.format))

/**
 * Some of active users that are due, after this one in the order of their ids. The signs keep SQLite to the index of what is due.
 */
export const dueSchedules = (today: string, after: string, limit: number) =>
  db
    .select()
    .from(exportSchedules)
    .where(
      and(
        lte(exportSchedules.nextOn, today),
        sql`+${exportSchedules.id} > ${after}`,
        sql`EXISTS (SELECT 1 FROM users u WHERE u.id = ${exportSchedules.ownerId} AND u.status = 'active')`,
        isNotRestored(exportSchedules.ownerId),
      ),
    )
    .orderBy(sql`+${exportSchedules.id}`)
    .limit(limit)

/** Refuses when there are as many as one may have. */
export const insertSchedule = (schedule: ExportScheduleRow): Statement[] => [
  refuseIf(
    sql`(SELECT count(*) FROM export_schedules WHERE owner_id = ${schedule.ownerId}) >= ${MOST_SCHEDULES}`,
    () => exportErrors.tooMany({ most: MOST_SCHEDULES, what: 'schedules' }),
  ),
  db.insert(exportSchedules).values(schedule),
]

type Known = Pick<ExportScheduleRow, 'id' | 'ownerId' | 'version'>

const isStill = ({ id, ownerId, version }: Known) =>
  and(
    eq(exportSchedules.id, id),
    eq(exportSchedules.ownerId, ownerId),
    eq(exportSchedules.version, version),
  )

export const updateSchedule = (
  before: Known,
  { id: _, ...changed }: ExportScheduleRow,
): Statement[] => [
  db.update(exportSchedules).set(changed).where(isStill(before)),
  requireChangedOne(changedMeanwhile),
]

/** Notes when it is due next, unless it was changed or deleted since it was read. */
export const advanceSchedule = ({ now }: Context, schedule: Known, nextOn: string): Statement[] => [
  db
    .update(exportSchedules)
    .set({ nextOn, version: schedule.version + 1, updatedAt: now })
    .where(isStill(schedule)),
  requireChangedOne(changedMeanwhile),
]

export const deleteScheduleRow = (schedule: Known): Statement[] => [
  db.delete(exportSchedules).where(isStill(schedule)),
  requireChangedOne(changedMeanwhile),
]
