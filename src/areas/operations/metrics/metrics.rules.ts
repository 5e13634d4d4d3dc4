export const DAY_MS = 24 * 60 * 60 * 1000

/** How long what is due has waited at most, in seconds; nothing is due since null. */
export const lagSince = (oldestDueAt: number | null, now: number): number =>
  oldestDueAt === null ? 0 : Math.max(0, Math.floor((now - oldestDueAt) / 1000))

interface Due {
  due: number
  oldestDueAt: number
}

/** Of what is due of each kind, how much that is in all, and since when the first of it has waited. */
export const allDue = (kinds: Due[]): { due: number; oldestDueAt: number | null } => ({
  due: kinds.reduce((sum, { due }) => sum + due, 0),
  oldestDueAt: kinds.length === 0 ? null : Math.min(...kinds.map((kind) => kind.oldestDueAt)),
})
