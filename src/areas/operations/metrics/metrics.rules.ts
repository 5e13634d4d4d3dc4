import { addDays, type CalendarDate, dateInZone } from '../../../domain/calendar.ts'
import { isStaleDate } from '../../../domain/exchange.ts'
import type { TaskState } from '../queue-tasks/queue-tasks.public.ts'

export const DAY_MS = 24 * 60 * 60 * 1000

/** Returns the longest wait of a due task, in seconds; null means that nothing is due. */
export const lagSince = (oldestDueAt: number | null, now: number): number =>
  oldestDueAt === null ? 0 : Math.max(0, Math.floor((now - oldestDueAt) / 1000))

interface Due {
  due: number
  oldestDueAt: number
}

/** Returns the sum of due tasks over all kinds, and the time since which the first of them has waited. */
export const allDue = (kinds: Due[]): { due: number; oldestDueAt: number | null } => ({
  due: kinds.reduce((sum, { due }) => sum + due, 0),
  oldestDueAt: kinds.length === 0 ? null : Math.min(...kinds.map((kind) => kind.oldestDueAt)),
})

/** So many days in UTC up to the one of that instant, oldest first. */
export function daysUpTo(now: number, days: number): string[] {
  const today = dateInZone(now, 'UTC')
  return Array.from({ length: days }, (_, at) => addDays(today, at + 1 - days))
}

export const DOWNLOADED = 'file.downloaded'
export const DOWNLOADS_READER = 'metrics.downloads'

/** The number of downloads and their bytes. */
interface Sum {
  downloads: number
  bytes: number
}

/** Adds up rows that share a key, in the order in which each key comes first. */
export function sumBy<Row extends Sum>(
  rows: Row[],
  keyOf: (row: Row) => string,
): (Sum & { key: string })[] {
  const sums = new Map<string, Sum>()
  for (const row of rows) {
    const key = keyOf(row)
    const { downloads, bytes } = sums.get(key) ?? { downloads: 0, bytes: 0 }
    sums.set(key, { downloads: downloads + row.downloads, bytes: bytes + row.bytes })
  }
  return [...sums].map(([key, sum]) => ({ key, ...sum }))
}

/** The downloads of a kind in a day. */
export interface DayOfKind extends Sum {
  /** In UTC. */
  date: string
  kind: string
}

interface DownloadEvent {
  at: number
  resourceType: string
  facts: string | null
}

/** A download as the sum of itself. */
export function dayOfDownload({ at, resourceType: kind, facts }: DownloadEvent): DayOfKind {
  const { bytes = 0 } = (facts === null ? {} : JSON.parse(facts)) as { bytes?: number }
  return { date: dateInZone(at, 'UTC'), kind, downloads: 1, bytes }
}

export const PROBLEMS = [
  'files',
  'queue',
  'lag',
  'migrations',
  'clock',
  'nightly',
  'ledger',
  'readers',
  'tasks',
  'auditLog',
  'exchangeRates',
] as const

export type Problem = (typeof PROBLEMS)[number]

/** A nightly task, with the result of its last run. */
export interface Nightly {
  kind: string
  /** `YYYY-MM-DD` in UTC. */
  date: string
  state: TaskState
  finishedAt: number | null
  error: string | null
}

export interface LastRates {
  /** Null where there are none yet. */
  newestDate: CalendarDate | null
  /** Null where none were fetched yet. */
  failing: 0 | 1 | null
}

export const RATE_STATES = ['ok', 'stale', 'failing'] as const

/** Rates are stale as they are in conversions of today. */
export const rateStateOf = (
  { newestDate, failing }: LastRates,
  now: number,
): (typeof RATE_STATES)[number] =>
  failing === 1
    ? 'failing'
    : newestDate !== null && isStaleDate(newestDate, dateInZone(now, 'UTC'))
      ? 'stale'
      : 'ok'

/** The progress of a reader of the log. */
export interface ReaderState {
  name: string
  /** Events of the log that it has not seen. */
  behind: number
  /** The number of times that the next one has failed. */
  failures: number
  /** The number of events that it has left out. */
  skipped: number
  error: string | null
}

export interface Health {
  now: number
  files: boolean
  queue: boolean
  due: number
  oldestDueAt: number | null
  lagSeconds: number
  shipped: string
  applied: string | null
  databaseNow: number
  nightly: Nightly[]
  ledgerCheck: { at: number; differences: number } | null
  readers: ReaderState[]
  /** Tasks that failed each time, and that nobody has seen to. */
  dead: number
  /** The first commit of the log that is not sealed. */
  unsealedSince: number | null
  /** Null without a source of rates. */
  rates: LastRates | null
}

const MOST_LAG_SECONDS = 600
const MOST_SKEW_MS = 5000
/** The clock seals every five minutes. */
const MOST_UNSEALED_MS = 15 * 60 * 1000

/** A database ahead of the build is none: that is how an upgrade goes. */
export function problemsOf(health: Health): Problem[] {
  const { applied, shipped, nightly, now, readers, unsealedSince, rates } = health
  // Before its hour has come, the last night is that of yesterday.
  const yesterday = addDays(dateInZone(now, 'UTC'), -1)
  const found: Record<Problem, boolean> = {
    files: !health.files,
    queue: !health.queue,
    lag: health.lagSeconds > MOST_LAG_SECONDS,
    migrations: (applied ?? '') < shipped,
    clock: Math.abs(health.databaseNow - now) > MOST_SKEW_MS,
    nightly: nightly.some(
      ({ state, date }) => ['failed', 'dead', 'cancelled'].includes(state) || date < yesterday,
    ),
    ledger: (health.ledgerCheck?.differences ?? 0) > 0,
    readers: readers.some(({ failures, behind }) => failures > 0 || behind < 0),
    tasks: health.dead > 0,
    auditLog: now - (unsealedSince ?? now) > MOST_UNSEALED_MS,
    exchangeRates: rates !== null && rateStateOf(rates, now) !== 'ok',
  }
  return PROBLEMS.filter((problem) => found[problem])
}
