import { z } from '@hono/zod-openapi'
import { id, instant, textField, toInstant, integerField } from '../../../http/fields.ts'
import { pageQuery } from '../../../http/pagination.ts'
import { TASK_STATES } from '../queue-tasks/queue-tasks.public.ts'
import type { ActiveUsers, Metrics, StorageMetrics } from './metrics.usecases.ts'

const amounts = {
  bytes: integerField('Bytes, also of files in the trash.', 52_428_800),
  objects: integerField('Files, also those in the trash.', 12),
}

const states = Object.fromEntries(
  TASK_STATES.map((state) => [state, integerField(`How many are ${state}.`, 1)]),
) as Record<(typeof TASK_STATES)[number], ReturnType<typeof integerField>>

export const MetricsResponse = z
  .object({
    users: z
      .object({
        total: integerField('All who are not erased.', 20),
        active: integerField('Who may sign in.', 18),
        disabled: integerField('Who were disabled.', 1),
        deleted: integerField('Who were deleted, and wait to be erased.', 1),
      })
      .openapi({ description: 'How many users there are.' }),
    activity: z
      .object({
        changesLastDay: integerField('Rows of the log of the last 24 hours.', 640),
        changesLastWeek: integerField('Rows of the log of the last 7 days.', 3200),
        usersLastDay: integerField('People behind those of the last 24 hours.', 7),
      })
      .openapi({ description: 'What the log says.' }),
    rows: z
      .object({
        accounts: integerField('Accounts, also those in the trash.', 90),
        bookings: integerField(
          'Transactions by account: a transfer is one on each of its two.',
          18_000,
        ),
        groups: integerField('Groups.', 4),
        auditLog: integerField('Rows of the log.', 41_000),
      })
      .openapi({ description: 'How much is stored.' }),
    storage: z.object(amounts).openapi({ description: 'Files that people keep.' }),
    jobs: z
      .object({
        ...states,
        lagSeconds: integerField('How long what is due has waited at most.', 0),
      })
      .openapi({ description: 'Tasks by state.' }),
    errors: z
      .object({
        tasks: integerField('Tasks that failed for good.', 2),
        tasksLastDay: integerField('Those of them of the last 24 hours.', 0),
        codes: z
          .array(
            z.object({
              code: textField('What went wrong.', 'mail.failed'),
              tasks: integerField('How often.', 2),
            }),
          )
          .openapi({ description: 'Why, the most frequent first; 20 at most.' }),
      })
      .openapi({ description: 'What went wrong in the background.' }),
  })
  .openapi('MetricsResponse')

export const StorageMetricsQuery = z.strictObject({
  limit: pageQuery().limit.openapi({ description: 'How many rows of groups at most' }),
})

export const StorageMetricsResponse = z
  .object({
    totals: z.object(amounts).openapi({ description: 'All that is kept.' }),
    people: z.object(amounts).openapi({ description: 'What people keep outside of groups.' }),
    classes: z
      .array(
        z.object({
          storageClassId: id('stc', 'The storage class.'),
          name: textField('Its name.', 'Standard'),
          holders: integerField('How many groups and people keep something there.', 5),
          ...amounts,
        }),
      )
      .openapi({ description: 'By storage class, by name.' }),
    groups: z
      .array(
        z.object({
          groupId: id('grp', 'The group.'),
          storageClassId: id('stc', 'The storage class.'),
          ...amounts,
        }),
      )
      .openapi({ description: 'By group and storage class, the most bytes first.' }),
  })
  .openapi('StorageMetricsResponse')

const people = (days: string) =>
  integerField(`People who changed something in the last ${days}.`, 7)

export const ActiveUsersResponse = z
  .object({
    at: instant('When it was counted.'),
    daily: people('24 hours'),
    weekly: people('7 days'),
    monthly: people('30 days'),
  })
  .openapi('ActiveUsersResponse')

/** How many causes of failures are named; all are counted. */
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
