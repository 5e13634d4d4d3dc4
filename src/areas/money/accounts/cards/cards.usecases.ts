import {
  addDays,
  addMonths,
  type CalendarDate,
  dateInZone,
  daysBetween,
  firstOfMonth,
  nearDay,
} from '../../../../domain/calendar.ts'
import {
  type CardMovement,
  type CardStatement,
  cardStatement,
  type CardTerms,
  cycleEnd,
  cycleStart,
  movedOnCard,
  statementDates,
} from '../../../../domain/cards.ts'
import type { LedgerRow } from '../../../../ledger/ledger.public.ts'
import {
  hiddenLines,
  ledgerRows,
  positionOf,
  sumsOfHidden,
} from '../../../../ledger/search/search.public.ts'
import { profileOf, type SignedIn } from '../../../../platform/context.ts'
import { read } from '../../../../platform/database/database.ts'
import { cutPage, type Page, type PageRequest } from '../../../../platform/database/paging.ts'
import { accountErrors, cardErrors } from '../accounts.errors.ts'
import { accountById, type AccountRow, type AccountView } from '../accounts.queries.ts'
import { isCard } from '../accounts.rules.ts'
import { cardMovements, linesByDay, movementOf, todayWithin } from './cards.queries.ts'

/** A card with what moved on it. */
interface Card {
  account: AccountRow
  terms: CardTerms
  today: CalendarDate
  /** The days of its statements, newest first. */
  dates: CalendarDate[]
  movements: CardMovement[]
}

/** The cycle that is open today; minor units. */
export interface CardCycle extends Pick<CardMovement, 'payments' | 'refunds' | 'charges'> {
  from: CalendarDate
  to: CalendarDate
  daysLeft: number
  /** The balance of the card at the end of today. */
  balance: bigint
}

/** A card as it stands today. */
export interface CardNow {
  account: AccountRow
  cycle: CardCycle
  /** Undefined where there is no credit limit. */
  available: bigint | undefined
}

export type CardWithStatement = CardNow & { statement: CardStatement | undefined }

export async function getCardCycle(ctx: SignedIn, id: string): Promise<CardWithStatement> {
  const [recent, last] = todayWithin(ctx)
  const span = { first: addMonths(recent, -1), last }
  const [[view], moved] = await read(ctx, accountById(ctx, id), cardMovements(ctx, id, span))
  const card = cardOf(ctx, view, moved.map(movementOf))
  const [newest] = card.dates
  return {
    ...cardNow(card),
    statement: newest === undefined ? undefined : statementOf(card, newest),
  }
}

export type CardStatementPage = CardNow & Page<CardStatement>

/** Reads the kept sums of the months of the page, however many statements there are. */
export async function listCardStatements(
  ctx: SignedIn,
  id: string,
  page: PageRequest,
): Promise<CardStatementPage> {
  const [after] = page.after ?? []
  const last = after ?? todayWithin(ctx)[1]
  // The newest statement through `last` may be of the month before.
  const first = monthsBefore(last, page.limit + 1)
  const [[view], moved] = await read(
    ctx,
    accountById(ctx, id),
    cardMovements(ctx, id, { first, last }),
  )
  const card = cardOf(ctx, view, moved.map(movementOf))
  const left = card.dates.filter((date) => after === undefined || date < after)
  const { rows, next } = cutPage(left, page, (date) => [date])
  return {
    ...cardNow(card),
    rows: rows.map((date) => statementOf(card, date)),
    count: card.dates.length,
    next,
  }
}

const monthsBefore = (date: CalendarDate, months: number): CalendarDate =>
  firstOfMonth(nearDay(firstOfMonth(date), -31 * months))

export type StatementWithRows = CardWithStatement & Page<LedgerRow> & { statement: CardStatement }

/** A statement with the transactions of its cycle, newest first. */
export async function getCardStatement(
  ctx: SignedIn,
  id: string,
  date: CalendarDate,
  page: PageRequest,
): Promise<StatementWithRows> {
  // A statement on the last day of a month may be that of a later day: then the cycle began later.
  const earliest = cycleStart(Number(date.slice(8)), date)
  const [[view], moved, found, lines, hidden] = await read(
    ctx,
    accountById(ctx, id),
    cardMovements(ctx, id, { first: date, last: date }),
    ledgerRows(ctx, { accountId: id, from: earliest, to: date }, page),
    linesByDay(id, earliest, date),
    hiddenLines(ctx, id),
  )
  const card = cardOf(ctx, view, moved.map(movementOf))
  if (!card.dates.includes(date)) {
    throw cardErrors.statementNotFound()
  }
  const statement = statementOf(card, date)
  const { from } = statement
  const inCycle = found.filter((row) => row.date >= from)
  const count = lines.reduce((sum, line) => sum + (line.day >= from ? line.count : 0), 0)
  return {
    ...cardNow(card),
    statement,
    ...cutPage(inCycle, page, (row) => positionOf(row)),
    count: count - sumsOfHidden(hidden, { from, to: date }).count,
  }
}

function cardOf(ctx: SignedIn, view: AccountView | undefined, movements: CardMovement[]): Card {
  if (!view) {
    throw accountErrors.notFound()
  }
  const { account } = view
  if (!isCard(account.type)) {
    throw cardErrors.wrongAccountType()
  }
  const { statementDay } = account
  if (statementDay === null) {
    throw cardErrors.noStatementDay()
  }
  const today = dateInZone(ctx.now, profileOf(ctx).timeZone)
  return {
    account,
    terms: { ...account, statementDay, dueWeekend: account.dueWeekend ?? 'after' },
    today,
    dates: statementDates(statementDay, account.openingDate, today),
    movements,
  }
}

const statementOf = ({ terms, movements, today }: Card, date: CalendarDate): CardStatement =>
  cardStatement(terms, date, movements, today)

/** On the day of a statement the next cycle is open, which begins tomorrow. */
function cardNow({ account, terms, today, movements }: Card): CardNow {
  const to = cycleEnd(terms.statementDay, addDays(today, 1))
  const from = cycleStart(terms.statementDay, to)
  const { payments, refunds, charges } = movedOnCard(movements, addDays(from, -1), today)
  const { balance } = movedOnCard(movements, '', today)
  const { creditLimitMinor } = account
  return {
    account,
    cycle: { from, to, daysLeft: daysBetween(today, to), payments, refunds, charges, balance },
    available: creditLimitMinor === null ? undefined : BigInt(creditLimitMinor) + balance,
  }
}
