import { z } from '@hono/zod-openapi'
import {
  id,
  instant,
  textField,
  toInstant,
  integerField,
  date,
  nullableText,
} from '../../../http/fields.ts'
import { pageQuery } from '../../../http/pagination.ts'
import { isWithin, must } from '../../../http/issues.ts'
import { TASK_STATES } from '../queue-tasks/queue-tasks.public.ts'
import type { ActiveUsers, Metrics, StorageMetrics, Growth, Downloads } from './metrics.usecases.ts'
import type { DayCount } from './metrics.queries.ts'
import { sumBy } from './metrics.rules.ts'

const amounts = {
  bytes: integerField('Number of bytes, including files in the trash.', 52_428_800),
  objects: integerField('Number of files, including those in the trash.', 12),
}

const states = Object.fromEntries(
  TASK_STATES.map((state) => [state, integerField(`Number of tasks with the state ${state}.`, 1)]),
) as Record<(typeof TASK_STATES)[number], ReturnType<typeof integerField>>

export const MetricsResponse = z
  .object({
    users: z
      .object({
        total: integerField('Number of users who are not erased.', 20),
        active: integerField('Number of users who can sign in.', 18),
        disabled: integerField('Number of disabled users.', 1),
        deleted: integerField('Number of deleted users who wait to be erased.', 1),
      })
      .openapi({ description: 'Number of users by state.' }),
    activity: z
      .object({
        changesLastDay: integerField('Number of log entries of the last 24 hours.', 640),
        changesLastWeek: integerField('Number of log entries of the last 7 days.', 3200),
        usersLastDay: integerField('Number of users with log entries in the last 24 hours.', 7),
      })
      .openapi({ description: 'Recent activity according to the log.' }),
    rows: z
      .object({
        accounts: integerField('Number of accounts, including those in the trash.', 90),
        bookings: integerField(
          'Number of transactions. A transfer counts once on each of its two accounts.',
          18_000,
        ),
        groups: integerField('Number of groups.', 4),
        auditLog: integerField('Number of log entries.', 41_000),
      })
      .openapi({ description: 'Number of stored rows.' }),
    storage: z.object(amounts).openapi({ description: 'Files that users store.' }),
    jobs: z
      .object({
        ...states,
        lagSeconds: integerField('Number of seconds that the oldest due task has waited.', 0),
      })
      .openapi({ description: 'Tasks by state.' }),
    errors: z
      .object({
        tasks: integerField('Number of tasks that failed for good.', 2),
        tasksLastDay: integerField('Number of those in the last 24 hours.', 0),
        codes: z
          .array(
            z.object({
              code: textField('Error code.', 'mail.failed'),
              tasks: integerField('Number of tasks.', 2),
            }),
          )
          .openapi({ description: 'The 20 most frequent error codes, most frequent first.' }),
      })
      .openapi({ description: 'Failures of background tasks.' }),
  })
  .openapi('MetricsResponse')

export const StorageMetricsQuery = z.strictObject({
  limit: pageQuery().limit.openapi({ description: 'Maximum number of rows of groups.' }),
})

export const StorageMetricsResponse = z
  .object({
    totals: z.object(amounts).openapi({ description: 'Everything that is stored.' }),
    people: z.object(amounts).openapi({ description: 'Files that users store outside groups.' }),
    classes: z
      .array(
        z.object({
          storageClassId: id('stc', 'Id of the storage class.'),
          name: textField('Name of the storage class.', 'Standard'),
          holders: integerField('Number of groups and users that store files in the class.', 5),
          ...amounts,
        }),
      )
      .openapi({ description: 'Usage by storage class, sorted by name.' }),
    groups: z
      .array(
        z.object({
          groupId: id('grp', 'Id of the group.'),
          storageClassId: id('stc', 'Id of the storage class.'),
          ...amounts,
        }),
      )
      .openapi({ description: 'Usage by group and storage class, most bytes first.' }),
  })
  .openapi('StorageMetricsResponse')

const people = (days: string) =>
  integerField(`Number of users who changed something in the last ${days}.`, 7)

export const ActiveUsersResponse = z
  .object({
    at: instant('Time of the count.'),
    daily: people('24 hours'),
    weekly: people('7 days'),
    monthly: people('30 days'),
  })
  .openapi('ActiveUsersResponse')

/** The most causes of failures that are named; all are counted. */
const MOST_CODES = 20

