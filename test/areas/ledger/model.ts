/** The ledger as one would write it without a database: everything is added up anew every time. */

export type Single = 'expense' | 'income' | 'adjustment'
export type ModelStatus = 'pending' | 'uncleared' | 'cleared' | 'reconciled' | 'void'

export interface ModelPart {
  amount: number
  categoryId: string | null
}

/** One account's side of a transaction, with what it spent (positive) or earned by category. */
export interface ModelLine {
  id: string
  /** The header it belongs to, and its place there: what orders lines of one date. */
  header: string
  line: number
  accountId: string
  date: string
  signed: number
  status: ModelStatus
  parts: ModelPart[]
}

export class Model {
  readonly lines = new Map<string, ModelLine>()

  put(...lines: ModelLine[]): void {
    for (const line of lines) {
      this.lines.set(line.id, line)
    }
  }

  drop(header: string): void {
    for (const line of this.lines.values()) {
      if (line.header === header) {
        this.lines.delete(line.id)
      }
    }
  }

  of(accountId: string): ModelLine[] {
    return [...this.lines.values()].filter((line) => line.accountId === accountId)
  }

  balances(accountId: string): { balance: number; cleared: number; reconciled: number } {
    const total = (statuses: ModelStatus[]) =>
      this.of(accountId)
        .filter(({ status }) => statuses.includes(status))
        .reduce((sum, { signed }) => sum + signed, 0)
    return {
      balance: total(['pending', 'uncleared', 'cleared', 'reconciled']),
      cleared: total(['cleared', 'reconciled']),
      reconciled: total(['reconciled']),
    }
  }

  /** `[id, balance after it]`, newest first. */
  register(accountId: string): [string, number][] {
    const oldestFirst = this.of(accountId).toSorted((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1))
    let balance = 0
    return oldestFirst
      .map(({ id, status, signed }): [string, number] => {
        balance += status === 'void' ? 0 : signed
        return [id, balance]
      })
      .toReversed()
  }

  /** `account month category` to what was spent, without what nothing was booked on. */
  categoryMonths(): Map<string, number> {
    const months = new Map<string, number>()
    for (const { accountId, date, status, parts } of this.lines.values()) {
      for (const { amount, categoryId } of status === 'void' ? [] : parts) {
        const key = `${accountId} ${date.slice(0, 7)} ${categoryId ?? ''}`
        months.set(key, (months.get(key) ?? 0) + amount)
      }
    }
    return months
  }
}

const orderOf = ({ date, header, line }: ModelLine) => `${date} ${header} ${line}`

/** A small generator of numbers that a seed repeats: mulberry32. */
export function randomFrom(seed: number) {
  let state = seed
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const whole = (least: number, most: number) => least + Math.floor(next() * (most - least + 1))
  return {
    whole,
    chance: (share: number) => next() < share,
    pick: <Item>(items: readonly Item[]): Item => {
      const item = items[whole(0, items.length - 1)]
      if (item === undefined) {
        throw new Error('nothing to pick from')
      }
      return item
    },
  }
}

export type Random = ReturnType<typeof randomFrom>
