import type { LineRow } from './lines.rules.ts'

/** The terms of a line: its policy, cap and amount. */
export type LineTerms = Pick<LineRow, 'policy' | 'capMinor' | 'amountMinor'>

/** The terms of a line from a period on. */
export interface TermsRow extends LineTerms {
  /** Nominal start; empty for the beginning. */
  fromPeriod: string
}

const NO_TERMS: LineTerms = { policy: null, capMinor: null, amountMinor: null }

/** The terms of a line in a period. `rows` are in the order of their periods. */
export function termsAt(rows: readonly TermsRow[], nominal: string): LineTerms {
  const { policy, capMinor, amountMinor } =
    rows.findLast(({ fromPeriod }) => fromPeriod <= nominal) ?? NO_TERMS
  return { policy, capMinor, amountMinor }
}

/**
 * Makes terms hold of a line from a period on. Each goes on until it was changed later: a later change of another term takes it
 * over.
 * @returns the rows to store, and what holds from the newest row on
 */
export function withTerms(
  rows: readonly TermsRow[],
  fromPeriod: string,
  wanted: LineTerms,
): { changed: TermsRow[]; newest: LineTerms } {
  const before = termsAt(rows, fromPeriod)
  let news = Object.fromEntries(
    Object.entries(wanted).filter(([name, value]) => before[name as keyof LineTerms] !== value),
  ) as Partial<LineTerms>
  if (Object.keys(news).length === 0) {
    return { changed: [], newest: termsAt(rows, LAST) }
  }
  const changed: TermsRow[] = [{ ...before, ...news, fromPeriod }]
  for (const row of rows.filter((one) => one.fromPeriod > fromPeriod)) {
    news = Object.fromEntries(
      Object.entries(news).filter(([name]) => {
        const term = name as keyof LineTerms
        return row[term] === before[term]
      }),
    )
    if (Object.keys(news).length === 0) {
      break
    }
    changed.push({ ...row, ...news })
  }
  const unchanged = rows.filter((row) => !changed.some((one) => one.fromPeriod === row.fromPeriod))
  const all = [...unchanged, ...changed].toSorted((a, b) => (a.fromPeriod < b.fromPeriod ? -1 : 1))
  return { changed, newest: termsAt(all, LAST) }
}

/** After all periods. */
const LAST = '~'
