/** The books as one would keep them without a database: everything is added up anew every time. */

export type Status = 'pending' | 'uncleared' | 'cleared' | 'reconciled' | 'void'
export type Single = 'expense' | 'income' | 'adjustment'

export interface Part {
  /** Of a split; what is whole has none. */
  id?: string
  /** Spent is positive, earned negative. */
  amount: bigint
  categoryId: string | null
  /** Of a part that is a transfer: its other side, which is a line of its own. */
  transfer?: { accountId: string; signed: bigint; status: Status; legId?: string }
}

/** One account's side of a transaction. */
export interface Line {
  id: string
  /** The header that it belongs to, and its place there: what orders lines of one date. */
  header: string
  line: number
  kind: Single | 'transfer'
  accountId: string
  date: string
  signed: bigint
  status: Status
  /** Of a leg the fees that it pays. */
  parts: Part[]
  /** Of a transfer, on both legs: counts in no category. */
  categoryId?: string | null
  externalId?: string
}

export interface Totals {
  inflow: bigint
  outflow: bigint
  net: bigint
  count: number
}

const isCleared = ({ status }: Line) => status === 'cleared' || status === 'reconciled'
const isReconciled = ({ status }: Line) => status === 'reconciled'
const moved = ({ status, signed }: Line) => (status === 'void' ? 0n : signed)
const sumOf = (lines: Line[]) => lines.reduce((sum, line) => sum + moved(line), 0n)
const orderOf = ({ date, header, line }: Line) =>
  `${date} ${header} ${String(line).padStart(6, '0')}`

export class Model {
  readonly lines = new Map<string, Line>()

  put(...lines: Line[]): void {
    for (const line of lines) {
      this.lines.set(line.id, line)
    }
  }

  /** Takes a transaction out, and gives what it was. */
  drop(header: string): Line[] {
    const gone = this.legsOf(header)
    for (const { id } of gone) {
      this.lines.delete(id)
    }
    return gone
  }

  legsOf(header: string): Line[] {
    return [...this.lines.values()]
      .filter((line) => line.header === header)
      .toSorted((a, b) => a.line - b.line)
  }

  of(accountId: string): Line[] {
    return [...this.lines.values()].filter((line) => line.accountId === accountId)
  }

  balances(accountId: string): Record<'balance' | 'cleared' | 'reconciled', bigint> {
    const lines = this.of(accountId)
    return {
      balance: sumOf(lines),
      cleared: sumOf(lines.filter(isCleared)),
      reconciled: sumOf(lines.filter(isReconciled)),
    }
  }

  balanceOn(accountId: string, day: string): bigint {
    return sumOf(this.of(accountId).filter(({ date }) => date <= day))
  }

  /** `[id, balance after it]`, newest first. */
  register(accountId: string): [string, bigint][] {
    let balance = 0n
    return this.of(accountId)
      .map((line) => ({ line, order: orderOf(line) }))
      .toSorted((a, b) => (a.order < b.order ? -1 : 1))
      .map(({ line }): [string, bigint] => {
        balance += moved(line)
        return [line.id, balance]
      })
      .toReversed()
  }

  totals(lines: Line[]): Totals {
    const inflow = sumOf(lines.filter(({ signed }) => signed > 0n))
    const outflow = -sumOf(lines.filter(({ signed }) => signed < 0n))
    return { inflow, outflow, net: inflow - outflow, count: lines.length }
  }

  /** What was booked on each category from one month to another, by `category account`. */
  activity(from: string, to: string): Map<string, { amount: bigint; count: number }> {
    const sums = new Map<string, { amount: bigint; count: number }>()
    for (const { accountId, date, status, parts } of this.lines.values()) {
      const month = date.slice(0, 7)
      const counted = parts.filter(({ transfer }) => !transfer)
      for (const part of status === 'void' || month < from || month > to ? [] : counted) {
        const key = `${part.categoryId ?? ''} ${accountId}`
        const { amount, count } = sums.get(key) ?? { amount: 0n, count: 0 }
        sums.set(key, { amount: amount + part.amount, count: count + 1 })
      }
    }
    return sums
  }
}
