import { allocate, sum } from '../money.ts'
import type { LineSums } from './conversion.ts'
import { figureKey } from './counting.ts'
import { type Outside, outsideOf } from './flows.ts'
import { cardsGone, lateIn, POOL_FIGURES, successorIn } from './late.ts'
import {
  addSums,
  carriesOver,
  fromSums,
  type CarryPolicy,
  type StoredSums,
  subtractSums,
  sumsToClose,
} from './policies.ts'

/** A line in one period. */
export interface EnvelopeLine {
  id: string
  policy: CarryPolicy
  assignedMinor: number
}

/** The payment line of a card: it holds the money that is put aside to pay the card. */
export interface PaymentLine {
  id: string
  accountId: string
  assignedMinor: number
  /** The negative balance of the card at the end of the period, in the currency of the budget. */
  owedMinor: number
}

export interface EnvelopeLineFigures {
  lineId: string
  carriedIn: number
  assigned: number
  activity: number
  /** The part of `activity` that was booked into closed periods after their closing. */
  lateActivity: number
  available: number
  cashOverspent: number
  creditOverspent: number
}

export interface PaymentRow extends EnvelopeLineFigures {
  moved: number
  payments: number
  owed: number
  debt: number
}

export interface EnvelopeFigures {
  fromBefore: number
  opening: number
  income: number
  adjustments: number
  released: number
  exchangeDifference: number
  assigned: number
  held: number
  deferred: number
  toBeBudgeted: number
  overspent: number
  latePool: number
  pending: number
  outside: Outside
  lines: EnvelopeLineFigures[]
  payments: PaymentRow[]
}

/** The amounts that one period hands to the next one. */
export interface EnvelopeState {
  /** By line, payment lines included. */
  carried: Record<string, number>
  /** The sum that lines do not carry: it goes back to the pool. */
  released: number
  /** The money of the pool: to be budgeted, held and deferred. */
  pool: number
  /** The money on cash accounts at the end of the period, in the currency of the budget. */
  worth: number
  /** The money on them the day before the first period, which is an opening of that period. */
  heldBefore: number
  /** The amounts that were booked into closed periods after their closing, by key. */
  late: StoredSums
}

/** A period as it was worked out. Closing the period stores it. */
export interface EnvelopeClosing {
  figures: EnvelopeFigures
  /** Everything that was counted, late amounts and what was held before the first period included. */
  sums: StoredSums
  after: EnvelopeState
}

export interface EnvelopePeriodInput {
  sums: LineSums
  lines: readonly EnvelopeLine[]
  /**
   * The payment line of each card that `sums` name. Late amounts may name cards that have no payment line any more.
   */
  paymentLines: readonly PaymentLine[]
  /** The line that takes over from an ended line, by the ended line; the pool does where none is named. */
  carriedInto: Readonly<Record<string, string>>
  heldMinor: number
  /** The money on cash accounts at the end of the period, in the currency of the budget. */
  worthMinor: number
  /** The stored period, if it is closed. */
  closing?: EnvelopeClosing | undefined
}

/** @param heldBefore the money on cash accounts the day before the first period, in the currency of the budget */
export const firstEnvelopeState = (heldBefore: number): EnvelopeState => ({
  carried: {},
  released: 0,
  pool: 0,
  worth: 0,
  heldBefore,
  late: {},
})

