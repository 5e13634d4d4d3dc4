import { negateDecimal, sumDecimals, toSafeUnits } from '../bank-files/decimals.ts'
import type { SourceItem, SourceRow, SourceStatement } from '../bank-files/source.ts'

interface Course {
  statement: SourceStatement
  index: number
  first: SourceRow | undefined
  last: SourceRow | undefined
  link: Link | undefined
  rising: number
  falling: number
  rows: number
  /** True if a booking has no balance, so that the balances of the others are incomplete. */
  hasGaps: boolean
}

/** The decimals of any currency. */
const SCALE = 4

/** The amount of a row and the balance after it; undefined where they have more digits than are compared. */
interface Link {
  amount: number | undefined
  balance: number | undefined
}

/** Tells whether the balance of a row follows from the one before it. */
const isNext = ({ balance, amount }: Link, previous: Link): boolean =>
  balance !== undefined && amount !== undefined && balance - amount === previous.balance

/** The balance before a row that has one after it. */
const before = ({ balance, amount }: SourceRow): string =>
  sumDecimals([balance as string, negateDecimal(amount as string)])

/** Makes a statement of each account's rows: by their balances after the row, and by what the preamble says. */
export function statementKeeper() {
  const open = new Map<string, Course>()
  let count = 0

  function follow(course: Course, row: SourceRow) {
    const link = {
      amount: toSafeUnits(row.amount as string, SCALE),
      balance: toSafeUnits(row.balance as string, SCALE),
    }
    if (course.link !== undefined) {
      course.rising += Number(isNext(link, course.link))
      course.falling += Number(isNext(course.link, link))
    }
    course.link = link
    course.first ??= row
    course.last = row
    course.rows += 1
  }

  /** The balances around the rows, where most of them follow from each other. */
  function close({ statement, first, last, rising, falling, rows, hasGaps }: Course) {
    if (
      hasGaps ||
      first === undefined ||
      last === undefined ||
      Math.max(rising, falling) * 2 < rows - 1
    ) {
      return
    }
    const [oldest, newest] = rising >= falling ? [first, last] : [last, first]
    statement.opening ??= before(oldest)
    statement.closing ??= newest.balance as string
  }

  return {
    /** Begins a statement, and answers what to say of it. */
    begin(account: string, facts: Partial<SourceStatement>): SourceItem {
      const statement: SourceStatement = {
        account,
        ...facts,
        evidence: [],
        pages: 1,
        interim: false,
      }
      open.set(account, {
        statement,
        index: count,
        first: undefined,
        last: undefined,
        link: undefined,
        rising: 0,
        falling: 0,
        rows: 0,
        hasGaps: false,
      })
      count += 1
      return { is: 'statement', statement: { ...statement } }
    },
    has: (account: string) => open.has(account),
    /** Marks the row as one of its account's statement. */
    add(row: SourceRow) {
      const course = open.get(row.account)
      if (!course) {
        return
      }
      row.statement = course.index
      const { statement } = course
      if ((row.ignored === 'opening' || row.ignored === 'closing') && (row.balance ?? row.amount)) {
        statement[row.ignored] ??= (row.balance ?? row.amount) as string
        return
      }
      if (row.amount === undefined || row.ignored !== undefined || row.pending) {
        return
      }
      if (row.balance === undefined) {
        course.hasGaps = true
      } else {
        follow(course, row)
      }
    },
    /** Ends the statements of all accounts so far. */
    end(): SourceItem[] {
      const ended = [...open.values()].map((course): SourceItem => {
        close(course)
        return { is: 'statementEnd', index: course.index, statement: course.statement }
      })
      open.clear()
      return ended
    },
  }
}
