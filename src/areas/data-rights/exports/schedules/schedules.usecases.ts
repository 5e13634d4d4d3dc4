import { dateInZone } from '../../../../domain/calendar.ts'
import { ARCHIVE_KEPT_MS } from '../../../../domain/archives.ts'
import { type Context, freshId, type SignedIn } from '../../../../platform/context.ts'
import { commit, read, requireVersion } from '../../../../platform/database/database.ts'
import { forEachRow } from '../../../../platform/work/each-row.ts'
import { changedMeanwhile, unlessRefused } from '../../../../platform/database/refusals.ts'
import { withoutEvents } from '../../../../platform/log/events.ts'
import type { Statement } from '../../../../platform/database/statements.ts'
import { visibleAccounts } from '../../../money/accounts/accounts.public.ts'
import { insertArchive, keepScheduledExports } from '../../backups/backups.public.ts'
import { exportErrors } from '../exports.errors.ts'
import { exportScheduleEvents, userExportEvents } from '../exports.events.ts'
import {
  type ExportOptions,
  type ExportScope,
  queuedExport,
  type StoredExport,
} from '../exports.queries.ts'
import type { ExportFormat } from '../exports.rules.ts'
import { MAKE_DATA_EXPORT, requireExportable, requireLine } from '../exports.usecases.ts'
import {
  dueSchedules,
  mustHaveRoomForSchedule,
  ownSchedules,
  scheduleRows,
} from './schedules.queries.ts'
import {
  type Cadence,
  nextDueAfter,
  type ExportScheduleRow,
  requireDay,
} from './schedules.rules.ts'

/** The fields of a schedule. Fields that are not sent keep their values or have defaults. */
interface ScheduleInput extends Cadence {
  options?: ExportOptions | undefined
  scope?: ExportScope | undefined
  keep: number
}

const todayOf = ({ now }: Context) => dateInZone(now, 'UTC')

export async function listExportSchedules(ctx: SignedIn): Promise<ExportScheduleRow[]> {
  const [schedules] = await read(ctx, ownSchedules(ctx))
  requireUnrestricted(ctx)
  return schedules
}

/** Has a format exported again and again, in place of what was set for it before. */
export async function setExportSchedule(
  ctx: SignedIn,
  format: ExportFormat,
  sent: ScheduleInput,
): Promise<ExportScheduleRow> {
  const [schedules, views] = await read(ctx, ownSchedules(ctx), visibleAccounts(ctx))
  requireUnrestricted(ctx)
  const before = schedules.find((one) => one.format === format)
  requireVersion(ctx, before?.version)
  const wanted = wantedOf(format, sent, before)
  requireDay(sent)
  requireExportable(ctx, wanted, views)
  await requireLine(ctx, wanted.scope)
  const { every, day, keep } = sent
  const isDueAsBefore = before?.every === every && before.day === day
  const content = {
    ...{ format, every, day, keep, ownerId: ctx.caller.userId },
    options: JSON.stringify(wanted.options),
    scope: JSON.stringify(wanted.scope),
    nextOn: isDueAsBefore ? before.nextOn : nextDueAfter(sent, todayOf(ctx)),
  }
  return before
    ? changeSchedule(ctx, before, { ...before, ...content })
    : addSchedule(ctx, {
        ...{ ...content, id: freshId(ctx, 'exs') },
        ...{ version: 1, createdAt: ctx.now, updatedAt: ctx.now },
      })
}

function wantedOf(
  format: ExportFormat,
  { options, scope }: ScheduleInput,
  before: ExportScheduleRow | undefined,
) {
  return {
    format,
    options: options ?? (JSON.parse(before?.options ?? '{}') as ExportOptions),
    scope:
      scope ??
      (before
        ? (JSON.parse(before.scope) as ExportScope)
        : { shared: false, what: ['transactions' as const] }),
  }
}

const addSchedule = (ctx: SignedIn, schedule: ExportScheduleRow): Promise<ExportScheduleRow> =>
  commit(ctx, {
    changes: [
      {
        statements: [mustHaveRoomForSchedule(schedule), scheduleRows.insert(schedule)],
        events: [
          exportScheduleEvents.created({ id: schedule.id, version: 1 }, { after: schedule }),
        ],
      },
    ],
    conflicts: {
      'export_schedules.owner_id, export_schedules.format': changedMeanwhile,
    },
    result: schedule,
  })

