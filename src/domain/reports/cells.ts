import type { CalendarDate } from '../calendar.ts'

/** What an account moved in a day or a month, for one purpose; or what several accounts of one currency did. */
export interface KeptCell {
  /** Empty for several. */
  accountId: string
  currency: string
  /** `YYYY-MM-DD` or `YYYY-MM`. */
  period: string
  flow: 'expense' | 'income' | 'transfer' | 'adjustment' | 'opening'
  /** Empty for none. */
  categoryId: string
  /** The account on the other side of a transfer; empty for other flows. */
  counterAccountId: string
  /** As the account sees it: what goes out is negative. */
  minor: bigint
  /** The number of lines. */
  lines: number
}

/** Lines of a cell, all of one day, that do not count in it. */
export type TakenLine = Omit<KeptCell, 'period'> & { day: CalendarDate }

/** Which cells join accounts of one currency, and several days. */
export interface Pooling {
  isPooled: (accountId: string) => boolean
  by: 'month' | 'span'
  /** The first day of the span. */
  from: CalendarDate
}

const MONTH_LENGTH = 7

const keyOf = (
  { currency, flow, categoryId, counterAccountId }: Omit<KeptCell, 'period'>,
  accountId: string,
  period: string,
) => `${accountId} ${currency} ${period} ${flow} ${categoryId} ${counterAccountId}`

/** The account of the cell of a line. */
export const cellAccount = ({ isPooled }: Pooling, accountId: string): string =>
  isPooled(accountId) ? '' : accountId

/** The periods that the cell of a line may have. */
const periodsFor = ({ isPooled, by, from }: Pooling, { accountId, day }: TakenLine): string[] =>
  by === 'span' && isPooled(accountId) ? [from] : [day, day.slice(0, MONTH_LENGTH)]

/** Takes lines off their cells. A cell of which nothing remains is none, so that nobody learns that there was one. */
export function takeOff(
  cells: readonly KeptCell[],
  lines: readonly TakenLine[],
  pooling: Pooling,
): KeptCell[] {
  if (lines.length === 0) {
    return [...cells]
  }
  const left = new Map(cells.map((cell) => [keyOf(cell, cell.accountId, cell.period), { ...cell }]))
  for (const line of lines) {
    const account = cellAccount(pooling, line.accountId)
    const cell = periodsFor(pooling, line)
      .map((period) => left.get(keyOf(line, account, period)))
      .find((found) => found !== undefined)
    if (cell) {
      cell.minor -= line.minor
      cell.lines -= line.lines
    }
  }
  return [...left.values()].filter((cell) => cell.lines > 0)
}

/** The day of a cell; of a month, its first one. */
export const dayOfCell = ({ period }: Pick<KeptCell, 'period'>): CalendarDate =>
  period.length === MONTH_LENGTH ? `${period}-01` : period
