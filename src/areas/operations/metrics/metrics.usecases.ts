import journal from '../../../../migrations/meta/_journal.json' with { type: 'json' }
import { dateInZone } from '../../../domain/calendar.ts'
import type { SignedIn, Context } from '../../../platform/context.ts'
import { read } from '../../../platform/database/database.ts'
import { withoutEvents } from '../../../platform/log/events.ts'
import { pageFinders, readOn } from '../../../platform/log/log-reading.ts'
import type { LoggedEvent } from '../../../platform/work/reader-rows.ts'
import type { Reaction } from '../../../platform/work/readers.ts'
import { pingBucket } from '../../../platform/files/bucket.ts'
import { pingQueue } from '../../../platform/work/task-queue.ts'
import {
  byKind,
  countsOfTasks,
  inAll,
  tasksDue,
  type TaskState,
} from '../queue-tasks/queue-tasks.public.ts'
import {
  actorsSince,
  type StoredAmounts,
  failures,
  loggedSince,
  rowCounts,
  type TableCounts,
  storedByClass,
  storedByGroup,
  storedByPeople,
  storedInAll,
  type UserCounts,
  userCounts,
  type DayCount,
  downloadsSince,
  registrationsSince,
  clockAndMigrations,
  deadTasks,
  firstUnsealed,
  lastLedgerCheck,
  lastNightly,
  lastRates,
  readerStates,
} from './metrics.queries.ts'
import {
  allDue,
  DAY_MS,
  lagSince,
  daysUpTo,
  type DayOfKind,
  dayOfDownload,
  type Health,
} from './metrics.rules.ts'
import {
  addDownloaders,
  addToDays,
  countOfDownloaders,
  type Download,
  downloadsByDay,
  recentDownloads,
} from './downloads.queries.ts'

export interface Metrics {
  users: UserCounts | undefined
  changesLastDay: number
  changesLastWeek: number
  usersLastDay: number
  rows: TableCounts | undefined
  storage: StoredAmounts
  jobs: Record<TaskState, number>
  lagSeconds: number
  failures: { code: string; tasks: number; recent: number }[]
}

const NONE: StoredAmounts = { bytes: 0, objects: 0 }

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
  totals: StoredAmounts
  people: StoredAmounts
  classes: (StoredAmounts & { storageClassId: string; name: string; holders: number })[]
  groups: (StoredAmounts & { groupId: string; storageClassId: string })[]
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

export interface Growth {
  days: string[]
  registrations: DayCount[]
  downloads: DayCount[]
}

export async function getGrowthTrends(ctx: SignedIn, count: number): Promise<Growth> {
  const days = daysUpTo(ctx.now, count)
  const since = Date.parse(days[0] ?? '')
  const [registrations, downloads] = await read(
    ctx,
    registrationsSince(since),
    downloadsSince(since),
  )
  return { days, registrations, downloads }
}

export interface Downloads {
  days: DayOfKind[]
  users: number
  recent: Download[]
}

export async function getDownloadMetrics(ctx: SignedIn, limit: number): Promise<Downloads> {
  const [list, page] = [recentDownloads(), { limit, after: undefined }]
  const [days, [who], ...found] = await read(
    ctx,
    downloadsByDay(),
    countOfDownloaders(),
    ...pageFinders(list, page),
  )
  const { rows } = await readOn(ctx, list, page, found)
  return { days, users: who?.users ?? 0, recent: rows }
}

/** Adds up downloads by day, so that the sums of all time need not be counted anew from the whole log. */
export async function addUpDownloads(_: Context, events: LoggedEvent[]): Promise<Reaction> {
  const userIds = events.flatMap(({ actorId }) => (actorId === null ? [] : [actorId]))
  const statements = [addToDays(events.map(dayOfDownload)), addDownloaders(userIds)]
  return { changes: [withoutEvents(statements)] }
}

/** The file name of the newest migration, which is also its name in the database. */
const SHIPPED = `${journal.entries.at(-1)?.tag ?? ''}.sql`

const answers = (ping: Promise<void>): Promise<boolean> =>
  ping.then(
    () => true,
    () => false,
  )

export async function getSystemHealth(ctx: SignedIn): Promise<Health> {
  const found = await read(
    ctx,
    tasksDue(ctx.now),
    clockAndMigrations(),
    lastNightly(),
    lastLedgerCheck(),
    readerStates(),
    deadTasks(),
    firstUnsealed(),
    lastRates(dateInZone(ctx.now, 'UTC')),
  )
  const [files, queue] = await Promise.all([answers(pingBucket(ctx)), answers(pingQueue(ctx))])
  const [waiting, [database], nightly, [ledgerCheck = null], readers, [dead], [unsealed], [rates]] =
    found
  const { due, oldestDueAt } = allDue(waiting)
  return {
    ...{ now: ctx.now, files, queue, due, oldestDueAt },
    lagSeconds: lagSince(oldestDueAt, ctx.now),
    shipped: SHIPPED,
    applied: database?.applied ?? null,
    databaseNow: database?.now ?? 0,
    nightly,
    ledgerCheck,
    readers,
    dead: dead?.count ?? 0,
    unsealedSince: unsealed?.at ?? null,
    rates: ctx.settings.exchangeRatesUrl === undefined ? null : (rates ?? null),
  }
}
