import { splitIdOf } from '../../../../domain/ledger-ids.ts'
import { foldKey } from '../../../../domain/text.ts'
import {
  type accountFinder,
  mentionsBetween,
  mentionsTransfer,
  mentionWeight,
} from '../../../../domain/transfer-texts.ts'
import {
  closenessOf,
  gapOf,
  type PairRow,
  scoreOf,
  textsOf,
} from '../../../../ledger/pairs/pairs.public.ts'
import { othersOf } from '../../../../ledger/ledger.public.ts'

export const REASONS = [
  ...(['sameAmount', 'sameDay', 'closeDays', 'mentionsTransfer'] as const),
  ...(['mentionsAccount', 'uncategorised'] as const),
] as const

/** Two rows that may be one transfer. */
export interface Suggestion {
  from: PairRow
  to: PairRow
  /** The part of one of them that is meant. */
  splitId: string | null
  score: number
  reasons: (typeof REASONS)[number][]
}

/** No days, and nothing but amounts, tell little: most transfers arrive within two. */
const CLOSE = 2

/**
 * @param one of a part and a row the whole of the part, else what left
 * @param namesAnother of all own accounts
 */
export function suggestionOf(
  one: PairRow,
  other: PairRow,
  namesAnother: ReturnType<typeof accountFinder>,
): Suggestion {
  // The row has the direction of a transfer; the whole of a part may have any.
  const [from, to] = one.partLine !== null && other.amountMinor < 0 ? [other, one] : [one, other]
  const gap = gapOf(from, to)
  const isCalledTransfer = [from, to].flatMap(textsOf).some(mentionsTransfer)
  const names = new Map([from, to].map((row) => [row.accountId, foldKey(row.accountName)]))
  const mentions = mentionsBetween(
    halfOf(from),
    halfOf(to),
    (accountId) => names.get(accountId) ?? '',
    namesAnother,
  )
  const uncategorised = [from, to].every((row) =>
    othersOf(row).every(
      ({ line, categoryId }) =>
        categoryId === null || (row.partLine !== null && row.partLine !== line),
    ),
  )
  const weighed: [Suggestion['reasons'][number], boolean, number][] = [
    ['sameAmount', true, 0.4],
    ['sameDay', gap === 0, 0],
    ['closeDays', gap > 0 && gap <= CLOSE, 0],
    ['mentionsTransfer', isCalledTransfer, 0.15],
    ['mentionsAccount', mentions.others > 0 && !mentions.isAstray, 0],
    ['uncategorised', uncategorised, 0.1],
  ]
  const held = weighed.filter(([, holds]) => holds)
  return {
    from,
    to,
    splitId: one.partLine === null ? null : splitIdOf(one.transactionId, one.partLine),
    score: scoreOf([
      closenessOf(gap),
      mentionWeight(mentions),
      ...held.map(([, , weight]) => weight),
    ]),
    reasons: held.map(([reason]) => reason),
  }
}

/** A text has no line ends, so that no name is found across two. */
const halfOf = (row: PairRow) => ({ accountId: row.accountId, text: textsOf(row).join('\n') })

/** The best first; each row, and each part, once, as it is half of one transfer at most. */
export function bestOf(suggestions: Suggestion[], limit: number): Suggestion[] {
  const taken = new Set<string>()
  return suggestions
    .toSorted((one, other) => other.score - one.score)
    .filter(({ from, to }) => {
      const ids = [from, to].map(({ transactionId, partLine }) => `${transactionId} ${partLine}`)
      const isFree = ids.every((id) => !taken.has(id))
      for (const id of isFree ? ids : []) {
        taken.add(id)
      }
      return isFree
    })
    .slice(0, limit)
}
