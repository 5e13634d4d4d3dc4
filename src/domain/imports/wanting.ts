import { nearDay } from '../calendar.ts'
import { REACH } from '../matching/weights.ts'
import { forEachInSteps, type Steps } from '../steps.ts'
import type { OpenRow } from './open-rows.ts'
import type { LookupResults, Lookups } from './passes.ts'
import type { BookableRow } from './rows.ts'
import type { CoveredDays } from './verdicts.ts'

interface MaybeOpen {
  rows: Pick<OpenRow, 'accountId' | 'currency' | 'date' | 'minor' | 'original'>[]
  /** Rows whose equals are wanted, too. */
  alike: Pick<BookableRow, 'accountId' | 'date' | 'minor'>[]
}

export function* wantedOf(
  { rows, alike }: MaybeOpen,
  coverage: readonly CoveredDays[],
): Steps<Lookups> {
  const ofAccounts = new Map<string, Reach>()
  const ofCurrencies = new Map<string, Reach>()
  yield* forEachInSteps(rows, ({ accountId, date, minor, currency, original }) => {
    widen(ofAccounts, accountId, date, date).minors.add(minor)
    widen(ofCurrencies, currency, date, date).minors.add(-minor)
    if (original !== undefined) {
      const opposite = -Math.sign(minor) * Math.abs(original.minor)
      widen(ofCurrencies, original.currency, date, date).minors.add(opposite)
    }
  })
  for (const { accountId, from, through } of coverage) {
    widen(ofAccounts, accountId, from, through)
  }
  return {
    candidates: Array.from(ofAccounts, ([accountId, reach]) => ({
      accountId,
      ...around(reach, REACH.typed.before, REACH.typed.after),
    })),
    halves: Array.from(ofCurrencies, ([currency, reach]) => ({
      currency,
      ...around(reach, REACH.halves, REACH.halves),
    })),
    identities: alike.map(({ accountId, date, minor }) => ({ accountId, date, minor })),
  }
}

/**
 * Keeps the candidates and halves that are wanted.
 * @param found more than that of candidates and halves; more of the rest does no harm
 */
export function foundWithin<More extends LookupResults>(
  { candidates, halves }: Lookups,
  found: More,
): More {
  const currencies = new Map(found.accounts.map(({ id, currency }) => [id, currency]))
  const isOn = (span: Span, { date, minor }: { date: string; minor: number }) =>
    span.from <= date && date <= span.through && span.minors.has(minor)
  const spans = candidates.map(setOf)
  const ofHalves = halves.map(setOf)
  return {
    ...found,
    candidates: found.candidates.filter((stored) =>
      spans.some(
        (span) =>
          span.accountId === stored.accountId &&
          isOn(stored.kind === 'pending' ? { ...span, minors: ANY } : span, stored),
      ),
    ),
    halves: found.halves.filter((stored) =>
      ofHalves.some(
        (span) => span.currency === currencies.get(stored.accountId) && isOn(span, stored),
      ),
    ),
  }
}

interface Span {
  from: string
  through: string
  minors: Pick<ReadonlySet<number>, 'has'>
}

const ANY = { has: () => true }

const setOf = <One extends { minors: number[] }>(one: One) => ({
  ...one,
  minors: new Set(one.minors),
})

/** The days from the first to the last one, and the amounts. */
interface Reach {
  from: string
  through: string
  minors: Set<number>
}

function widen(reaches: Map<string, Reach>, key: string, from: string, through: string): Reach {
  const reach = reaches.get(key) ?? { from, through, minors: new Set() }
  reaches.set(key, reach)
  reach.from = from < reach.from ? from : reach.from
  reach.through = through > reach.through ? through : reach.through
  return reach
}

/** The days, and some before and after. */
const around = ({ from, through, minors }: Reach, before: number, after: number) => ({
  from: nearDay(from, -before),
  through: nearDay(through, after),
  minors: [...minors],
})
