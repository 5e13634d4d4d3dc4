import type { z } from '@hono/zod-openapi'
import { OUTSIDE, type Outside } from '../../../../domain/budgets/flows.ts'
import { percentSpent } from '../../../../domain/budgets/thresholds.ts'
import { formatMoney } from '../../../../domain/money.ts'
import type { Listed } from '../../../../http/pagination.ts'
import type { EnvelopePeriod, LimitPeriod } from '../figures/envelopes.rules.ts'
import type {
  BudgetPeriodResponse,
  BudgetPeriodSums,
  EnvelopeRow,
  LimitRow,
  BudgetPeriodsResponse,
} from './periods.contract.ts'
import type { FoundPeriod } from './periods.rules.ts'

type Fields<Name extends string, Minor = number> = Record<Name, Minor>

/** Minor units as texts. */
const texts = <Name extends string>(
  names: readonly Name[],
  minors: Fields<Name, number | bigint>,
  code: string,
) =>
  Object.fromEntries(names.map((name) => [name, formatMoney(minors[name], code)])) as Record<
    Name,
    string
  >

const FOUR = ['carriedIn', 'assigned', 'activity', 'available'] as const
const OF_ROW = [...FOUR, 'lateActivity', 'cashOverspent', 'creditOverspent'] as const
const OF_PAYMENT = ['moved', 'payments', 'owed', 'debt'] as const
const OF_ENVELOPES = [
  'fromBefore',
  'opening',
  'income',
  'adjustments',
  'released',
  'exchangeDifference',
  'assigned',
  'held',
  'deferred',
  'toBeBudgeted',
  'assignedAhead',
  'free',
  'overspent',
  'latePool',
] as const
const OF_LIMIT = ['carriedIn', 'amount', 'total', 'spent', 'remaining'] as const

type Row = { lineId: string } & Fields<(typeof FOUR)[number]>

/** Finds the sums of a line and of those below it. */
function withBelowOf(rows: readonly Row[], { lines }: FoundPeriod) {
  const parents = new Map(lines.map((line) => [line.id, line.parentLineId]))
  const children = Map.groupBy(rows, ({ lineId }) => parents.get(lineId) ?? '')
  // Each line is in the range of amounts; their total, which is only shown, may be beyond it.
  const below = (row: Row): Fields<(typeof FOUR)[number], bigint> =>
    (children.get(row.lineId) ?? []).map(below).reduce(
      (all, one) => ({
        carriedIn: all.carriedIn + one.carriedIn,
        assigned: all.assigned + one.assigned,
        activity: all.activity + one.activity,
        available: all.available + one.available,
      }),
      {
        carriedIn: BigInt(row.carriedIn),
        assigned: BigInt(row.assigned),
        activity: BigInt(row.activity),
        available: BigInt(row.available),
      },
    )
  return below
}

export function presentEnvelopeRows(
  found: FoundPeriod,
  { figures, needs }: EnvelopePeriod,
): z.infer<typeof EnvelopeRow>[] {
  const { currency: code } = found.budget
  const rows = [...figures.lines, ...figures.payments]
  const withBelow = withBelowOf(rows, found)
  const payments = new Map(figures.payments.map((row) => [row.lineId, row]))
  return inOrder(found, rows).map(({ line, row }) => {
    const payment = payments.get(line.id)
    const need = needs().get(line.id)
    return {
      ...lineOf(found, line),
      kind: line.kind,
      ...texts(OF_ROW, row, code),
      withBelow: texts(FOUR, withBelow(row), code),
      needed: need ? formatMoney(need.needed, code) : null,
      targetStatus: need?.status ?? null,
      ...(payment ? texts(OF_PAYMENT, payment, code) : {}),
    }
  })
}

export const presentLimitRows = (
  found: FoundPeriod,
  { figures }: LimitPeriod,
): z.infer<typeof LimitRow>[] =>
  inOrder(found, figures.lines).map(({ line, row }) => ({
    ...lineOf(found, line),
    ...texts(OF_LIMIT, row, found.budget.currency),
    percent: percentSpent(row.total, row.spent),
  }))

/** The rows in the order of their lines. A closed period may have rows of lines that are gone. */
const inOrder = <Of extends { lineId: string }>({ lines }: FoundPeriod, rows: readonly Of[]) =>
  lines.flatMap((line) =>
    rows.filter(({ lineId }) => lineId === line.id).map((row) => ({ line, row })),
  )

const lineOf = ({ lineNotes }: FoundPeriod, line: FoundPeriod['lines'][number]) => ({
  lineId: line.id,
  name: line.name,
  parentLineId: line.parentLineId,
  note: lineNotes[line.id] ?? null,
})

const presentOutside = (figures: Outside, code: string) => texts(OUTSIDE, figures, code)

/** Limits show what is spent, envelopes what moves. */
const signOf = ({ mode }: FoundPeriod): number => (mode === 'limit' ? -1 : 1)

function presentFields(found: FoundPeriod) {
  const { budget, of, today } = found
  const { period, isClosed, unconverted } = of
  const sign = signOf(found)
  const lineIds = new Set(found.lines.map((line) => line.id))
  return {
    period: period.nominal,
    start: period.start,
    end: period.end,
    state: isClosed ? ('closed' as const) : ('open' as const),
    isCurrent: period.start <= today && today <= period.end,
    currency: budget.currency,
    note: found.note,
    version: found.version,
    outside: presentOutside(of.figures.outside, budget.currency),
    unconverted: unconverted.map((one) => {
      const [name = ''] = one.key.split(' ')
      return {
        lineId: lineIds.has(name) ? name : null,
        currency: one.currency,
        amount: formatMoney(sign * one.minor, one.currency),
        // Private rows are shown only as a figure of the period.
        ...(name === 'private'
          ? { from: period.start, to: period.end }
          : { from: one.from, to: one.to }),
      }
    }),
    ratesAsOf: found.ratesAsOf ?? null,
  }
}

const presentPending = (found: FoundPeriod): string | null =>
  found.budget.countPending ? null : formatMoney(found.of.figures.pending, found.budget.currency)

export function presentPeriodSums(found: FoundPeriod): z.infer<typeof BudgetPeriodSums> {
  const { currency: code } = found.budget
  const pending = presentPending(found)
  return {
    ...presentFields(found),
    ...(found.mode === 'envelope'
      ? { envelope: { ...texts(OF_ENVELOPES, found.of.figures, code), pending } }
      : {
          limit: {
            ...texts(['amount', 'spent', 'remaining', 'income'], found.of.figures, code),
            pending,
          },
        }),
  }
}

export function presentPeriod(found: FoundPeriod): z.infer<typeof BudgetPeriodResponse> {
  const { envelope, limit, ...fields } = presentPeriodSums(found)
  const { currency } = found.budget
  return {
    ...fields,
    outsideCategories: found.of.outsideCategories.map(({ figure, categoryId, minor }) => ({
      ...{ figure, categoryId },
      amount: formatMoney(signOf(found) * minor, currency),
    })),
    ...(found.mode === 'envelope' && envelope
      ? { envelope: { ...envelope, lines: presentEnvelopeRows(found, found.of) } }
      : {}),
    ...(found.mode === 'limit' && limit
      ? { limit: { ...limit, lines: presentLimitRows(found, found.of) } }
      : {}),
  }
}

export const presentPeriods = ({
  rows,
  count: total,
  nextCursor: next,
}: Listed<FoundPeriod>): z.infer<typeof BudgetPeriodsResponse> => ({
  periods: rows.map(presentPeriodSums),
  count: total,
  nextCursor: next,
})