async function changeSchedule(
  ctx: SignedIn,
  before: ExportScheduleRow,
  wanted: ExportScheduleRow,
): Promise<ExportScheduleRow> {
  if (JSON.stringify(wanted) === JSON.stringify(before)) {
    return before
  }
  const { id, ownerId } = before
  const after = { ...wanted, version: before.version + 1, updatedAt: ctx.now }
  return commit(ctx, {
    changes: [
      {
        statements: [
          ...scheduleRows.update(ctx, before, after),
          keepScheduledExports(ownerId, ctx.now + ARCHIVE_KEPT_MS),
        ],
        events: [exportScheduleEvents.updated({ id, version: after.version }, { before, after })],
      },
    ],
    result: after,
  })
}

/** Ends a schedule. What it kept expires seven days from now. */
export async function deleteExportSchedule(ctx: SignedIn, format: ExportFormat): Promise<void> {
  const [schedules] = await read(ctx, ownSchedules(ctx))
  requireUnrestricted(ctx)
  const before = schedules.find((one) => one.format === format)
  if (!before) {
    throw exportErrors.scheduleNotFound()
  }
  requireVersion(ctx, before.version)
  const { id, ownerId } = before
  await commit(ctx, {
    changes: [
      {
        statements: [
          ...scheduleRows.delete(before),
          keepScheduledExports(ownerId, ctx.now + ARCHIVE_KEPT_MS),
        ],
        events: [exportScheduleEvents.deleted({ id }, { before })],
      },
    ],
    result: undefined,
  })
}

function requireUnrestricted({ caller }: SignedIn): void {
  if (caller.token?.accountIds) {
    throw exportErrors.restrictedSchedule()
  }
}

export const START_SCHEDULED = 'export.startScheduled'

/** Schedules of one run, so that it ends well within its lease; the others are another task's. */
const SCHEDULES_PER_RUN = 100

/** Starts the exports that are due, in one commit for each, with the task that makes it. */
export async function startScheduled(
  ctx: Context,
  { after = '' }: { after?: string | undefined },
  finish: Statement[],
): Promise<void> {
  const [due] = await read(ctx, dueSchedules(todayOf(ctx), after, SCHEDULES_PER_RUN))
  await forEachRow(ctx, { work: START_SCHEDULED, rows: due }, (schedule) =>
    // Refused if the user changed or deleted it meanwhile; it is due on another night then, or never.
    unlessRefused(() => startOne(ctx, schedule)),
  )
  const last = due.length === SCHEDULES_PER_RUN ? due.at(-1) : undefined
  await commit(ctx, {
    changes: [withoutEvents(finish)],
    tasks: last ? [{ kind: START_SCHEDULED, payload: { after: last.id } }] : [],
    result: undefined,
  })
}

function startOne(ctx: Context, schedule: ExportScheduleRow): Promise<void> {
  const { format, options, scope, ownerId, id: scheduleId } = schedule
  const [id, taskId] = [freshId(ctx, 'exp'), freshId(ctx, 'tsk')]
  const wish: StoredExport = {
    format,
    options: JSON.parse(options) as ExportOptions,
    scope: JSON.parse(scope) as ExportScope,
    // Also accounts that are added later are exported.
    accountIds: null,
    restrictedTo: null,
  }
  return commit(ctx, {
    changes: [
      {
        statements: [
          ...scheduleRows.update(ctx, schedule, {
            nextOn: nextDueAfter(schedule, todayOf(ctx)),
          }),
          insertArchive(queuedExport(ctx, { id, ownerId, taskId, scheduleId }, wish)),
        ],
        events: [userExportEvents.requested({ id, ownerId, version: 1 }, { after: wish })],
      },
    ],
    tasks: [
      {
        id: taskId,
        kind: MAKE_DATA_EXPORT,
        payload: { exportId: id },
        summary: id,
        cancellable: true,
        createdBy: ownerId,
      },
    ],
    result: undefined,
  })
}