/** Works out one period from what the period before it carries. */
export function foldEnvelopes(before: EnvelopeState, input: EnvelopePeriodInput): EnvelopeClosing {
  const { closing } = input
  const live = addSums({ opening: before.heldBefore }, input.sums)
  if (closing) {
    const late = addSums(before.late, subtractSums(live, closing.sums))
    return { ...closing, after: { ...closing.after, late: fromSums(late) } }
  }
  const late = lateIn(before.late, input)
  const sums = addSums(late, live)
  const gone = cardsGone(late, input)
  const cards = [...input.paymentLines.map(({ accountId }) => accountId), ...gone].toSorted()
  const { carried, released: toPool } = carryInto(before, input)
  const folded = input.lines.map((line) =>
    foldLine(line, { carriedIn: carried[line.id] ?? 0, sums, late, cards }),
  )
  const rows = folded.map(({ row }) => row)
  const movedTo = (card: string) => sum(folded.map(({ moved }) => moved.get(card) ?? 0))
  const payments = input.paymentLines.map((line) =>
    paymentRow(line, {
      carriedIn: carried[line.id] ?? 0,
      moved: movedTo(line.accountId),
      sums,
      late,
    }),
  )
  // Nothing is put aside for these cards any more.
  const released = sum([
    toPool,
    ...gone.map((card) => paymentsOf(card, { moved: movedTo(card), sums }).activity),
  ])
  const pool = poolOf(before, input, { sums, late, cards, rows, payments, released })
  return {
    figures: { ...pool, lines: rows, payments },
    sums: sumsToClose(sums),
    after: {
      carried: Object.fromEntries([
        ...folded.map(({ row, carriedOn }) => [row.lineId, carriedOn] as const),
        ...payments.map(({ lineId, available }) => [lineId, available] as const),
      ]),
      released: sum(folded.map((line) => line.released)),
      pool: sum([pool.toBeBudgeted, pool.held, pool.deferred]),
      worth: input.worthMinor,
      heldBefore: 0,
      late: {},
    },
  }
}

/** The amounts that lines carry in. */
function carryInto(
  { carried, released }: EnvelopeState,
  { lines, paymentLines, carriedInto }: EnvelopePeriodInput,
): Pick<EnvelopeState, 'carried' | 'released'> {
  const successorOf = successorIn([...lines, ...paymentLines], carriedInto)
  const into: Record<string, number> = {}
  let toPool = released
  for (const [line, minor] of Object.entries(carried)) {
    const successor = successorOf(line)
    if (successor === undefined) {
      toPool = sum([toPool, minor])
    } else {
      into[successor] = sum([into[successor] ?? 0, minor])
    }
  }
  return { carried: into, released: toPool }
}

/**
 * Works out one line. Spending on a card takes the money out of the line and puts as much of it as there is onto the payment
 * line of the card; the rest becomes debt of the card.
 */
function foldLine(
  { id, policy, assignedMinor }: EnvelopeLine,
  { carriedIn, sums, late, cards }: CarriedIn & { cards: readonly string[] },
): { row: EnvelopeLineFigures; moved: Map<string, number>; carriedOn: number; released: number } {
  const cash = sums.get(figureKey(id)) ?? 0
  const onCards = cards.map((card) => ({ card, minor: sums.get(figureKey(id, card)) ?? 0 }))
  const refunded = onCards.filter(({ minor }) => minor > 0)
  const spending = onCards.filter(({ minor }) => minor < 0)
  const spent = 0 - sum(spending.map(({ minor }) => minor))
  const there = sum([carriedIn, assignedMinor, cash, ...refunded.map(({ minor }) => minor)])
  const covered = Math.min(spent, Math.max(0, there))
  const creditOverspent = spent - covered
  const activity = sum([cash, ...onCards.map(({ minor }) => minor)])
  const available = sum([carriedIn, assignedMinor, activity])
  const adjusted = sum([available, creditOverspent])
  const carriedOn = carriesOver(policy, adjusted) ? adjusted : 0
  return {
    row: {
      lineId: id,
      carriedIn,
      assigned: assignedMinor,
      activity,
      lateActivity: sum(['', ...cards].map((card) => late[figureKey(id, card)] ?? 0)),
      available,
      cashOverspent: Math.max(0, -adjusted),
      creditOverspent,
    },
    moved: new Map([
      ...refunded.map(({ card, minor }) => [card, -minor] as const),
      ...shareOut(covered, spending),
    ]),
    carriedOn,
    released: adjusted - carriedOn,
  }
}

