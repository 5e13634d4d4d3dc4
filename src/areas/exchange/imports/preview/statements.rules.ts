import { formatMoney } from '../../../../domain/money.ts'

/** The explanations of a difference of a statement, and the values of its file beside the two balances. */
export interface StatementContent {
  causes: { line: number; reason: string; amountMinor: number | null; explainsAll: boolean }[]
  evidence: { name: string; amount: string; date?: string; currency?: string }[]
  /** How many of its rows were matched with transactions; absent in what was stored before this was. */
  matched?: number
  /** An interim report checks no balance. */
  isInterim: boolean
  /** The day of the closing balance, where that is not the last one. */
  closingDate?: string
  /** The balance before the first row, by the closing balance. */
  derivedMinor?: number
  /** The days that it tells the whole of; absent where it does not say, and in what was stored before this was. */
  covers?: { from: string; through: string }
}

/** A statement as it is stored. */
interface StoredBalances {
  /** Empty while the account is not known. */
  accountId: string
  currency: string
  throughDate: string | null
  openingMinor: number | null
  closingMinor: number | null
  sumMinor: number
  content: string
}

/** The balance after the rows of a statement, and what its closing balance has more; null where the file does not say enough. */
export function checkOf({ openingMinor, closingMinor, sumMinor, content }: StoredBalances) {
  const { isInterim } = JSON.parse(content) as StatementContent
  const computed = openingMinor === null || isInterim ? null : openingMinor + sumMinor
  const difference = computed === null || closingMinor === null ? null : closingMinor - computed
  return { computed, difference }
}

/** Rounded rows may leave so much. */
const roundingOf = ({ content }: StoredBalances) =>
  (JSON.parse(content) as StatementContent).causes.filter(({ reason }) => reason === 'rounded')
    .length

/** A sentence about statements whose rows do not lead from one balance to the other; null if there are none. */
export function mismatchOf(statements: StoredBalances[]): string | null {
  const wrong = statements.flatMap((statement) => {
    const { difference } = checkOf(statement)
    const isKnown = statement.accountId !== '' && difference !== null
    return isKnown && Math.abs(difference) > roundingOf(statement)
      ? [{ ...statement, difference }]
      : []
  })
  const [first, ...others] = wrong
  if (!first) {
    return null
  }
  const { difference, throughDate, currency } = first
  const day = throughDate === null ? '' : ` of ${throughDate}`
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`
  return `The rows of the statement${day}${more} do not lead from its opening balance to its closing balance: ${formatMoney(difference, currency)} ${currency} are missing.`
}
