import { type CalendarDate, dateInZone, nearDay } from '../../../../domain/calendar.ts'
import type { RateOn } from '../../../../domain/exchange.ts'
import type { DaySpan } from '../../../../domain/named-periods.ts'
import type { ReportAmount } from '../../../../domain/reports/amounts.ts'
import {
  dayOfCell,
  type KeptCell,
  type Pooling,
  takeOff,
  type TakenLine,
} from '../../../../domain/reports/cells.ts'
import {
  periodIndexIn,
  periodsOf,
  type ReportInterval,
  type ReportPeriod,
} from '../../../../domain/reports/intervals.ts'
import { profileOf, type SignedIn } from '../../../../platform/context.ts'
import { read } from '../../../../platform/database/database.ts'
import { nothing } from '../../../../platform/database/statements.ts'
import { fromWideSum } from '../../../../platform/database/wide-sums.ts'
import { filterFrom, type SentFilter } from '../../../../ledger/search/search.public.ts'
import {
  type PackedRate,
  ratesOnDays,
  ratesThrough,
} from '../../../money/exchange-rates/exchange-rates.public.ts'
import { reportErrors } from '../reports.errors.ts'
import { amountsHidden } from '../reports.queries.ts'
import {
  accountsInScope,
  categoriesInScope,
  currenciesIn,
  type FlowKinds,
  joinedFlows,
  keptFlows,
  type CellRow,
  labelledLines,
  type LineLabels,
  type LineRow,
  linesTakenOff,
  peopleInScope,
  type ReportAccount,
  type Scope,
  type TakenRow,
} from './flows.queries.ts'
import {
  categoriesIn,
  type FlowsRequest,
  type FlowsReading,
  readingOf,
  REPORT_LIMITS,
  type ReportCategory,
  spanOn,
  spansNear,
} from './flows.rules.ts'

/** What narrows a report down to some transactions. */
export type Narrowing = Pick<SentFilter, 'q' | 'condition'>

/** What every report of flows begins with. */
export interface ReportFrame {
  span: DaySpan
  interval: ReportInterval | undefined
  /** The interval's periods, or the span alone. */
  periods: ReportPeriod[]
  /** Undefined where each currency stands by itself. */
  currency: string | undefined
  /** True if the caller prefers that charts have no amounts. */
  hidesAmounts: boolean
}

export interface Facts {
  frame: ReportFrame
  today: CalendarDate
  accounts: Map<string, ReportAccount>
  categories: ReportCategory[]
  /** The days before the first period and of all its flows are known. */
  rateFinder: (days: Iterable<CalendarDate>) => RateOn
}

export const scopeFor = (
  ctx: SignedIn,
  { accountIds, currency }: FlowsRequest,
  more: Pick<Scope, 'onBudget'> = {},
): Scope => ({
  ...{ ctx, accountIds, into: currency === 'none' ? undefined : (currency ?? null) },
  ...more,
})

/** The statements that every report needs. */
export const factsOf = (scope: Scope, { from, to }: DaySpan) =>
  [
    accountsInScope(scope),
    categoriesInScope(scope),
    scope.into === undefined
      ? nothing<PackedRate>()
      : ratesThrough(
          scope.ctx,
          { first: nearDay(from, -1), last: to, interval: 'day' },
          currenciesIn(scope),
          scope.into,
        ),
    amountsHidden(scope.ctx),
  ] as const

export function factsFrom(
  ctx: SignedIn,
  asked: FlowsRequest,
  [accounts, categories, rates, hidden]: [
    ReportAccount[],
    ReportCategory[],
    PackedRate[],
    unknown[],
  ],
): Facts {
  const { timeZone, baseCurrency: base } = profileOf(ctx)
  const byId = new Map(accounts.map((one) => [one.id, one]))
  const unknown = asked.accountIds?.find((id) => !byId.has(id))
  if (unknown !== undefined) {
    throw reportErrors.unknownAccount({ id: unknown }, { field: 'accountIds' })
  }
  const today = dateInZone(ctx.now, timeZone)
  const span = spanOn(asked, today)
  const currency = asked.currency === 'none' ? undefined : (asked.currency ?? base)
  const { interval } = asked
  return {
    frame: {
      ...{ span, interval, currency, hidesAmounts: hidden.length > 0 },
      periods: periodsOf(span, interval),
    },
    ...{ today, categories, accounts: byId },
    rateFinder: (days) => {
      const inOrder = [...new Set(days)].toSorted()
      const finders = ratesOnDays(rates, inOrder, { target: currency ?? base, base })
      const byDay = new Map(inOrder.map((day, at) => [day, finders[at]]))
      return (code, day) => byDay.get(day)?.(code)
    },
  }
}

