import { toDayNumber } from '../calendar.ts'
import { type Pair, pairUp, type Pairing, type PairingSide } from '../matching/pairing.ts'
import { foldText, mentionsAmong } from '../matching/texts.ts'
import {
  REACH,
  reasonsOf,
  scoreOf,
  THRESHOLDS,
  type Weight,
  weightsOf,
} from '../matching/weights.ts'
import { filterInSteps, flatMapInSteps, type Steps } from '../steps.ts'
import { foldedNames, namesAccount } from './matching.ts'
import { foldNumber, type OpenRow } from './open-rows.ts'
import type { Decision, OwnAccount, StoredHalf } from './verdicts.ts'

/** A possible half of a transfer: a row of the file, which has `at`, or a stored one. */
interface Half {
  accountId: string
  currency: string
  date: string
  day: number
  minor: number
  text: string
  counterAccount?: string
  transferAccountId?: string
  isUncategorised: boolean
  at?: number
  transactionId?: string
  original?: { minor: number; currency: string }
}

/** Finds the other halves of transfers, among the rows of the file and what is stored. Each is half of one at most. */
export function* findTransfers(
  rows: readonly OpenRow[],
  stored: readonly StoredHalf[],
  accounts: readonly OwnAccount[],
): Steps<Decision[]> {
  const account = new Map(accounts.map((one) => [one.id, one]))
  const halves: Half[] = [...rows, ...stored.flatMap((half) => storedHalf(half, account))]
  const mentionsBetween = mentionsAmong(foldedNames(accounts))
  const weigh = (from: Half, to: Half): Weight[] => {
    const isPossible =
      from.accountId !== to.accountId &&
      (from.at !== undefined || to.at !== undefined) &&
      [from, to].every(({ transferAccountId }, index) => {
        const { accountId } = index === 0 ? to : from
        return transferAccountId === undefined || transferAccountId === accountId
      })
    if (!isPossible) {
      return []
    }
    const mentions = mentionsBetween(from, to)
    const counterIban =
      namesAccount(from, to.accountId, account.get(to.accountId)) ||
      namesAccount(to, from.accountId, account.get(from.accountId))
    return weightsOf('halves', Math.abs(from.day - to.day), {
      ...{ sameAmount: true, ...mentions, counterIban },
      // The number of an account tells more than a text.
      mentionsThird: mentions.mentionsThird && !counterIban,
      uncategorised: from.isUncategorised && to.isUncategorised,
    })
  }
  const pairing: Pairing<Half, Half> = {
    ...{ before: REACH.halves, after: REACH.halves },
    ...{ floor: THRESHOLDS.halves.likely, least: THRESHOLDS.halves.likely, takesDoubtful: true },
    score: (from, to) => scoreOf('halves', weigh(from, to)),
    isRival: () => true,
  }
  const out = yield* filterInSteps(halves, ({ minor }) => minor < 0)
  const into = yield* filterInSteps(halves, ({ minor }) => minor > 0)
  const amount = ({ currency, minor }: Half) => `${currency} ${Math.abs(minor)}`
  const same = yield* pairUp(sideBy(amount, out), sideBy(amount, into), pairing)
  const paired = new Set(same.flatMap(({ left, right }) => [left, right]))
  const rest = yield* filterInSteps(halves, (half) => !paired.has(half))
  const exchanged = yield* pairUp(
    sideBy(
      originalKey,
      rest.filter(({ original }) => original !== undefined),
    ),
    sideBy((half) => `${amount(half)} ${half.minor < 0}`, rest),
    pairing,
  )
  const found = yield* flatMapInSteps(same, (pair) => decisionsOf(pair, weigh, !pair.isDoubtful))
  const others = yield* flatMapInSteps(firstOnly(exchanged), (pair) =>
    decisionsOf(pair, weigh, false),
  )
  return found.concat(others)
}

/** The other amount that a row names, on the other side: money that goes out arrives there. */
const originalKey = ({ original, minor }: Half) => {
  const other = original as NonNullable<Half['original']>
  return `${other.currency} ${Math.abs(other.minor)} ${minor > 0}`
}

/** Both halves may name the other's amount: then the pair was found from both sides. */
function firstOnly(pairs: Pair<Half, Half>[]): Pair<Half, Half>[] {
  const used = new Set<Half>()
  return pairs.filter(({ left, right }) => {
    const isFree = !used.has(left) && !used.has(right)
    used.add(left).add(right)
    return isFree
  })
}

function storedHalf(half: StoredHalf, accounts: ReadonlyMap<string, OwnAccount>): Half[] {
  const currency = accounts.get(half.accountId)?.currency
  const { counterAccount, ...rest } = half
  const named = counterAccount === undefined ? {} : { counterAccount: foldNumber(counterAccount) }
  return currency === undefined
    ? []
    : [{ ...rest, ...named, currency, day: toDayNumber(half.date), text: foldText(half.text) }]
}

const sideBy = (bucket: (half: Half) => string, items: readonly Half[]): PairingSide<Half> => ({
  items,
  bucket,
  day: ({ day }) => day,
  likeness: ({ accountId, date, text }) => [accountId, date, text].join('\n'),
  group: (half) =>
    [
      ...[half.accountId, half.date, half.counterAccount, half.transferAccountId],
      ...[half.isUncategorised, half.at === undefined, half.text],
    ].join('\n'),
})

function decisionsOf(
  { left, right, score }: Pair<Half, Half>,
  weigh: (from: Half, to: Half) => Weight[],
  isOnlyOne: boolean,
): Decision[] {
  const assessment = {
    score: Math.min(1, score / 1000),
    reasons: reasonsOf(weigh(left, right)),
    isOnlyOne,
  }
  const ofRow = ({ at }: Half, { at: partnerAt, transactionId: matchedId }: Half): Decision[] =>
    at === undefined
      ? []
      : [
          {
            at,
            verdict: 'transfer',
            ...assessment,
            ...(partnerAt === undefined ? {} : { partnerAt }),
            ...(matchedId === undefined ? {} : { matchedId }),
          },
        ]
  return [...ofRow(left, right), ...ofRow(right, left)]
}
