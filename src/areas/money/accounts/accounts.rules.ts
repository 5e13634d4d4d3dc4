import type { AppError, ErrorDetail } from '../../../domain/errors.ts'
import { transactionIdFrom } from '../../../domain/ids.ts'
import { foldKey } from '../../../domain/text.ts'
import { addDays, type CalendarDate, monthOf } from '../../../domain/calendar.ts'
import { intervalAt, type ReportInterval } from '../../../domain/reports/intervals.ts'
import { accountErrors, ambiguousAccount } from './accounts.errors.ts'

/** Every account type, and on which side of the balance sheet it stands. */
const CLASS_OF_TYPE = {
  cash: 'asset',
  checking: 'asset',
  savings: 'asset',
  creditCard: 'liability',
  lineOfCredit: 'liability',
  investment: 'asset',
  property: 'asset',
  vehicle: 'asset',
  receivable: 'asset',
  loan: 'liability',
  mortgage: 'liability',
  otherAsset: 'asset',
  otherLiability: 'liability',
} as const

export type AccountType = keyof typeof CLASS_OF_TYPE

export const ACCOUNT_TYPES = Object.keys(CLASS_OF_TYPE) as AccountType[]

export const classOf = (type: string): 'asset' | 'liability' => CLASS_OF_TYPE[type as AccountType]

/** True if an account of the type gets statements that are due. */
export const isCard = (type: AccountType): boolean =>
  type === 'creditCard' || type === 'lineOfCredit'

const BUDGET_TYPES: AccountType[] = ['cash', 'checking', 'savings', 'creditCard', 'lineOfCredit']

/** Money of daily life is budgeted unless the user says otherwise. */
export const isOnBudgetByDefault = (type: AccountType): boolean => BUDGET_TYPES.includes(type)

type CardFields = Record<'dueDay' | 'dueAfterDays' | 'minimumAmountMinor', number | null> &
  Record<'dueWeekend' | 'minimumPercent', string | null> & { type: AccountType }

/**
 * Refuses fields of cards on other accounts, and two rules for one due date.
 * @param account as it is to be stored
 */
export function checkCardFields(account: CardFields): void {
  const { type, dueDay, dueAfterDays, dueWeekend, minimumPercent, minimumAmountMinor } = account
  const ofCards = { dueAfterDays, dueWeekend, minimumPercent, minimumAmount: minimumAmountMinor }
  const [field] = Object.entries(ofCards).find(([, value]) => value !== null) ?? []
  if (field !== undefined && !isCard(type)) {
    throw accountErrors.cardsOnly({ field })
  }
  if (dueDay !== null && dueAfterDays !== null) {
    throw accountErrors.dueTwice({ field: 'dueAfterDays' })
  }
}

/** ISO 13616: the remainder of the rearranged digits by 97 is 1. Expects capitals without spaces. */
export function isIban(text: string): boolean {
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(text)) {
    return false
  }
  const digits = `${text.slice(4)}${text.slice(0, 4)}`.replaceAll(/[A-Z]/g, (letter) =>
    String(letter.charCodeAt(0) - 55),
  )
  return BigInt(digits) % 97n === 1n
}

/** An account has at most one opening transaction, so its id is made of the account's. */
export const openingIdOf = (accountId: string): string => transactionIdFrom(accountId)

/** The account that a request names: by `<field>Id` or by `<field>Name`. */
export interface AccountWanted {
  id: string | undefined
  name: string | undefined
  field: string
}

/**
 * The account that a request means.
 * @param seen those that the caller sees, among them all that may be meant
 * @throws AppError when there is none, or when several have the name
 */
export function accountMeant<Account extends { id: string; nameKey?: string }>(
  seen: Account[],
  { id, name, field }: AccountWanted,
  unknown: (detail: { field: string }) => AppError,
): Account {
  const key = name === undefined ? undefined : foldKey(name)
  const [found, ...others] = seen.filter((account) =>
    key === undefined ? account.id === id : account.nameKey === key,
  )
  const fieldName = `${field}${key === undefined ? 'Id' : 'Name'}`
  if (!found) {
    throw unknown({ field: fieldName })
  }
  if (others.length > 0) {
    throw ambiguousAccount([found, ...others].map((account) => account.id).toSorted(), fieldName)
  }
  return found
}

/** More points than a client can draw are a mistake. */
const MOST_POINTS = 1000

export interface BalanceSpan {
  from: CalendarDate
  to: CalendarDate
  interval: ReportInterval
}

/** The last days of all intervals that a span touches, the last one cut off at its end; at most `most`. */
export function pointsOf(span: BalanceSpan, most: number): CalendarDate[] {
  const points: CalendarDate[] = []
  let day = span.from
  while (day <= span.to && points.length < most) {
    const end = intervalAt(day, span.interval).to
    points.push(end < span.to ? end : span.to)
    if (end >= span.to) {
      break
    }
    day = addDays(end, 1)
  }
  return points
}

/** The points of a span, one at least; refuses one that has more than `most`. The schema refuses what is reversed. */
export function requirePoints(
  span: BalanceSpan,
  errors: Record<'tooManyPoints', (detail: ErrorDetail) => AppError>,
  most = MOST_POINTS,
): [CalendarDate, ...CalendarDate[]] {
  const [first, ...rest] = pointsOf(span, most + 1)
  if (first === undefined) {
    throw new RangeError('requirePoints: the span ends before it begins')
  }
  if (rest.length >= most) {
    throw errors.tooManyPoints({ field: 'interval' })
  }
  return [first, ...rest]
}

/** The movements of one day or of a whole month. */
interface Movement {
  /** `YYYY-MM-DD` or `YYYY-MM`. */
  period: string
  minor: bigint
}

/**
 * The balance at the end of each point's day.
 * @param start the balance before the first movement
 * @param movements in order; of whole months only where points are the ends of months
 */
export function balancesAt(
  points: CalendarDate[],
  start: bigint,
  movements: Movement[],
): { date: CalendarDate; minor: bigint }[] {
  let minor = start
  let next = 0
  return points.map((date) => {
    for (let one = movements[next]; one && isUpTo(one.period, date); one = movements[++next]) {
      minor += one.minor
    }
    return { date, minor }
  })
}

const isUpTo = (period: string, date: CalendarDate) =>
  period.length === date.length ? period <= date : period <= monthOf(date)