const tooManyLines = () => reportErrors.tooManyRows({ most: REPORT_LIMITS.lines })

/** One row more than a report may have. */
const beyond = (limit: number) => limit + 1

/** The statements of the kept sums, and of what must be taken off them. */
export const keptOf = (
  scope: Scope,
  kinds: FlowKinds,
  { own, foreign, hull, joined: by }: FlowsReading,
) =>
  [
    by
      ? joinedFlows(scope, { kinds, ranges: own }, { by, from: hull.from })
      : keptFlows(scope, { kinds, ranges: own }, '='),
    scope.into === undefined
      ? nothing<CellRow>()
      : keptFlows(scope, { kinds, ranges: foreign }, '<>', beyond(REPORT_LIMITS.amounts)),
    linesTakenOff(scope, { kinds, hull, most: beyond(REPORT_LIMITS.lines) }),
  ] as const

export interface Kept {
  cells: KeptCell[]
  hidden: TakenLine[]
  /** The lines that are listed as excluded. */
  excluded: TakenLine[]
}

/** Tells which accounts have joined cells. */
export const poolingOf = (
  { accounts, frame: { currency } }: Facts,
  { joined, hull }: FlowsReading,
): Pooling => ({
  isPooled: (id) => {
    const account = accounts.get(id)
    const isInCurrency = currency === undefined || account?.currency === currency
    return joined !== undefined && account?.isOwn === 1 && isInCurrency
  },
  ...{ by: joined ?? 'span', from: hull.from },
})

export function keptFrom(
  [own, foreign, rows]: [CellRow[], CellRow[], TakenRow[]],
  pooling: Pooling,
): Kept {
  if (foreign.length > REPORT_LIMITS.amounts) {
    throw reportErrors.tooManyAmounts({ most: REPORT_LIMITS.amounts })
  }
  if (rows.length > REPORT_LIMITS.lines) {
    throw tooManyLines()
  }
  const taken = rows.map(withSums)
  return {
    cells: takeOff([...own, ...foreign].map(withSums), taken, pooling),
    hidden: taken.filter(({ isHidden }) => isHidden),
    excluded: taken.filter(({ isHidden }) => !isHidden),
  }
}

const withSums = <Row extends Pick<CellRow, 'amount' | 'lineCount'>>({
  amount,
  lineCount,
  ...row
}: Row) => ({ ...row, minor: fromWideSum(amount), lines: lineCount })

/** A payee, tag or person, with the name if it is known. */
export type ReportLabel = readonly [id: string, name?: string]

/** What was spent or earned, not converted yet. */
export interface FlowAmount extends ReportAmount {
  side: 'earned' | 'spent'
  labels: readonly ReportLabel[]
}

export interface FoundFlows extends Facts {
  amounts: FlowAmount[]
  people: Map<string, string>
  named: ReturnType<typeof categoriesIn>['named']
}

/**
 * Finds what was spent and earned, in one round trip: by kept sums, or line by line where these do not tell enough.
 * @param labels what each line must name
 * @param byAccount true if it must be known which account
 */
