import type { z } from '@hono/zod-openapi'
import { toInstant, toInstantOrNull } from '../../http/fields.ts'
import type { Listed } from '../../http/pagination.ts'
import type { TaskRow } from './queue-tasks.queries.ts'
import { failureRate, inAll } from './queue-tasks.rules.ts'
import type {
  MultipleTasksResponseDTO,
  PurgedTasksResponse,
  TaskResponse,
  TaskStatisticsResponse,
} from './queue-tasks.schemas.ts'
import type { Purge, TaskStatistics } from './queue-tasks.usecases.ts'

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
