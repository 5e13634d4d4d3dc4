import type { z } from '@hono/zod-openapi'
import { toInstant } from '../../http/fields.ts'
import type {
  ActiveUsersResponse,
  MetricsResponse,
  StorageMetricsResponse,
} from './metrics.schemas.ts'
import type { ActiveUsers, Metrics, StorageMetrics } from './metrics.usecases.ts'

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
