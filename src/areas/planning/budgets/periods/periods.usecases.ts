import { type CalendarDate, dateInZone } from '../../../../domain/calendar.ts'
import { periodAt, periodIndexOf } from '../../../../domain/budgets/periods.ts'
import type { SignedIn } from '../../../../platform/context.ts'
import { commit, requireVersion } from '../../../../platform/database/database.ts'
import type { Page, PageRequest } from '../../../../platform/database/paging.ts'
import { budgetEvents } from '../budgets.events.ts'
import { mustChange } from '../budgets.queries.ts'
import {
  firstIndexOf,
  ownerOf,
  requirePeriod,
  requireShown,
  requireWrite,
  ruleOf,
} from '../budgets.rules.ts'
import { tasksAfter } from '../checkpoints/checkpoints.usecases.ts'
import {
  figuresOf,
  type FoundFigures,
  readFacts,
  readFigures,
} from '../figures/figures.usecases.ts'
import { ensureLine } from '../lines/lines.queries.ts'
import { seenLines } from '../lines/deletion.usecases.ts'
import { namedLine } from '../lines/lines.rules.ts'
import type { FoundPeriod } from './periods.rules.ts'
import { setLineNote, setPeriodNote } from './periods.queries.ts'

/** Returns one of the calculated periods for presentation. */
export function foundPeriod({ facts, figures }: FoundFigures, index: number): FoundPeriod {
  const { budget, today, amounts, periods } = facts
  const lines = seenLines(budget, facts.lines)
  const shared = (nominal: string) => {
    const decided = periods.find(({ period }) => period === nominal)
    return {
      ...{ budget, today, lines },
      note: decided?.note ?? null,
      version: decided?.version ?? 1,
      lineNotes: Object.fromEntries(
        amounts.flatMap(({ period, lineId, note }) =>
          period === nominal && note !== null ? [[lineId, note]] : [],
        ),
      ),
      ratesAsOf: figures.conversion.ratesAsOf.get(index),
    }
  }
  if (figures.mode === 'envelope') {
    const of = figures.periods.find(({ period }) => period.index === index)
    if (of) {
      return { ...shared(of.period.nominal), mode: 'envelope', of }
    }
  } else {
    const of = figures.periods.find(({ period }) => period.index === index)
    if (of) {
      return { ...shared(of.period.nominal), mode: 'limit', of }
    }
  }
  throw new Error('a period that was asked for was not worked out')
}

export async function getBudgetPeriod(
  ctx: SignedIn,
  budgetId: string,
  period: string,
  field?: string,
): Promise<FoundPeriod> {
  const found = await readFigures(ctx, budgetId, { from: period, field })
  return foundPeriod(found, found.from.index)
}

interface PeriodFilter {
  from?: CalendarDate | undefined
  to?: CalendarDate | undefined
  on?: CalendarDate | undefined
}

/** Before all budgets. */
const EARLIEST = '1900-01-10'

/** Periods in order. A position is the nominal start of the last one of the page before. */
export async function listBudgetPeriods(
  ctx: SignedIn,
  budgetId: string,
  filter: PeriodFilter,
  { after, limit }: PageRequest,
): Promise<Page<FoundPeriod>> {
  const facts = await readFacts(ctx, budgetId, {
    from: after?.[0] ?? filter.on ?? filter.from ?? EARLIEST,
    to: filter.on ?? filter.to ?? dateInZone(ctx.now, 'UTC'),
  })
  const { budget } = facts
  const rule = ruleOf(budget)
  // A period may begin after the day that names it, so that the day itself is in the period before.
  const indexNamed = (named: string) => requirePeriod(ctx, budget, named).index
  const [from, to] =
    filter.on === undefined
      ? [
          filter.from === undefined ? firstIndexOf(budget) : indexNamed(filter.from),
          indexNamed(filter.to ?? 'current'),
        ]
      : [periodIndexOf(rule, filter.on), periodIndexOf(rule, filter.on)]
  requireShown(ctx, budget, to)
  const count = Math.max(0, to - from + 1)
  const start = after?.[0] === undefined ? from : indexNamed(after[0]) + 1
  const last = Math.min(to, start + limit - 1)
  if (last < start) {
    return { rows: [], count, next: null }
  }
  const nominalOf = (index: number) => periodAt(rule, index).nominal
  const found = {
    facts,
    figures: figuresOf(ctx, facts, last),
    from: periodAt(rule, start),
    to: periodAt(rule, last),
  }
  const rows = Array.from({ length: last - start + 1 }, (_, at) => foundPeriod(found, start + at))
  return { rows, count, next: last < to ? [nominalOf(last)] : null }
}

/** Absent means left alone; null takes a note off. */
interface PeriodNotes {
  note?: string | null | undefined
  lineNotes?: Record<string, string | null> | undefined
}

export async function updateBudgetPeriod(
  ctx: SignedIn,
  budgetId: string,
  named: string,
  { note, lineNotes = {} }: PeriodNotes,
): Promise<FoundPeriod> {
  const found = await readFigures(ctx, budgetId, { from: named })
  const before = foundPeriod(found, found.from.index)
  const { budget, lines, version } = before
  requireWrite(ctx, budget)
  requireVersion(ctx, version)
  const noted = Object.entries(lineNotes).map(([lineId, text]) => ({
    line: namedLine(lines, lineId, `lineNotes.${lineId}`),
    text,
  }))
  const { nominal } = before.of.period
  const after = note === undefined ? before.note : note
  const period = { budgetId, period: nominal, version }
  await commit(ctx, {
    changes: [
      {
        statements: [
          ...mustChange(ctx, budget),
          ...setPeriodNote(period, after),
          ...noted.flatMap(({ line, text }) => [
            ...(line.kind === 'cardPayment' ? [ensureLine(line)] : []),
            setLineNote(period, line.id, text),
          ]),
        ],
        events: [
          budgetEvents.noted(
            { id: budgetId, ...ownerOf(budget) },
            {
              period: nominal,
              before: { note: before.note, lineNotes: before.lineNotes },
              after: { note: after, lineNotes: { ...before.lineNotes, ...lineNotes } },
            },
          ),
        ],
      },
    ],
    tasks: tasksAfter(ctx, found, found.from.index),
    result: undefined,
  })
  const kept = Object.entries({ ...before.lineNotes, ...lineNotes }).filter(
    ([, text]) => text !== null,
  )
  return {
    ...before,
    note: after,
    version: version + 1,
    lineNotes: Object.fromEntries(kept) as Record<string, string>,
  }
}
