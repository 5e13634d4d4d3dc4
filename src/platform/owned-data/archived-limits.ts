import { sizeOf } from '../../domain/metadata.ts'
import {
  type ArchivedRow,
  type ArchivedTable,
  type RowLimit,
  tableNameOf,
} from './archived-tables.ts'

/** Counts the rows of tables for each of their limits. */
export class LimitCounts {
  /** For each limit, the count for the values that it applies to. */
  private readonly counts = new Map<RowLimit, Map<string, number>>()

  /** Counts a row. Returns in words the limits that it is the first to exceed. */
  add(archived: ArchivedTable, row: ArchivedRow): string[] {
    return this.count(archived, row, () => true)
  }

  /** Does the same, but only beside rows with the same values that were counted before. */
  addBeside(archived: ArchivedTable, row: ArchivedRow): string[] {
    return this.count(archived, row, (known) => known !== undefined)
  }

  private count(
    archived: ArchivedTable,
    row: ArchivedRow,
    isCounted: (known: number | undefined) => boolean,
  ): string[] {
    return (archived.most ?? []).flatMap((limit) => {
      const { rows, bytesOf, per = [], counts, ofEither } = limit
      if (counts?.(row) === false) {
        return []
      }
      const seen = this.counts.get(limit) ?? new Map<string, number>()
      this.counts.set(limit, seen)
      return (ofEither ? per.map((column) => [column]) : [per]).flatMap((columns) => {
        const one = columns.map(({ name }) => row[name]).join(' ')
        const known = seen.get(one)
        if (!isCounted(known)) {
          return []
        }
        const before = known ?? 0
        const after = before + (bytesOf ? sizeOf(String(row[bytesOf.name])) : 1)
        seen.set(one, after)
        const unit = bytesOf ? `bytes of ${bytesOf.name} in ` : ''
        const which = columns.map(({ name }) => ` with the ${name} ${row[name]}`).join(',')
        return before <= rows && after > rows
          ? [`more than ${rows} ${unit}${tableNameOf(archived)}${which}`]
          : []
      })
    })
  }
}
