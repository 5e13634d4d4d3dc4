import { nearDay, toDayNumber } from '../calendar.ts'
import { firstFrom } from '../matching/pairing.ts'
import type { BookableRow } from './rows.ts'
import type { CoveredDays } from './verdicts.ts'

/** The days of a file's booked rows, by account. */
export interface BookedSpans {
  see: (row: BookableRow) => void
  firstDay(accountId: string): string | undefined
  /** Returns the days that the file covers completely: the days of statements, else those between its first and its last row. */
  coverage(statements: readonly CoveredDays[]): CoveredDays[]
}

export function watchSpans(): BookedSpans {
  const spans = new Map<string, CoveredDays>()
  return {
    see: ({ accountId, date }) => {
      const { from, through } = spans.get(accountId) ?? { from: date, through: date }
      spans.set(accountId, {
        accountId,
        from: date < from ? date : from,
        through: date > through ? date : through,
      })
    },
    firstDay: (accountId) => spans.get(accountId)?.from,
    coverage: (statements) => {
      const accountsStated = new Set(statements.map(({ accountId }) => accountId))
      // The day on which a file begins or ends may be cut in two.
      const between = [...spans.values()]
        .filter(({ accountId, from, through }) => !accountsStated.has(accountId) && from < through)
        .map((span) => ({
          ...span,
          from: nearDay(span.from, 1),
          through: nearDay(span.through, -1),
        }))
      return united([...statements, ...between.filter(({ from, through }) => from <= through)])
    },
  }
}

/** Spans of an account that overlap or follow each other, as one. */
function united(spans: readonly CoveredDays[]): CoveredDays[] {
  const sorted = spans.toSorted((a, b) => (a.from < b.from ? -1 : 1))
  const last = new Map<string, CoveredDays>()
  const unions: CoveredDays[] = []
  for (const span of sorted) {
    const known = last.get(span.accountId)
    if (known !== undefined && span.from <= nearDay(known.through, 1)) {
      known.through = span.through > known.through ? span.through : known.through
    } else {
      const union = { ...span }
      last.set(span.accountId, union)
      unions.push(union)
    }
  }
  return unions
}

/** Finds the span of an account in which a day lies, of very many perhaps. */
export function covering(spans: readonly CoveredDays[]) {
  const ofAccount = Map.groupBy(united(spans), ({ accountId }) => accountId)
  return ({ accountId, date }: { accountId: string; date: string }): CoveredDays | undefined => {
    const sorted = ofAccount.get(accountId) ?? []
    const at = firstFrom(sorted, ({ through }) => toDayNumber(through), toDayNumber(date))
    const span = sorted[at]
    return span && span.from <= date ? span : undefined
  }
}
