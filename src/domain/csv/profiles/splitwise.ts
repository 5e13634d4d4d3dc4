import { absoluteDecimal, sumDecimals, readPlainAmount } from '../../bank-files/decimals.ts'
import { rowError } from '../../bank-files/rows.ts'
import type { SourceRow } from '../../bank-files/source.ts'
import type { RowCombiner } from './profile.ts'

const OF_GROUP = new Set(['Date', 'Description', 'Category', 'Cost', 'Currency'])
/** The largest difference between the columns of a row, because shares are rounded. */
const MOST_OFF = 0.01

/** Sums the columns of the members; undefined if one of them is not an amount. */
function sumOfMembers({ raw }: SourceRow): string | undefined {
  const members = Object.entries(raw).filter(([heading]) => !OF_GROUP.has(heading))
  const amounts = members.map(([, cell]) => readPlainAmount(cell))
  const read = amounts.filter((amount) => amount !== undefined)
  return read.length < amounts.length ? undefined : sumDecimals(read)
}

/**
 * Rows of a group as one member sees them: the column of the member is what they paid for others, or others for them. A
 * settlement has no category.
 */
export const splitwiseRows = (): RowCombiner => ({
  add(row) {
    const { originalAmount: cost, ...metadata } = row.metadata
    row.metadata = cost === undefined ? metadata : { cost, ...metadata }
    if (row.raw['Category'] === 'Payment') {
      delete row.category
    }
    const sum = sumOfMembers(row)
    if (row.ignored === undefined && sum !== undefined && Number(absoluteDecimal(sum)) > MOST_OFF) {
      row.errors.push(rowError.partsDoNotSum('Cost', sum, '0'))
    }
    return [row]
  },
  end: () => [],
})