/** Shares out what a line covers over the cards that it was spent on. */
function shareOut(
  covered: number,
  spending: readonly { card: string; minor: number }[],
): (readonly [string, number])[] {
  if (spending.length === 0) {
    return []
  }
  const shares = allocate(
    covered,
    spending.map(({ minor }) => -minor),
  )
  return spending.map(({ card }, at) => [card, shares[at] as number] as const)
}

interface CarriedIn {
  carriedIn: number
  sums: LineSums
  late: StoredSums
}

/** The payments to a card, and the activity of its payment line. */
function paymentsOf(card: string, { moved, sums }: { moved: number; sums: LineSums }) {
  const keys = POOL_FIGURES.map((name) => figureKey(name, card))
  const payments = sums.get(figureKey('payments', card)) ?? 0
  const other = 0 - sum(keys.map((key) => sums.get(key) ?? 0))
  return { keys, payments, activity: sum([moved, -payments, other]) }
}

function paymentRow(
  { id, accountId, assignedMinor, owedMinor }: PaymentLine,
  { carriedIn, moved, sums, late }: CarriedIn & { moved: number },
): PaymentRow {
  const { keys, payments, activity } = paymentsOf(accountId, { moved, sums })
  const available = sum([carriedIn, assignedMinor, activity])
  return {
    lineId: id,
    carriedIn,
    assigned: assignedMinor,
    activity,
    lateActivity: 0 - sum([figureKey('payments', accountId), ...keys].map((key) => late[key] ?? 0)),
    available,
    cashOverspent: 0,
    creditOverspent: 0,
    moved,
    payments,
    owed: owedMinor,
    debt: Math.max(0, sum([owedMinor, -available])),
  }
}

type Pool = Omit<EnvelopeFigures, 'lines' | 'payments'>

interface Parts {
  sums: LineSums
  late: StoredSums
  cards: readonly string[]
  rows: readonly EnvelopeLineFigures[]
  payments: readonly PaymentRow[]
  released: number
}

function poolOf(before: EnvelopeState, input: EnvelopePeriodInput, parts: Parts): Pool {
  const { sums, late, cards, rows, payments, released } = parts
  const keysOf = (name: string) => ['', ...cards].map((card) => figureKey(name, card))
  const inAll = (name: string) => sum(keysOf(name).map((key) => sums.get(key) ?? 0))
  const inflow = {
    fromBefore: before.pool,
    opening: inAll('opening'),
    income: inAll('income'),
    adjustments: inAll('adjustments'),
    released,
    exchangeDifference: exchangeDifference(before, input, parts),
  }
  const outside = outsideOf(inAll)
  const assigned = sum([...rows, ...payments].map((row) => row.assigned))
  return {
    ...inflow,
    assigned,
    held: input.heldMinor,
    deferred: inAll('deferred'),
    toBeBudgeted: sum([
      ...Object.values(inflow),
      ...Object.values(outside),
      -assigned,
      -input.heldMinor,
    ]),
    overspent: sum(rows.flatMap((row) => [row.cashOverspent, row.creditOverspent])),
    latePool: sum(POOL_FIGURES.flatMap(keysOf).map((key) => late[key] ?? 0)),
    pending: sums.get('pending') ?? 0,
    outside,
  }
}

/** The change of the money on cash accounts that no amount explains: moving rates, and exchanging at another rate. */
function exchangeDifference(
  before: EnvelopeState,
  { worthMinor }: EnvelopePeriodInput,
  { sums, cards, rows }: Parts,
): number {
  const names = [...POOL_FIGURES, ...rows.map(({ lineId }) => lineId)]
  return sum([
    worthMinor,
    -before.worth,
    ...names.map((name) => 0 - (sums.get(figureKey(name)) ?? 0)),
    ...cards.map((card) => sums.get(figureKey('payments', card)) ?? 0),
  ])
}
