export const TASK_STATES = [
  'queued',
  'running',
  'succeeded',
  'failed',
  'cancelled',
  'dead',
] as const

export type TaskState = (typeof TASK_STATES)[number]

/** In these nothing happens to a task any more. */
export const ENDED_STATES = ['succeeded', 'failed', 'cancelled', 'dead'] as const

export type EndedState = (typeof ENDED_STATES)[number]

export const hasEnded = (state: TaskState): state is EndedState =>
  ENDED_STATES.some((one) => one === state)

/** The number of tasks of a kind, by state, and the longest wait of those that are due. */
export interface KindCounts {
  kind: string
  counts: Record<TaskState, number>
  due: number
  oldestDueAt: number | null
}

export interface CountRow {
  kind: string
  state: TaskState
  count: number
}

export interface DueRow {
  kind: string
  due: number
  oldestDueAt: number
}

const none = (): Record<TaskState, number> => ({
  queued: 0,
  running: 0,
  succeeded: 0,
  failed: 0,
  cancelled: 0,
  dead: 0,
})

/** In the order of the counts, which is that of the kinds. */
export function byKind(counted: CountRow[], waiting: DueRow[]): KindCounts[] {
  const kinds = new Map<string, Record<TaskState, number>>()
  for (const { kind, state, count } of counted) {
    const counts = kinds.get(kind) ?? none()
    counts[state] = count
    kinds.set(kind, counts)
  }
  const dueOf = new Map(waiting.map((row) => [row.kind, row]))
  return [...kinds].map(([kind, counts]) => ({
    kind,
    counts,
    due: dueOf.get(kind)?.due ?? 0,
    oldestDueAt: dueOf.get(kind)?.oldestDueAt ?? null,
  }))
}

export function inAll(kinds: KindCounts[]): Record<TaskState, number> {
  const total = none()
  for (const { counts } of kinds) {
    for (const state of TASK_STATES) {
      total[state] += counts[state]
    }
  }
  return total
}

/** Returns the share of finished tasks that failed for good; null where there are none. */
export function failureRate({ succeeded, failed, dead }: Record<TaskState, number>): number | null {
  const tried = succeeded + failed + dead
  return tried === 0 ? null : Math.round(((failed + dead) / tried) * 10_000) / 10_000
}
