import { DATE_ORDERS, lacksYear, sortKey, writtenDate } from './dates.ts'
import type { DateOrder, Question } from './format.ts'
import { remembering } from './remembering.ts'

type Evidence = Question['evidence'][number]

/** The conclusions from a column, or a file, about the order of its dates. */
export interface OrderFindings {
  /** The one order, where the file leaves no doubt or where all that are left say the same. */
  order?: DateOrder
  /** The orders that are left; where the values contradict each other, those that most of them permit. */
  possible: DateOrder[]
  /** Values that settle the order, or the first ones that are read differently by those that are left. */
  evidence: Evidence[]
  /** Whether the order is told by the dates going one way along the file. */
  byMonotony: boolean
  /** How many values are dates, under some order. */
  dates: number
  /** Whether some date has no year. */
  lacksYear: boolean
  /** Whether the dates go up or down along the file under the order; neither where they do both, or are all one. */
  direction?: 'up' | 'down'
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
  goesUp: boolean
  goesDown: boolean
}

interface Known {
  /** How the date sorts under each order; 0 where it is no day under it. */
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

function lookAt(text: string): Known | undefined {
  const written = writtenDate(text)
  const keys = written ? DATE_ORDERS.map((order) => sortKey(written, order)) : []
  // What is a day under no order says nothing of the order; it is an error of its row.
  if (!written || keys.every((key) => key === 0)) {
    return undefined
  }
  const key = (order: DateOrder) => keys[DATE_ORDERS.indexOf(order)]
  const doubts = PAIRS.filter(([a, b]) => key(a) !== 0 && key(b) !== 0 && key(a) !== key(b))
  return { keys, doubts: doubts.map((pair) => pair.join()), lacksYear: lacksYear(written) }
}

/** Collects which orders are possible for dates that share one, such as those of a column. */
export function orderCollector(): OrderCollector {
  const courses: Course[] = DATE_ORDERS.map((order) => ({
    order,
    permits: 0,
    refusedBy: undefined,
    last: 0,
    goesUp: true,
    goesDown: true,
  }))
  const lookUp = remembering(lookAt)
  const distinct = new Set<string>()
  /** The first values of each pair of orders that read them differently. */
  const doubtful = new Map<string, Evidence[]>(PAIRS.map((pair) => [pair.join(), []]))
  let dates = 0
  let someLackYear = false

  function follow(course: Course, key: number, text: string, line: number) {
    if (key === 0) {
      course.refusedBy ??= { line, raw: text }
      return
    }
    course.permits += 1
    course.goesUp &&= course.last === 0 || key >= course.last
    course.goesDown &&= course.last === 0 || key <= course.last
    course.last = key
  }

  /** What is wrong about most of the dates is out; where they contradict each other, all that any of them permits stay. */
  function choose(): { left: Course[]; contradictory: boolean } {
    const left = courses.filter((course) => course.refusedBy === undefined)
    if (left.length > 0) {
      return { left, contradictory: false }
    }
    return {
      left: courses.filter(({ permits }) => permits > 0).toSorted((a, b) => b.permits - a.permits),
      contradictory: true,
    }
  }

  function findings(): OrderFindings {
    const common = { dates, lacksYear: someLackYear }
    if (dates === 0) {
      return { ...common, possible: [], evidence: [], byMonotony: false }
    }
    const { left, contradictory } = choose()
    const possible = left.map(({ order }) => order)
    const refusals = [
      ...new Map(
        courses.flatMap(({ refusedBy }) => (refusedBy ? [[refusedBy.line, refusedBy]] : [])),
      ).values(),
    ]
    if (contradictory) {
      return { ...common, possible, evidence: refusals, byMonotony: false }
    }
    const open = PAIRS.filter((pair) => pair.every((order) => possible.includes(order))).flatMap(
      (pair) => doubtful.get(pair.join()) as Evidence[],
    )
    const oneWay =
      distinct.size < DISTINCT_FOR_MONOTONY
        ? []
        : left.filter(({ goesUp, goesDown }) => goesUp || goesDown)
    const chosen = open.length === 0 ? left[0] : oneWay.length === 1 ? oneWay[0] : undefined
    const evidence = (open.length === 0 ? refusals : open).slice(0, MAX_EVIDENCE)
    if (!chosen) {
      return { ...common, possible, evidence, byMonotony: false }
    }
    const isOneWay = chosen.goesUp !== chosen.goesDown
    return {
      ...common,
      order: chosen.order,
      possible,
      evidence,
      byMonotony: open.length > 0,
      ...(isOneWay && { direction: chosen.goesUp ? ('up' as const) : ('down' as const) }),
    }
  }

  return {
    add(text, line) {
      const found = lookUp(text)
      if (!found) {
        return
      }
      dates += 1
      someLackYear ||= found.lacksYear
      if (distinct.size < DISTINCT_FOR_MONOTONY) {
        distinct.add(text)
      }
      for (const [index, course] of courses.entries()) {
        follow(course, found.keys[index] as number, text, line)
      }
      for (const doubt of found.doubts) {
        const evidence = doubtful.get(doubt) as Evidence[]
        if (evidence.length < MAX_EVIDENCE) {
          evidence.push({ line, raw: text })
        }
      }
    },
    section() {
      for (const course of courses) {
        course.last = 0
      }
    },
    findings,
  }
}
