/** Where a page ends: the sort key of its last row, as the finder orders by it. */
export type Position = string[]

/** What a finder of a list needs to know. */
export interface PageRequest {
  limit: number
  after: Position | undefined
}

export interface Page<Row> {
  rows: Row[]
  /** Of the whole list, not of this page. */
  count: number
  /** Where the next page starts; null at the end. */
  next: Position | null
}

/** Splits the `limit + 1` rows that a finder fetched into the page and where the next one starts. */
export function cutPage<Row>(
  found: Row[],
  { limit }: PageRequest,
  positionOf: (row: Row) => Position,
): { rows: Row[]; next: Position | null } {
  const rows = found.slice(0, limit)
  const last = rows.at(-1)
  return { rows, next: found.length > limit && last ? positionOf(last) : null }
}
