import { z } from '@hono/zod-openapi'
import { id, instant, output, whole } from '../../http/fields.ts'
import { pageQuery } from '../../http/pagination.ts'
import { TASK_STATES } from '../queue-tasks/queue-tasks.public.ts'

const amounts = {
  bytes: whole('Bytes, also of files in the trash.', 52_428_800),
  objects: whole('Files, also those in the trash.', 12),
}

const states = Object.fromEntries(
  TASK_STATES.map((state) => [state, whole(`How many are ${state}.`, 1)]),
) as Record<(typeof TASK_STATES)[number], ReturnType<typeof whole>>

export const MetricsResponse = z
  .object({
    users: z
      .object({
        total: whole('All who are not erased.', 20),
        active: whole('Who may sign in.', 18),
        disabled: whole('Who were disabled.', 1),
        deleted: whole('Who were deleted, and wait to be erased.', 1),
      })
      .openapi({ description: 'How many users there are.' }),
    activity: z
      .object({
        changesLastDay: whole('Rows of the log of the last 24 hours.', 640),
        changesLastWeek: whole('Rows of the log of the last 7 days.', 3200),
        usersLastDay: whole('People behind those of the last 24 hours.', 7),
      })
      .openapi({ description: 'What the log says.' }),
    rows: z
      .object({
        accounts: whole('Accounts, also those in the trash.', 90),
        bookings: whole('Transactions by account: a transfer is one on each of its two.', 18_000),
        groups: whole('Groups.', 4),
        auditLog: whole('Rows of the log.', 41_000),
      })
      .openapi({ description: 'How much is stored.' }),
    storage: z.object(amounts).openapi({ description: 'Files that people keep.' }),
    jobs: z
      .object({ ...states, lagSeconds: whole('How long what is due has waited at most.', 0) })
      .openapi({ description: 'Tasks by state.' }),
    errors: z
      .object({
        tasks: whole('Tasks that failed for good.', 2),
        tasksLastDay: whole('Those of them of the last 24 hours.', 0),
        codes: z
          .array(
            z.object({
              code: output('What went wrong.', 'mail.failed'),
              tasks: whole('How often.', 2),
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
          name: output('Its name.', 'Standard'),
          holders: whole('How many groups and people keep something there.', 5),
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

const people = (days: string) => whole(`People who changed something in the last ${days}.`, 7)

export const ActiveUsersResponse = z
  .object({
    at: instant('When it was counted.'),
    daily: people('24 hours'),
    weekly: people('7 days'),
    monthly: people('30 days'),
  })
  .openapi('ActiveUsersResponse')
