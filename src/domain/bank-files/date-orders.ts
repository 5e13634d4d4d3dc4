import { DATE_ORDERS, lacksYear, sortKey, writtenDate } from './dates.ts'
import type { DateOrder, Question } from './format.ts'
import { remembering } from '../memoized.ts'

type Evidence = Question['evidence'][number]

/** The conclusions from a column, or a file, about the order of its dates. */
export interface OrderFindings {
  /** The one order, where the file leaves no doubt or where all that are left say the same. */
  order?: DateOrder
  /** The orders that are left; where the values contradict each other, those that most of them permit. */
  possible: DateOrder[]
  /** Values that settle the order, or the first ones that are read differently by those that are left. */
  evidence: Evidence[]
  /** True if the order follows from the dates going one way along the file. */
  byMonotony: boolean
  /** The number of values that are dates under some order. */
  dates: number
  /** True if some date has no year. */
  lacksYear: boolean
  /** The direction of the dates along the file under the order; absent where they go both ways or are all equal. */
  direction?: 'up' | 'down'
  /** The last month of the later year, from 1, where dates without a year cross the end of a year. */
  lastMonth?: number
}

export interface OrderCollector {
  add(text: string, line: number): void
  /** Begins another account or section, whose dates start anew. */
  section(): void
  findings(): OrderFindings
}

/** So many different dates have to go one way for that to mean something. */
const DISTINCT_FOR_MONOTONY = 10
const MAX_EVIDENCE = 5

interface Course {
  order: DateOrder
  permits: number
  refusedBy: Evidence | undefined
  last: number
  /** The months of dates without a year, from 1. */
  months: Set<number>
  goesUp: boolean
  goesDown: boolean
}

interface DateReading {
  /** The sort key of the date under each order; 0 where it is no day under that order. */
  keys: number[]
  /** The pairs of orders under which it is two different days. */
  doubts: string[]
  lacksYear: boolean
}

const PAIRS = [
  ['YMD', 'DMY'],
  ['YMD', 'MDY'],
  ['DMY', 'MDY'],
] as const

function lookAt(text: string): DateReading | undefined {
  const written = writtenDate(text)
  const keys = written ? DATE_ORDERS.map((order) => sortKey(written, order)) : []
  // A value that is a day under no order says nothing about the order; it is an error of its row.
  if (!written || keys.every((key) => key === 0)) {
    return undefined
  }
  const key = (order: DateOrder) => keys[DATE_ORDERS.indexOf(order)]
  const doubts = PAIRS.filter(([a, b]) => key(a) !== 0 && key(b) !== 0 && key(a) !== key(b))
  return { keys, doubts: doubts.map((pair) => pair.join()), lacksYear: lacksYear(written) }
}

/** Collects which orders are possible for dates that share one, such as those of a column. */
export const orderCollector = (): OrderCollector => new Orders()

class Orders implements OrderCollector {
  readonly #courses: Course[] = DATE_ORDERS.map((order) => ({
    order,
    permits: 0,
    refusedBy: undefined,
    last: 0,
    months: new Set(),
    goesUp: true,
    goesDown: true,
  }))
  readonly #lookUp = remembering(lookAt)
  readonly #distinct = new Set<string>()
  /** The first values of each pair of orders that read them differently. */
  readonly #doubtful = new Map<string, Evidence[]>(PAIRS.map((pair) => [pair.join(), []]))
  #dates = 0
  #lacksYear = false

  add(text: string, line: number): void {
    const found = this.#lookUp(text)
    if (!found) {
      return
    }
    this.#dates += 1
    this.#lacksYear ||= found.lacksYear
    if (this.#distinct.size < DISTINCT_FOR_MONOTONY) {
      this.#distinct.add(text)
    }
    for (const [index, course] of this.#courses.entries()) {
      const key = found.keys[index] as number
      follow(course, key, text, line)
      if (found.lacksYear && key !== 0) {
        course.months.add(Math.floor(key / 100))
      }
    }
    for (const doubt of found.doubts) {
      const evidence = this.#doubtful.get(doubt) as Evidence[]
      if (evidence.length < MAX_EVIDENCE) {
        evidence.push({ line, raw: text })
      }
    }
  }

  section(): void {
    for (const course of this.#courses) {
      course.last = 0
    }
  }

  findings(): OrderFindings {
    const common = { dates: this.#dates, lacksYear: this.#lacksYear, byMonotony: false }
    if (this.#dates === 0) {
      return { ...common, possible: [], evidence: [] }
    }
    const left = this.#courses.filter(({ refusedBy }) => refusedBy === undefined)
    if (left.length === 0) {
      return { ...common, possible: this.#permitted(), evidence: this.#refusals() }
    }
    const possible = left.map(({ order }) => order)
    const doubts = this.#doubtsAmong(possible)
    const isOpen = doubts.length > 0
    const evidence = (isOpen ? doubts : this.#refusals()).slice(0, MAX_EVIDENCE)
    const chosen = isOpen ? this.#onlyOneWay(left) : left[0]
    if (!chosen) {
      return { ...common, possible, evidence }
    }
    const isOneWay = chosen.goesUp !== chosen.goesDown
    const lastMonth = chosen.goesUp || chosen.goesDown ? undefined : lastOfLaterYear(chosen.months)
    return {
      ...common,
      order: chosen.order,
      possible,
      evidence,
      byMonotony: isOpen,
      ...(lastMonth !== undefined && { lastMonth }),
      ...(isOneWay && { direction: chosen.goesUp ? ('up' as const) : ('down' as const) }),
    }
  }

  /** Returns the orders that the most dates permit first. Contradictory dates leave every order that any of them permits. */
  #permitted(): DateOrder[] {
    return this.#courses
      .filter(({ permits }) => permits > 0)
      .toSorted((a, b) => b.permits - a.permits)
      .map(({ order }) => order)
  }

  /** The first value that refuses each order. */
  #refusals(): Evidence[] {
    const byLine = this.#courses.flatMap(({ refusedBy }): [number, Evidence][] =>
      refusedBy ? [[refusedBy.line, refusedBy]] : [],
    )
    return [...new Map(byLine).values()]
  }

  /** The first values that orders read differently. */
  #doubtsAmong(possible: readonly DateOrder[]): Evidence[] {
    return PAIRS.filter((pair) => pair.every((order) => possible.includes(order))).flatMap(
      (pair) => this.#doubtful.get(pair.join()) as Evidence[],
    )
  }

  /** The only order under which the dates go one way, if there are enough of them. */
  #onlyOneWay(courses: readonly Course[]): Course | undefined {
    if (this.#distinct.size < DISTINCT_FOR_MONOTONY) {
      return undefined
    }
    const [only, ...others] = courses.filter(({ goesUp, goesDown }) => goesUp || goesDown)
    return others.length === 0 ? only : undefined
  }
}

/** Months from January on, where those up to December are of the year before. */
function lastOfLaterYear(months: ReadonlySet<number>): number | undefined {
  let last = 0
  while (months.has(last + 1)) {
    last += 1
  }
  return last > 0 && last < 12 && months.has(12) ? last : undefined
}

function follow(course: Course, key: number, text: string, line: number): void {
  if (key === 0) {
    course.refusedBy ??= { line, raw: text }
    return
  }
  course.permits += 1
  course.goesUp &&= course.last === 0 || key >= course.last
  course.goesDown &&= course.last === 0 || key <= course.last
  course.last = key
}
