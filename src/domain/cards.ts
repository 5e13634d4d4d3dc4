import { addDays, addMonths, type CalendarDate } from './calendar.ts'
import { divideHalfEven } from './money.ts'
import { offWeekend } from './schedules/weekends.ts'

/** The ways to treat a due date on a Saturday or a Sunday. */
export const DUE_WEEKENDS = ['keep', 'before', 'after'] as const

/** When statements of a card close and are due, and the least that has to be paid. */
export interface CardTerms {
  statementDay: number
  dueDay: number | null
  /** Takes the place of `dueDay`. */
  dueAfterDays: number | null
  dueWeekend: (typeof DUE_WEEKENDS)[number]
  /** Decimal text with at most two decimals. */
  minimumPercent: string | null
  minimumAmountMinor: number | null
}

const FIRST_YEAR = 1900

/** The months since January 1900. */
const monthNumber = (date: CalendarDate): number =>
  (Number(date.slice(0, 4)) - FIRST_YEAR) * 12 + Number(date.slice(5, 7)) - 1

/** A day of a month by its number, or the last day of a month that has no such day. */
const dayIn = (month: number, day: number): CalendarDate =>
  addMonths(`${FIRST_YEAR}-01-${String(day).padStart(2, '0')}`, month)

const firstFrom = (day: number, date: CalendarDate): CalendarDate => {
  const month = monthNumber(date)
  const here = dayIn(month, day)
  return here >= date ? here : dayIn(month + 1, day)
}

/** The days of the statements from one day through another, newest first. */
export function statementDates(
  statementDay: number,
  from: CalendarDate,
  through: CalendarDate,
): CalendarDate[] {
  const [first, last] = [monthNumber(from), monthNumber(through)]
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, at) =>
    dayIn(last - at, statementDay),
  ).filter((date) => date >= from && date <= through)
}

/** The day on which the cycle of a day ends. */
export const cycleEnd = firstFrom

/** The first day of the cycle that ends with a statement. */
export function cycleStart(statementDay: number, end: CalendarDate): CalendarDate {
  const month = monthNumber(end)
  return month === 0 ? `${FIRST_YEAR}-01-01` : addDays(dayIn(month - 1, statementDay), 1)
}

/** The day by which a statement has to be paid; undefined where the card has no such day. */
export function dueDateOf(terms: CardTerms, statementDate: CalendarDate): CalendarDate | undefined {
  const { dueDay, dueAfterDays, dueWeekend } = terms
  if (dueAfterDays !== null) {
    return dueOffWeekend(addDays(statementDate, dueAfterDays), dueWeekend, statementDate)
  }
  return dueDay === null
    ? undefined
    : dueOffWeekend(firstFrom(dueDay, addDays(statementDate, 1)), dueWeekend, statementDate)
}

/** A day before the weekend that is no later than the statement would be no day to pay it: then the day after it is taken. */
function dueOffWeekend(
  date: CalendarDate,
  weekend: CardTerms['dueWeekend'],
  statementDate: CalendarDate,
): CalendarDate {
  const moved = offWeekend(date, weekend)
  return weekend === 'before' && moved <= statementDate ? offWeekend(date, 'after') : moved
}

/** The movements of a card on days of one cycle, in minor units. */
export interface CardMovement {
  /** The last of the days. */
  day: CalendarDate
  /** The whole change of the balance, pending or not. */
  balance: bigint
  /** The pending part of `balance`. */
  pending: bigint
  /** Transfers to the card, and incomes without an expense category. */
  payments: bigint
  /** All other incoming amounts, without the opening balance. */
  refunds: bigint
  /** Outgoing amounts without the opening balance; not negative. */
  charges: bigint
}

type Sums = Omit<CardMovement, 'day'>

/** Sums up the movements after one day through another. */
export function movedOnCard(
  movements: CardMovement[],
  after: CalendarDate,
  through: CalendarDate,
): Sums {
  const sums: Sums = { balance: 0n, pending: 0n, payments: 0n, refunds: 0n, charges: 0n }
  for (const one of movements) {
    if (one.day > after && one.day <= through) {
      sums.balance += one.balance
      sums.pending += one.pending
      sums.payments += one.payments
      sums.refunds += one.refunds
      sums.charges += one.charges
    }
  }
  return sums
}

export const STATEMENT_STATES = ['open', 'paid', 'carried', 'overdue'] as const

/** A statement of a card as it stands today; minor units. What was paid and charged is since the statement. */
export interface CardStatement {
  statementDate: CalendarDate
  /** The first day of its cycle. */
  from: CalendarDate
  dueDate: CalendarDate | undefined
  statementBalance: bigint
  paid: bigint
  refunds: bigint
  charges: bigint
  amountDue: bigint
  /** The least that has to be paid; undefined where the card has no such rule. */
  minimum: bigint | undefined
  minimumDue: bigint | undefined
  state: (typeof STATEMENT_STATES)[number]
}

/**
 * A statement as it follows from what is booked through today.
 * @param movements all of the card; those before the statement may be one
 */
export function cardStatement(
  terms: CardTerms,
  statementDate: CalendarDate,
  movements: CardMovement[],
  today: CalendarDate,
): CardStatement {
  const before = movedOnCard(movements, '', statementDate)
  const since = movedOnCard(movements, statementDate, today)
  const statementBalance = notNegative(before.pending - before.balance)
  const owed = notNegative(-(before.balance + since.balance))
  const paid = since.payments
  const amountDue = notNegative(least(statementBalance - paid, owed))
  const minimum = minimumOf(terms, statementBalance)
  const minimumDue =
    minimum === undefined ? undefined : notNegative(least(minimum - paid, amountDue))
  const dueDate = dueDateOf(terms, statementDate)
  return {
    ...{ statementDate, from: cycleStart(terms.statementDay, statementDate), dueDate },
    ...{ statementBalance, paid, refunds: since.refunds, charges: since.charges },
    ...{ amountDue, minimum, minimumDue },
    state: stateOf(amountDue, minimumDue, dueDate === undefined || today <= dueDate),
  }
}

function stateOf(
  amountDue: bigint,
  minimumDue: bigint | undefined,
  isInTime: boolean,
): CardStatement['state'] {
  if (amountDue === 0n) {
    return 'paid'
  }
  if (isInTime) {
    return 'open'
  }
  return minimumDue === 0n ? 'carried' : 'overdue'
}

function minimumOf(terms: CardTerms, statementBalance: bigint): bigint | undefined {
  const { minimumPercent, minimumAmountMinor } = terms
  if (minimumPercent === null && minimumAmountMinor === null) {
    return undefined
  }
  const share = divideHalfEven(statementBalance * hundredths(minimumPercent ?? '0'), 10_000n)
  const amount = BigInt(minimumAmountMinor ?? 0)
  return least(statementBalance, share > amount ? share : amount)
}

function hundredths(percent: string): bigint {
  const point = percent.includes('.') ? percent.indexOf('.') : percent.length
  return BigInt(percent.slice(0, point) + percent.slice(point + 1).padEnd(2, '0'))
}

const notNegative = (minor: bigint): bigint => (minor > 0n ? minor : 0n)

const least = (one: bigint, other: bigint): bigint => (one < other ? one : other)
