import { and, asc, lte, sql } from 'drizzle-orm'
import { exportSchedules } from '../../../../../drizzle/schema/files.ts'
import type { SignedIn } from '../../../../platform/context.ts'
import { isNotRestored } from '../../../../platform/owned-data/owned-data.ts'
import { mustHaveFewerRows, writesOf } from '../../../../platform/database/owned-tables.ts'
import { db, type Statement } from '../../../../platform/database/statements.ts'
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

export const scheduleRows = writesOf(exportSchedules)

export const mustHaveRoomForSchedule = ({ ownerId }: ExportScheduleRow): Statement =>
  mustHaveFewerRows(exportSchedules.ownerId, ownerId, MOST_SCHEDULES, () =>
    exportErrors.tooMany({ most: MOST_SCHEDULES, what: 'schedules' }),
  )
