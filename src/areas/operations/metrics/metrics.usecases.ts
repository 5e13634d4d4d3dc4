import type { SignedIn } from '../../../platform/context.ts'
import { read } from '../../../platform/database.ts'
import {
  byKind,
  countsOfTasks,
  inAll,
  tasksDue,
  type TaskState,
} from '../queue-tasks/queue-tasks.public.ts'
import {
  actorsSince,
  type Amounts,
  failures,
  loggedSince,
  rowCounts,
  type RowCounts,
  storedByClass,
  storedByGroup,
  storedByPeople,
  storedInAll,
  type UserCounts,
  userCounts,
} from './metrics.queries.ts'
import { allDue, DAY_MS, lagSince } from './metrics.rules.ts'

export interface Metrics {
  users: UserCounts | undefined
  changesLastDay: number
  changesLastWeek: number
  usersLastDay: number
  rows: RowCounts | undefined
  storage: Amounts
  jobs: Record<TaskState, number>
  lagSeconds: number
  failures: { code: string; tasks: number; recent: number }[]
}

const NONE: Amounts = { bytes: 0, objects: 0 }

const daysAgo = (ctx: SignedIn, days: number) => Math.max(0, ctx.now - days * DAY_MS)

export async function getMetrics(ctx: SignedIn): Promise<Metrics> {
  const yesterday = daysAgo(ctx, 1)
  const [[users], [day], [week], [active], [rows], [storage = NONE], counted, due, failed] =
    await read(
      ctx,
      userCounts(),
      loggedSince(yesterday),
      loggedSince(daysAgo(ctx, 7)),
      actorsSince(yesterday),
      rowCounts(),
      storedInAll(),
      countsOfTasks(),
      tasksDue(ctx.now),
      failures(yesterday),
    )
  return {
    users,
    changesLastDay: day?.count ?? 0,
    changesLastWeek: week?.count ?? 0,
    usersLastDay: active?.count ?? 0,
    rows,
    storage,
    jobs: inAll(byKind(counted, due)),
    lagSeconds: lagSince(allDue(due).oldestDueAt, ctx.now),
    failures: failed,
  }
}

export interface StorageMetrics {
  totals: Amounts
  people: Amounts
  classes: (Amounts & { storageClassId: string; name: string; holders: number })[]
  groups: (Amounts & { groupId: string; storageClassId: string })[]
}

export async function getStorageMetrics(ctx: SignedIn, limit: number): Promise<StorageMetrics> {
  const [[totals = NONE], [people = NONE], classes, groups] = await read(
    ctx,
    storedInAll(),
    storedByPeople(),
    storedByClass(),
    storedByGroup(limit),
  )
  return { totals, people, classes, groups }
}

export interface ActiveUsers {
  at: number
  daily: number
  weekly: number
  monthly: number
}

export async function getActiveUsers(ctx: SignedIn): Promise<ActiveUsers> {
  const [[daily], [weekly], [monthly]] = await read(
    ctx,
    actorsSince(daysAgo(ctx, 1)),
    actorsSince(daysAgo(ctx, 7)),
    actorsSince(daysAgo(ctx, 30)),
  )
  return {
    at: ctx.now,
    daily: daily?.count ?? 0,
    weekly: weekly?.count ?? 0,
    monthly: monthly?.count ?? 0,
  }
}