export function presentMetrics({
  users,
  rows,
  storage,
  jobs,
  lagSeconds,
  failures,
  ...activity
}: Metrics): z.infer<typeof MetricsResponse> {
  const { total = 0, active = 0, disabled = 0, deleted = 0 } = users ?? {}
  const { accounts = 0, bookings = 0, groups = 0, auditLog = 0 } = rows ?? {}
  const { changesLastDay, changesLastWeek, usersLastDay } = activity
  return {
    users: { total, active, disabled, deleted },
    activity: { changesLastDay, changesLastWeek, usersLastDay },
    rows: { accounts, bookings, groups, auditLog },
    storage: { bytes: storage.bytes, objects: storage.objects },
    jobs: { ...jobs, lagSeconds },
    errors: {
      tasks: failures.reduce((sum, { tasks }) => sum + tasks, 0),
      tasksLastDay: failures.reduce((sum, { recent }) => sum + recent, 0),
      codes: failures.slice(0, MOST_CODES).map(({ code, tasks }) => ({ code, tasks })),
    },
  }
}

export const presentStorage = ({
  totals,
  people,
  classes,
  groups,
}: StorageMetrics): z.infer<typeof StorageMetricsResponse> => ({ totals, people, classes, groups })

export const presentActiveUsers = ({
  at,
  ...counts
}: ActiveUsers): z.infer<typeof ActiveUsersResponse> => ({ at: toInstant(at), ...counts })

const MOST_DAYS = 365

export const GrowthTrendsQuery = z.strictObject({
  days: z
    .string()
    .refine(isWithin(1, MOST_DAYS), must(`must be between 1 and ${MOST_DAYS}`, 'range'))
    .transform(Number)
    .optional()
    .transform((days) => days ?? 90)
    .openapi({
      ...{ type: 'integer', minimum: 1, maximum: MOST_DAYS, default: 90, example: 90 },
      description: 'Number of days, including today.',
    }),
})

export const GrowthTrendsResponse = z
  .object({
    days: z
      .array(
        z.object({
          date: date('Date in UTC.'),
          registrations: integerField('Number of users who registered.', 2),
          downloads: integerField('Number of downloads.', 12),
        }),
      )
      .openapi({ description: 'All days up to today, oldest first.' }),
  })
  .openapi('GrowthTrendsResponse')

const byDate = (counts: DayCount[]) => new Map(counts.map(({ date, count }) => [date, count]))

export function presentGrowth({ days, ...found }: Growth): z.infer<typeof GrowthTrendsResponse> {
  const [registrations, downloads] = [byDate(found.registrations), byDate(found.downloads)]
  return {
    days: days.map((date) => ({
      date,
      registrations: registrations.get(date) ?? 0,
      downloads: downloads.get(date) ?? 0,
    })),
  }
}

const { limit } = pageQuery()

export const DownloadMetricsQuery = z.strictObject({
  limit: limit.openapi({ description: 'Maximum number of downloads in `recent`.' }),
})

const KIND = 'attachment'
const downloads = integerField('Number of downloads.', 12)
const bytes = integerField('Number of bytes that were sent.', 52_428_800)

export const DownloadMetricsResponse = z
  .object({
    totals: z
      .object({
        downloads,
        users: integerField('Number of users who downloaded something.', 3),
        bytes,
      })
      .openapi({ description: 'Totals of all time.' }),
    byKind: z
      .array(
        z.object({
          kind: textField('Kind of the file: attachment, backup or auditLog.', KIND),
          downloads,
          bytes,
        }),
      )
      .openapi({ description: 'The same numbers by kind of file.' }),
    byDay: z
      .array(z.object({ date: date('Date in UTC.'), downloads, bytes }))
      .openapi({ description: 'The same numbers by day, for days with downloads, oldest first.' }),
    recent: z
      .array(
        z.object({
          at: instant('Time of the event.'),
          userId: nullableText('User who downloaded the file; null if a signed link was used.'),
          kind: textField('Kind of the file.', KIND),
          resourceId: nullableText('Id of the file.', 'att_01k9v3q8m5t0w2x4y6z8a1b3c5'),
          fileName: nullableText('Name of the file, while it exists.', 'receipt.pdf'),
          bytes,
        }),
      )
      .openapi({ description: 'The newest downloads, newest first.' }),
  })
  .openapi('DownloadMetricsResponse')

export function presentDownloadMetrics({
  days,
  users,
  recent,
}: Downloads): z.infer<typeof DownloadMetricsResponse> {
  const [{ downloads, bytes } = { downloads: 0, bytes: 0 }] = sumBy(days, () => '')
  return {
    totals: { downloads, users, bytes },
    byKind: sumBy(days, ({ kind }) => kind).map(({ key, ...sum }) => ({ kind: key, ...sum })),
    byDay: sumBy(days, ({ date }) => date).map(({ key, ...sum }) => ({ date: key, ...sum })),
    recent: recent.map(({ at, userId, kind, resourceId, fileName, bytes: sent }) => ({
      ...{ at: toInstant(at), userId, kind, resourceId, fileName, bytes: sent },
    })),
  }
}
