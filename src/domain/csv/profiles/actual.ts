import type { SourceRow } from '../../bank-files/source.ts'
import type { RowCombiner } from './profile.ts'

const SPLIT = /^\(SPLIT (?:INTO \d+|\d+ OF \d+)\)\s*/

/** Rows with an amount of a split follow the row that they divide. */
export function actualRows(): RowCombiner {
  let parent: SourceRow | undefined

  function release(): SourceRow[] {
    const rows = parent ? [parent] : []
    parent = undefined
    return rows
  }

  /** The amount of a part; its column has no other use. */
  const partAmount = (row: SourceRow): string | undefined => {
    const amount = row.metadata['originalAmount']
    delete row.metadata['originalAmount']
    return amount === '0' ? undefined : amount
  }

  return {
    add(row) {
      const note = row.note?.replace(SPLIT, '')
      delete row.note
      if (note) {
        row.note = note
      }
      const state = row.raw['Cleared']
      row.status = state === 'Not cleared' ? 'uncleared' : 'cleared'
      const amount = partAmount(row)
      if (amount !== undefined && parent && row.amount === '0') {
        parent.parts.push({
          amount,
          ...(row.note !== undefined && { description: row.note }),
          ...(row.category && { category: row.category }),
        })
        parent.text = `${parent.text} ${row.text}`
        return []
      }
      const before = release()
      parent = row
      return before
    },
    end: release,
  }
}
