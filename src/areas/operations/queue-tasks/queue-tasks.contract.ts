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
    'Queued, also between two attempts; running; or ended: succeeded, failed (another attempt is no use), cancelled, dead (out of attempts).',
  example: 'queued',
})

const kinds = z
  .array(text(1, 100, 'A kind.', KIND))
  .min(1)
  .max(50)
  .openapi({ description: 'Tasks of these kinds.', example: [KIND] })

export const QueueTasksQueryDTO = z
  .strictObject({
    states: z
      .array(taskState)
      .min(1)
      .max(TASK_STATES.length)
      .optional()
      .openapi({ description: 'Tasks in these states.', example: ['dead'] }),
    kinds: kinds.optional(),
    userId: idInput('usr', 'Tasks that this user asked for.').optional(),
    from: instantInput('Tasks created then or later.').optional(),
    to: instantInput('Tasks created then or before.').optional(),
    limit: z
      .number()
      .int()
      .min(1)
      .max(200)
      .default(50)
      .openapi({ description: 'How many rows at most.', example: 50 }),
    cursor: text(1, 2000, 'nextCursor of the page before.', 'WyJ0c2tf…').optional(),
    sort: z
      .enum(['createdAt', '-createdAt'])
      .default('-createdAt')
      .openapi({ description: 'The oldest first, or with a minus the newest.' }),
  })
  .openapi('QueueTasksQueryDTO')

/** What everybody sees of a task. */
export const taskFields = {
  id: id('tsk', 'Id of the task.'),
  kind: textField('What kind of work it is.', KIND),
  state: taskState,
  attempts: integerField('How often it was begun.', 1),
  maxAttempts: integerField('How often it is begun at most.', 5),
  progress: integerField('Percent that is done; null of work that does not tell.', 40).nullable(),
  summary: textField('What it is about; never a secret.', 'transactions, categories'),
  error: textField('Code of what went wrong in the last attempt.', 'mail.failed').nullable(),
  cancelRequestedAt: instant('When somebody asked for it to stop.').nullable(),
  createdAt: instant('When it was asked for.'),
  startedAt: instant('When the last attempt began.').nullable(),
  finishedAt: instant('When it ended, in whatever way.').nullable(),
  nextAttemptAt: instant('When it is begun, at the earliest; null unless it is queued.').nullable(),
}

export const TaskResponse = z
  .object({
    ...taskFields,
    createdBy: id('usr', 'Who asked for it; null for what the service does of itself.').nullable(),
  })
  .openapi('TaskResponse')

export const MultipleTasksResponseDTO = z
  .object({
    tasks: z.array(TaskResponse).openapi({ description: 'One page of them.' }),
    count,
    nextCursor,
  })
  .openapi('MultipleTasksResponseDTO')

const counts = Object.fromEntries(
  TASK_STATES.map((state) => [state, integerField(`How many are ${state}.`, 1)]),
) as Record<(typeof TASK_STATES)[number], ReturnType<typeof integerField>>

const waiting = {
  due: integerField('How many could be done now, those included whose lease has ended.', 0),
  oldestDueAt: instant('Since when the first of those has waited.').nullable(),
  failureRate: z.number().nullable().openapi({
    description: 'Of those tried to the end, the share that is failed or dead, 0 to 1.',
    example: 0.0125,
  }),
}

export const TaskStatisticsResponse = z
  .object({
    states: z.object(counts).openapi({ description: 'How many there are in each state.' }),
    ...waiting,
    lagSeconds: integerField('How long what is due has waited at most; 0 when nothing is.', 0),
    kinds: z
      .array(z.object({ kind: textField('The kind.', KIND), ...counts, ...waiting }))
      .openapi({ description: 'The same by kind.' }),
  })
  .openapi('TaskStatisticsResponse')

export const PurgeTasksRequest = z
  .strictObject({
    olderThanDays: z
      .number()
      .int()
      .min(1)
      .max(3650)
      .openapi({ description: 'Those that ended longer ago than so many days.', example: 30 }),
    states: z
      .array(z.enum(ENDED_STATES))
      .min(1)
      .max(ENDED_STATES.length)
      .optional()
      .openapi({ description: 'In these states; in all where left out.', example: ['succeeded'] }),
    kinds: kinds.optional(),
  })
  .openapi('PurgeTasksRequest')

export const PurgedTasksResponse = z
  .object({
    purged: integerField('How many were deleted: 5,000 at most.', 12),
    more: booleanField('Whether there are more.', false),
  })
  .openapi('PurgedTasksResponse')

/** What everybody sees of a task. */
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
