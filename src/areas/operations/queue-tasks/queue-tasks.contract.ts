import { z } from '@hono/zod-openapi'
import {
  count,
  id,
  idInput,
  instant,
  instantInput,
  nextCursor,
  textField,
  text,
  toInstant,
  toInstantOrNull,
  integerField,
  booleanField,
} from '../../../http/fields.ts'
import type { Listed } from '../../../http/pagination.ts'
import type { TaskRow } from './queue-tasks.queries.ts'
import { ENDED_STATES, failureRate, inAll, TASK_STATES } from './queue-tasks.rules.ts'
import type { Purge, TaskStatistics } from './queue-tasks.usecases.ts'

const KIND = 'user.wipe'

export const taskState = z.enum(TASK_STATES).openapi({
  description:
    'State of the task. It is queued before and between attempts, or running, or has ended: succeeded, failed (a retry would not help), cancelled, or dead (no attempts left).',
  example: 'queued',
})

const kinds = z
  .array(text(1, 100, 'Kind of a task.', KIND))
  .min(1)
  .max(50)
  .openapi({ description: 'Only tasks of these kinds.', example: [KIND] })

export const QueueTasksQueryDTO = z
  .strictObject({
    states: z
      .array(taskState)
      .min(1)
      .max(TASK_STATES.length)
      .optional()
      .openapi({ description: 'Only tasks in these states.', example: ['dead'] }),
    kinds: kinds.optional(),
    userId: idInput('usr', 'Only tasks that this user requested.').optional(),
    from: instantInput('Only tasks created at this time or later.').optional(),
    to: instantInput('Only tasks created at this time or earlier.').optional(),
    limit: z
      .number()
      .int()
      .min(1)
      .max(200)
      .default(50)
      .openapi({ description: 'Maximum number of rows.', example: 50 }),
    cursor: text(1, 2000, '`nextCursor` of the previous page.', 'WyJ0c2tf…').optional(),
    sort: z.enum(['createdAt', '-createdAt']).default('-createdAt').openapi({
      description: 'Sort order: `createdAt` lists the oldest first, `-createdAt` the newest first.',
    }),
  })
  .openapi('QueueTasksQueryDTO')

/** The fields of a task that everybody sees. */
export const taskFields = {
  id: id('tsk', 'Id of the task.'),
  kind: textField('Kind of the task.', KIND),
  state: taskState,
  attempts: integerField('Number of attempts so far.', 1),
  maxAttempts: integerField('Maximum number of attempts.', 5),
  progress: integerField(
    'Progress in percent; null for tasks that do not report it.',
    40,
  ).nullable(),
  summary: textField('Short summary of the task, without secrets.', 'transactions, categories'),
  error: textField('Error code of the last attempt.', 'mail.failed').nullable(),
  cancelRequestedAt: instant('Time at which cancellation was requested.').nullable(),
  createdAt: instant('Time at which the task was requested.'),
  startedAt: instant('Time at which the last attempt began.').nullable(),
  finishedAt: instant('Time at which the task ended, with any result.').nullable(),
  nextAttemptAt: instant(
    'Earliest time of the next attempt; null unless the task is queued.',
  ).nullable(),
}

export const TaskResponse = z
  .object({
    ...taskFields,
    createdBy: id(
      'usr',
      'User who requested the task; null for tasks of the service itself.',
    ).nullable(),
  })
  .openapi('TaskResponse')

export const MultipleTasksResponseDTO = z
  .object({
    tasks: z.array(TaskResponse).openapi({ description: 'One page of the list.' }),
    count,
    nextCursor,
  })
  .openapi('MultipleTasksResponseDTO')

const counts = Object.fromEntries(
  TASK_STATES.map((state) => [state, integerField(`Number of tasks with the state ${state}.`, 1)]),
) as Record<(typeof TASK_STATES)[number], ReturnType<typeof integerField>>

const waiting = {
  due: integerField(
    'Number of tasks that could run now, including those whose lease has expired.',
    0,
  ),
  oldestDueAt: instant('Time at which the oldest of those became due.').nullable(),
  failureRate: z.number().nullable().openapi({
    description: 'Share of finished tasks that are failed or dead, from 0 to 1.',
    example: 0.0125,
  }),
}

export const TaskStatisticsResponse = z
  .object({
    states: z.object(counts).openapi({ description: 'Number of tasks in each state.' }),
    ...waiting,
    lagSeconds: integerField(
      'Number of seconds that the oldest due task has waited; 0 if none is due.',
      0,
    ),
    kinds: z
      .array(z.object({ kind: textField('Kind of the tasks.', KIND), ...counts, ...waiting }))
      .openapi({ description: 'The same numbers by kind.' }),
  })
  .openapi('TaskStatisticsResponse')

export const PurgeTasksRequest = z
  .strictObject({
    olderThanDays: z.number().int().min(1).max(3650).openapi({
      description: 'Only tasks that ended more than this number of days ago.',
      example: 30,
    }),
    states: z
      .array(z.enum(ENDED_STATES))
      .min(1)
      .max(ENDED_STATES.length)
      .optional()
      .openapi({
        description: 'Only tasks in these states; by default all.',
        example: ['succeeded'],
      }),
    kinds: kinds.optional(),
  })
  .openapi('PurgeTasksRequest')

export const PurgedTasksResponse = z
  .object({
    purged: integerField('Number of deleted tasks, at most 5,000.', 12),
    more: booleanField('Whether there are more tasks to delete.', false),
  })
  .openapi('PurgedTasksResponse')

/** Presents the fields of a task that everybody sees. */
export const presentFields = (task: TaskRow): Omit<z.infer<typeof TaskResponse>, 'createdBy'> => ({
  id: task.id,
  kind: task.kind,
  state: task.state,
  attempts: task.attempts,
  maxAttempts: task.maxAttempts,
  progress: task.progress,
  summary: task.summary,
  error: task.error,
  cancelRequestedAt: toInstantOrNull(task.cancelRequestedAt),
  createdAt: toInstant(task.createdAt),
  startedAt: toInstantOrNull(task.startedAt),
  finishedAt: toInstantOrNull(task.finishedAt),
  nextAttemptAt: task.state === 'queued' ? toInstant(task.nextAttemptAt) : null,
})

export const presentTask = (task: TaskRow): z.infer<typeof TaskResponse> => ({
  ...presentFields(task),
  createdBy: task.createdBy,
})

export const presentTasks = ({
  rows,
  count,
  nextCursor,
}: Listed<TaskRow>): z.infer<typeof MultipleTasksResponseDTO> => ({
  tasks: rows.map(presentTask),
  count,
  nextCursor,
})

export function presentStatistics({
  kinds,
  now,
}: TaskStatistics): z.infer<typeof TaskStatisticsResponse> {
  const states = inAll(kinds)
  const waiting = kinds.flatMap(({ oldestDueAt }) => oldestDueAt ?? [])
  const oldest = waiting.length === 0 ? null : Math.min(...waiting)
  return {
    states,
    due: kinds.reduce((sum, { due }) => sum + due, 0),
    oldestDueAt: toInstantOrNull(oldest),
    failureRate: failureRate(states),
    lagSeconds: oldest === null ? 0 : Math.floor((now - oldest) / 1000),
    kinds: kinds.map(({ kind, counts, due, oldestDueAt }) => ({
      kind,
      ...counts,
      due,
      oldestDueAt: toInstantOrNull(oldestDueAt),
      failureRate: failureRate(counts),
    })),
  }
}

export const presentPurge = ({ purged, more }: Purge): z.infer<typeof PurgedTasksResponse> => ({
  purged,
  more,
})
