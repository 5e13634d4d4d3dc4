import { splitIdOf } from '../../../../domain/ledger-ids.ts'
import { disjointPairs } from '../../../../domain/matching/pairing.ts'
import { foldedTexts, type mentionsAmong } from '../../../../domain/matching/texts.ts'
import { daysApart, type Reason, toldOf, weightsOf } from '../../../../domain/matching/weights.ts'
import { runSteps } from '../../../../domain/steps.ts'
import type { PairRow } from '../../../../ledger/pairs/pairs.public.ts'
import { othersOf } from '../../../../ledger/ledger.public.ts'

/** Two rows that may be one transfer. */
export interface Suggestion {
  from: PairRow
  to: PairRow
  /** The part of one of them that is meant. */
  splitId: string | null
  score: number
  reasons: Reason[]
}

/**
 * @param one of a part and a row the whole of the part, else what left
 * @param mentionsBetween of all own accounts
 */
export function suggestionOf(
  one: PairRow,
  other: PairRow,
  mentionsBetween: ReturnType<typeof mentionsAmong>,
): Suggestion {
  // The row has the direction of a transfer; the whole of a part may have any.
  const [from, to] = one.partLine !== null && other.amountMinor < 0 ? [other, one] : [one, other]
  const weights = weightsOf('suggestions', daysApart(from, to), {
    ...{ sameAmount: true, ...mentionsBetween(halfOf(from), halfOf(to)) },
    uncategorised: [from, to].every((row) =>
      othersOf(row).every(
        ({ line, categoryId }) =>
          categoryId === null || (row.partLine !== null && row.partLine !== line),
      ),
    ),
  })
  return {
    from,
    to,
    splitId: one.partLine === null ? null : splitIdOf(one.transactionId, one.partLine),
    ...toldOf('suggestions', weights),
  }
}

/** A text has no line ends, so that no name is found across two. */
const halfOf = (row: PairRow) => ({ accountId: row.accountId, text: foldedTexts(row).join('\n') })

/** The best first; each row, and each part, once, as it is half of one transfer at most. */
export function bestOf(suggestions: Suggestion[], limit: number): Suggestion[] {
  const best = suggestions.toSorted((one, other) => other.score - one.score)
  const halvesOf = ({ from, to }: Suggestion) =>
    [from, to].map(({ transactionId, partLine }) => `${transactionId} ${partLine}`)
  return runSteps(disjointPairs(best, halvesOf)).slice(0, limit)
}
