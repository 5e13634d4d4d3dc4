import type { SourceRow } from '../../bank-files/source.ts'
import type { RowCombiner } from './profile.ts'

/** Rows with a dash in the first column are the parts of the one with an asterisk above them. */
export function myExpensesRows(): RowCombiner {
  let open: SourceRow | undefined
  const finish = (): SourceRow[] => {
    const rows = open ? [open] : []
    open = undefined
    return rows
  }
  return {
    add(row) {
      const mark = row.raw['Split transaction'] ?? row.raw['Mehrteilige Buchung']
      if (mark === '-' && open) {
        const { amount = '0', category, note } = row
        open.errors.push(...row.errors)
        open.parts.push({
          amount,
          ...(category && { category }),
          ...(note !== undefined && { description: note }),
        })
        return []
      }
      const before = finish()
      if (mark !== '*') {
        return [...before, row]
      }
      open = row
      return before
    },
    end: finish,
  }
}
