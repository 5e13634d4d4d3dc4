import {
  addDays,
  type CalendarDate,
  dayOfWeek,
  isCalendarDate,
  LAST_DATE,
} from '../../../../domain/calendar.ts'
import { formatRate, parseRate, REFERENCE_CURRENCY } from '../../../../domain/exchange.ts'
import type { CoveredSpan, Gaps } from '../coverage/coverage.rules.ts'
import type { RateContent } from '../exchange-rates.rules.ts'
import { requireForm } from '../system/system.rules.ts'

/** The rates of a day for one euro, by currency. */
export interface RateDay {
  date: CalendarDate
  rates: ReadonlyMap<string, string>
}

/** The days of a file, newest first. */
export const byRateDay = (rates: RateContent[]): RateDay[] =>
  [...Map.groupBy(rates, ({ date }) => date)]
    .map(([date, ofDay]) => ({ date, rates: new Map(ofDay.map(({ to, rate }) => [to, rate])) }))
    .toSorted((a, b) => (a.date < b.date ? 1 : -1))

/** The currencies in the first line of the history; its last column is empty. */
export function columnsOf(line: string): string[] {
  const [date, ...columns] = line.trim().split(',')
  if (columns.at(-1) === '') {
    columns.pop()
  }
  requireForm(date === 'Date' && columns.length > 0 && new Set(columns).size === columns.length)
  requireForm(columns.every((code) => /^[A-Z]{3}$/.test(code)))
  return columns
}

/**
 * Reads a line of the history. Only cells of the wanted currencies are looked at; `N/A` says that there is no rate.
 * @param before the date of the line above
 */
export function dayOfLine(
  line: string,
  columns: string[],
  { before, wanted }: { before: CalendarDate; wanted: Pick<Gaps, 'has'> },
): RateDay {
  const [date = '', ...cells] = line.trim().split(',')
  requireForm(isCalendarDate(date) && date < before)
  requireForm(
    cells.length === columns.length || (cells.length === columns.length + 1 && cells.at(-1) === ''),
  )
  const rates = columns.flatMap((currency, at): [string, string][] => {
    const cell = cells[at]
    return cell === undefined || cell === '' || cell === 'N/A' || !wanted.has(currency)
      ? []
      : [[currency, formatRate(parseRate(cell))]]
  })
  return { date, rates: new Map(rates) }
}

/**
 * Collects what fills gaps from the days of a file, which come newest first. A day covers the days up to the next one. A rate that
 * the first day of a gap carries forward, from however long before, belongs to it.
 */
export class Filling {
  readonly #gaps: Gaps
  readonly #oldest: CalendarDate
  /** The currencies of the file whose first day has no rate yet. */
  readonly #open: Set<string>
  #before: CalendarDate | undefined
  #rates: RateContent[] = []
  #spans = new Map<string, CoveredSpan[]>()

  constructor(gaps: Gaps, quoted: Iterable<string>) {
    this.#gaps = gaps
    this.#oldest = [...gaps.values()].map(([first]) => first.from).toSorted()[0] ?? LAST_DATE
    this.#open = new Set([...quoted].filter((currency) => gaps.has(currency)))
  }

  get size(): number {
    return this.#rates.length
  }

  /** True once the days that came reach back to the oldest one that is needed. */
  get reachesOldest(): boolean {
    return this.#before !== undefined && this.#before <= this.#oldest
  }

  /** True if no earlier day can add anything. */
  get isDone(): boolean {
    return this.reachesOldest && this.#open.size === 0
  }

  add({ date, rates }: RateDay): void {
    // On Monday it is known that nothing was published at the weekend.
    const from = dayOfWeek(date) === 0 ? addDays(date, -2) : date
    const through = this.#before === undefined ? date : addDays(this.#before, -1)
    this.#before = date
    for (const [currency, gaps] of this.#gaps) {
      const isNeeded = gaps.some((gap) => gap.from <= through && gap.through >= from)
      const rate = rates.get(currency)
      if (rate !== undefined && (isNeeded || (this.#open.has(currency) && date < gaps[0].from))) {
        this.#rates.push({ from: REFERENCE_CURRENCY, to: currency, date, rate })
        this.#cover({ currency, state: 'read', from, through })
        if (date <= gaps[0].from) {
          this.#open.delete(currency)
        }
      } else if (rate === undefined && isNeeded) {
        this.#cover({ currency, state: 'none', from, through })
      }
    }
  }

  #cover(span: CoveredSpan): void {
    const spans = this.#spans.get(span.currency) ?? []
    const last = spans.at(-1)
    if (last?.state === span.state && span.through >= addDays(last.from, -1)) {
      last.from = span.from
    } else {
      this.#spans.set(span.currency, [...spans, span])
    }
  }

  /** Gives what was collected since the last time. */
  take(): { rates: RateContent[]; spans: CoveredSpan[] } {
    const taken = { rates: this.#rates, spans: [...this.#spans.values()].flat() }
    this.#rates = []
    this.#spans = new Map()
    return taken
  }
}
