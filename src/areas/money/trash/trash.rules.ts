import type { TrashItem } from '../../../domain/owned-data.ts'

/** The newest deletion first. */
export const newestFirst = (items: TrashItem[]): TrashItem[] =>
  items.toSorted((one, other) => other.deletedAt - one.deletedAt || (one.id < other.id ? 1 : -1))
