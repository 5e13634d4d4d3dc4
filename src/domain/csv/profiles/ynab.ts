import { isNegativeDecimal, absoluteDecimal, sumDecimals } from '../../bank-files/decimals.ts'
import type { SourcePart, SourceRow } from '../../bank-files/source.ts'
import type { RowCombiner } from './profile.ts'

const TRANSFER = /^Transfer\s*:\s*(.+)$/
const SPLIT = /^\(?Split \(?(\d{1,3})\/(\d{1,3})\)?\)?\s*/

/**
 * Keys for the two sides of a transfer, which name each other's account. Equal transfers of one day are distinguished by
 * their number on either side.
 */
export function transferKeys() {
  const counts = new Map<string, number>()
  return ({ account, date = '', amount = '0' }: SourceRow, other: string): string => {
    const isOut = isNegativeDecimal(amount)
    const way = isOut ? [account, other] : [other, account]
    const key = [...way, date, absoluteDecimal(amount)].join('|')
    const side = `${key}|${isOut ? 'out' : 'in'}`
    const number = (counts.get(side) ?? 0) + 1
    counts.set(side, number)
    return `${key}|${number}`
  }
}

/** Joins the rows of a split, and pairs the two sides of a transfer. */
export function ynabRows(): RowCombiner {
  const pairOf = transferKeys()
  let open: { rows: SourceRow[]; count: number } | undefined

  const transferIn = (row: SourceRow) => TRANSFER.exec(row.payeeRaw ?? '')?.[1]

  function partOf(row: SourceRow): SourcePart {
    const other = transferIn(row)
    return {
      amount: row.amount ?? '0',
      ...(row.note !== undefined && { description: row.note }),
      ...(row.category && { category: row.category }),
      ...(other !== undefined && { transfer: other, pair: pairOf(row, other) }),
    }
  }

  function finish(): SourceRow[] {
    const rows = open?.rows ?? []
    open = undefined
    const [first, ...more] = rows
    if (!first || more.length === 0) {
      return rows.map((row) => (row.amount === '0' ? { ...row, ignored: 'zero' } : row))
    }
    const { category: _category, note: _note, ...whole } = first
    const payee = rows.find((row) => transferIn(row) === undefined)?.payeeRaw
    return [
      {
        ...whole,
        ...(payee !== undefined && { payeeRaw: payee }),
        amount: sumDecimals(rows.map(({ amount }) => amount ?? '0')),
        text: rows.map(({ text }) => text).join(' '),
        parts: rows.map(partOf),
        errors: rows.flatMap(({ errors }) => errors),
      },
    ]
  }

  function clean(row: SourceRow, state: string | undefined) {
    if (state === 'Cleared' || state === 'Reconciled') {
      row.status = 'cleared'
    } else if (state === 'Uncleared') {
      row.status = 'uncleared'
    }
  }

  return {
    add(row) {
      clean(row, row.raw['Cleared'])
      const split = SPLIT.exec(row.note ?? '')
      if (!split) {
        const other = transferIn(row)
        if (other !== undefined) {
          row.transfer = { account: other, pair: pairOf(row, other) }
        }
        return [...finish(), row]
      }
      const note = (row.note as string).slice(split[0].length)
      delete row.note
      if (note !== '') {
        row.note = note
      }
      // A part of nothing still belongs to its split.
      delete row.ignored
      const isNext =
        open !== undefined &&
        Number(split[1]) === open.rows.length + 1 &&
        open.rows[0]?.date === row.date &&
        open.rows[0]?.account === row.account
      const before = isNext ? [] : finish()
      open = { rows: isNext && open ? [...open.rows, row] : [row], count: Number(split[2]) }
      return open.rows.length === open.count ? [...before, ...finish()] : before
    },
    end: finish,
  }
}