export async function findFlows(
  ctx: SignedIn,
  { q, condition, ...asked }: FlowsRequest & Narrowing,
  labels: LineLabels,
  byAccount: boolean,
): Promise<FoundFlows> {
  const spans = spansNear(asked, ctx.now)
  const isNarrowed = q !== undefined || condition !== undefined
  const filter = isNarrowed ? await filterFrom(ctx, { q, condition }) : {}
  const reading = readingOf(spans, asked.interval, { byAccount })
  const scope = scopeFor(ctx, asked)
  if (!isNarrowed && labels === 'none') {
    const [accounts, categories, rates, hidden, ...kept] = await read(
      ctx,
      ...factsOf(scope, reading.hull),
      ...keptOf(scope, 'labelled', reading),
    )
    const facts = factsFrom(ctx, asked, [accounts, categories, rates, hidden])
    const cells = keptFrom(kept, poolingOf(facts, reading))
    return flowsOf(facts, amountsOfCells(cells), [])
  }
  const [accounts, categories, rates, hidden, people, ...pieces] = await read(
    ctx,
    ...factsOf(scope, reading.hull),
    labels === 'member' ? peopleInScope(scope) : nothing<{ id: string; name: string }>(),
    ...labelledLines(
      scope,
      { ...filter, ...reading.hull },
      { labels, most: beyond(REPORT_LIMITS.lines) },
    ),
  )
  const rows = pieces.flat()
  if (rows.length > REPORT_LIMITS.lines) {
    throw tooManyLines()
  }
  const facts = factsFrom(ctx, asked, [accounts, categories, rates, hidden])
  return flowsOf(facts, amountsOfLines(facts, rows), people)
}

function flowsOf(
  facts: Facts,
  found: FlowAmount[],
  people: { id: string; name: string }[],
): FoundFlows {
  const indexOf = periodIndexIn(facts.frame.periods)
  const inSpan = found.filter(({ day }) => indexOf(day) !== undefined)
  const used = new Set(inSpan.map(({ categoryId }) => categoryId))
  const { isExcluded, named } = categoriesIn(facts.categories, used)
  const excluded = new Set([...used].filter(isExcluded))
  return {
    ...{ ...facts, named },
    people: new Map(people.map(({ id, name }) => [id, name])),
    amounts: inSpan.map((one) =>
      excluded.has(one.categoryId) ? { ...one, isExcluded: true } : one,
    ),
  }
}

const sideOf = (flow: KeptCell['flow']): FlowAmount['side'] =>
  flow === 'income' ? 'earned' : 'spent'

const countedMinor = (flow: KeptCell['flow'], minor: bigint) => (flow === 'income' ? minor : -minor)

function amountsOfCells({ cells, excluded }: Kept): FlowAmount[] {
  const amountOf = (
    { accountId, currency, day, flow, categoryId, minor }: Omit<TakenLine, 'counterAccountId'>,
    isExcluded: boolean,
  ): FlowAmount => ({
    ...{ accountId, currency, day, categoryId, isExcluded, labels: [] },
    ...{ side: sideOf(flow), minor: countedMinor(flow, minor) },
  })
  return [
    ...cells.map((cell) => amountOf({ ...cell, day: dayOfCell(cell) }, false)),
    ...excluded.map((line) => amountOf(line, true)),
  ]
}

/** The lines of a cell share its rounded amount in the order of their ids. */
function amountsOfLines({ accounts, frame }: Facts, rows: LineRow[]): FlowAmount[] {
  const { currency } = frame
  const isConverted =
    currency !== undefined && [...accounts.values()].some((one) => one.currency !== currency)
  const inOrder = isConverted
    ? rows.toSorted((a, b) =>
        a.id === b.id ? Number(a.line) - Number(b.line) : a.id < b.id ? -1 : 1,
      )
    : rows
  const known = new Map<string | null, readonly ReportLabel[]>([[null, []]])
  const labelsIn = (json: string | null): readonly ReportLabel[] => {
    const labels = known.get(json) ?? (JSON.parse(json ?? '[]') as ReportLabel[])
    known.set(json, labels)
    return labels
  }
  return inOrder.flatMap((row) =>
    row.line === null
      ? []
      : [
          {
            ...{ accountId: row.accountId, currency: row.currency },
            ...{ day: row.day, categoryId: row.categoryId },
            ...{ isExcluded: row.isExcluded === 1, side: sideOf(row.flow) },
            minor: countedMinor(row.flow, BigInt(row.amountMinor)),
            labels: labelsIn(row.labels),
          },
        ],
  )
}
