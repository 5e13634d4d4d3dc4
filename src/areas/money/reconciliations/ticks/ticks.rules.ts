import type { TransactionMovement } from '../../../../ledger/ledger.public.ts'

/** A line that another one takes the place of. */
export interface MovedLine {
  fromId: string
  fromLine: number
  toId: string
  toLine: number
}

type Whole = NonNullable<TransactionMovement['after']>
type Line = Whole['entries'][number]

const accountLines = ({ entries }: Whole): Line[] =>
  entries.filter(({ side }) => side === 'account')

/** The lines that take the place of others on the same account, where transactions are merged, matched or unmatched. */
export function movedLines(movements: TransactionMovement[]): MovedLine[] {
  const booked = new Map(movements.flatMap(({ id, after }) => (after ? [[id, after]] : [])))
  return movements.flatMap(({ id, before, into = [] }) => {
    if (!before) {
      return []
    }
    const targets = into.flatMap((toId) => {
      const whole = booked.get(toId)
      return whole ? accountLines(whole).map((line) => ({ toId, line })) : []
    })
    return accountLines(before).flatMap(({ accountId, amountMinor, line }) => {
      const here = targets.filter((target) => target.line.accountId === accountId)
      // Of several parts on the account, the one of that amount.
      const to = here.find((target) => target.line.amountMinor === amountMinor) ?? here[0]
      return to ? [{ fromId: id, fromLine: line, toId: to.toId, toLine: to.line.line }] : []
    })
  })
}
