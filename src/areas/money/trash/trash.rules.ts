import type { TrashItem } from '../../../domain/owned-data.ts'

/** How long what was deleted can be restored. */
export const KEPT_MS = 30 * 24 * 60 * 60 * 1000

/** The newest deletion first. */
export const newestFirst = (items: TrashItem[]): TrashItem[] =>
  items.toSorted((one, other) => other.deletedAt - one.deletedAt || (one.id < other.id ? 1 : -1))
