/** The end of a page: the sort key of its last row, as the finder orders by it. */
export type Position = string[]

/** The page that is asked of a finder of a list. */
export interface PageRequest {
  limit: number
  after: Position | undefined
}

export interface Page<Row> {
  rows: Row[]
  /** The count of the whole list, not of this page. */
  count: number
  /** The start of the next page; null at the end. */
  next: Position | null
}

/** The bytes of text in its rows after which a page ends early: its last row is the one that passes them. */
export const PAGE_BYTES = 1024 ** 2

/** A row of a page that may end early; see `upToBytes` of statements.ts. */
interface Sized {
  rowBytes?: number
  bytesAbove?: number
}

/** A row without what only says how long a page is. */
function unsized<Row>(row: Row): Row {
  const { rowBytes, bytesAbove: _, ...rest } = row as Row & Sized
  return rowBytes === undefined ? row : (rest as Row)
}

/** Splits the rows that a finder fetched, one more than the page, into the page and where the next one starts. */
export function cutPage<Row>(
  found: Row[],
  { limit }: Pick<PageRequest, 'limit'>,
  positionOf: (row: Row) => Position,
): { rows: Row[]; next: Position | null } {
  let bytesBefore = 0
  const rows = found.slice(0, limit).filter((row) => {
    const fits = bytesBefore <= PAGE_BYTES
    bytesBefore += (row as Row & Sized).rowBytes ?? 0
    return fits
  })
  const last = rows.at(-1)
  return {
    rows: rows.map(unsized),
    next: found.length > rows.length && last ? positionOf(last) : null,
  }
}
