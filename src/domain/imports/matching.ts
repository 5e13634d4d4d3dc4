import { toDayNumber } from '../calendar.ts'
import {
  firstFrom,
  pairUp,
  type Pairing,
  type Scored,
  type PairingSide,
} from '../matching/pairing.ts'
import {
  accountFinder,
  foldText,
  mentionsName,
  mentionsTransfer,
  type NamedAccount,
  sharedWords,
  payeeWords,
} from '../matching/texts.ts'
import {
  daysApart,
  type Facts,
  REACH,
  scoreOf,
  THRESHOLDS,
  scoreAndReasons,
  type Weight,
  weightsOf,
} from '../matching/weights.ts'
import { memoized } from '../memoized.ts'
import { flatMapInSteps, type Steps } from '../steps.ts'
import { foldNumber, type OpenRow } from './open-rows.ts'
import type { Decision, OwnAccount, StoredRow } from './verdicts.ts'

/** The modes of matching: `never`, `usual`, or `strict` for almost certain matches only. */
export type MatchingMode = 'never' | 'usual' | 'strict'

export type Weigh = (row: OpenRow, stored: StoredRow) => Weight[]

/**
 * Weighs how likely a row of the file is a stored row of its account. Empty: it cannot be.
 * @param isTrusted whether the bank's id of a row identifies it
 */
export function weighing(
  accounts: readonly OwnAccount[],
  isTrusted: (row: OpenRow) => boolean,
): Weigh {
  const words = memoized(payeeWords)
  const account = new Map(accounts.map((one) => [one.id, one]))
  const namesAnother = accountFinder(foldedNames(accounts))
  const dayOf = memoized(toDayNumber)
  return (row, stored) => {
    const ahead = row.day - dayOf(stored.date)
    const { before, after } = REACH[stored.kind]
    // Equal ids were compared before. A pending row may be booked under another one.
    const isOther =
      stored.kind === 'booked' &&
      !row.pending &&
      stored.scheme !== undefined &&
      stored.scheme === row.bankId?.scheme &&
      isTrusted(row)
    if (ahead > before || ahead < -after || isOther) {
      return []
    }
    return weightsOf('rows', Math.abs(ahead), {
      sameAmount: row.minor === stored.minor,
      sameText: sharedWords(words(row.text), words(stored.text)),
      samePayee: row.payeeId !== undefined && row.payeeId === stored.payeeId,
      sameNumber: row.number !== undefined && row.number === stored.number,
      renamed: stored.kind === 'booked',
      ...legFacts(row, stored, account.get(stored.otherAccountId ?? ''), namesAnother),
    })
  }
}

/**
 * Collects the facts about the leg of a transfer. A user's description of a transfer seldom matches the bank's text,
 * so the row's own mention of transfers counts, unless it names an account other than the one on the other side.
 */
function legFacts(
  row: OpenRow,
  { otherAccountId }: StoredRow,
  other: OwnAccount | undefined,
  namesThird: ReturnType<typeof accountFinder>,
): Facts {
  if (otherAccountId === undefined) {
    return {}
  }
  if (namesAccount(row, otherAccountId, other)) {
    return { counterIban: true }
  }
  const mentionsAccount = mentionsName(row.text, foldText(other?.name ?? ''))
  const hasNumber = other?.iban !== undefined || other?.lastFour !== undefined
  const namesAnother =
    row.transferAccountId !== undefined ||
    (!mentionsAccount && namesThird(row.text, [row.accountId, otherAccountId])) ||
    (row.counterAccount !== undefined && (other === undefined || hasNumber))
  return namesAnother
    ? {}
    : {
        mentionsTransfer: mentionsTransfer(row.text),
        mentionsAccount,
        uncategorised: row.isUncategorised,
      }
}

/** Accounts as folded texts mention them. */
export const foldedNames = (accounts: readonly OwnAccount[]): NamedAccount[] =>
  accounts.map(({ id, name }) => ({ id, name: foldText(name) }))

/** Tells whether a row of a file names the account as its other side. */
export function namesAccount(
  row: Pick<OpenRow, 'transferAccountId' | 'counterAccount'>,
  accountId: string,
  account: OwnAccount | undefined,
): boolean {
  const { transferAccountId, counterAccount } = row
  const { iban, lastFour } = account ?? {}
  return (
    transferAccountId === accountId ||
    (counterAccount !== undefined &&
      ((iban !== undefined && counterAccount === foldNumber(iban)) ||
        (lastFour?.length === 4 && counterAccount.endsWith(foldNumber(lastFour)))))
  )
}

export interface Matches {
  decisions: Decision[]
  /** The stored rows that a row of the file is. */
  claimed: Set<StoredRow>
}

/**
 * Matches rows of the file with stored rows that are not in the file.
 *
 * @param candidates in the order in which equal ones are taken
 */
export function* matchRows(
  rows: readonly OpenRow[],
  candidates: readonly StoredRow[],
  weigh: Weigh,
  mode: Exclude<MatchingMode, 'never'>,
): Steps<Matches> {
  const pairing: Pairing<OpenRow, StoredRow> = {
    ...REACH.typed,
    floor: THRESHOLDS.rows.suggested,
    least: THRESHOLDS.rows[mode],
    takesDoubtful: false,
    score: (row, stored) => scoreOf('rows', weigh(row, stored)),
    isRival,
  }
  const pairs = yield* pairUp(rowSide(rows), storedSide(candidates), pairing)
  const decisions = yield* flatMapInSteps(
    pairs,
    ({ left: row, right: stored, isTaken }): Decision[] => {
      const assessment = { at: row.at, ...scoreAndReasons('rows', weigh(row, stored)) }
      return isTaken
        ? [{ ...assessment, ...claimedBy(row, stored) }]
        : [{ ...assessment, verdict: 'new', ...suggested(stored) }]
    },
  )
  const taken = pairs.filter(({ isTaken }) => isTaken)
  return { decisions, claimed: new Set(taken.map(({ right }) => right)) }
}

/** The verdict on a row that is a stored one. */
export function claimedBy(
  row: Pick<OpenRow, 'pending'>,
  stored: Pick<StoredRow, 'state' | 'transactionId'> & { kind: StoredRow['kind'] },
): Pick<Decision, 'verdict' | 'reason' | 'matchedId' | 'remembers'> {
  const matched = stored.transactionId === undefined ? {} : { matchedId: stored.transactionId }
  if (stored.state !== 'kept') {
    return { verdict: 'duplicate', reason: stored.state, ...matched, remembers: true }
  }
  const isPosted = stored.kind === 'pending' && !row.pending
  return { verdict: isPosted ? 'updated' : 'matched', ...matched }
}

/** Only what is there can be suggested. */
const suggested = ({ state, transactionId }: StoredRow): Pick<Decision, 'suggestedMatchId'> =>
  state === 'kept' && transactionId !== undefined ? { suggestedMatchId: transactionId } : {}

/**
 * Banks seldom move what they booked to another day, so a booked row further away is no rival of a nearer one.
 */
function isRival(pair: Scored<OpenRow, StoredRow>, rival: Scored<OpenRow, StoredRow>): boolean {
  const isFurther = daysApart(rival.left, rival.right) > daysApart(pair.left, pair.right)
  const isBooked = pair.right.kind === 'booked' && rival.right.kind === 'booked'
  return rival.score > pair.score - THRESHOLDS.rows.margin && !(isFurther && isBooked)
}

const rowSide = (items: readonly OpenRow[]): PairingSide<OpenRow> => ({
  items,
  bucket: ({ accountId, minor }) => `${accountId} ${minor}`,
  day: ({ day }) => day,
  likeness: ({ date, text }) => `${date} ${text}`,
  group: (row) =>
    [
      ...[row.date, row.pending, row.payeeId, row.number, row.transferAccountId],
      ...[row.counterAccount, row.isUncategorised, row.bankId?.scheme, row.text],
    ].join('\n'),
})

const storedSide = (items: readonly StoredRow[]): PairingSide<StoredRow> => ({
  items,
  bucket: ({ accountId, minor }) => `${accountId} ${minor}`,
  day: ({ date }) => toDayNumber(date),
  likeness: ({ date, text }) => `${date} ${foldText(text)}`,
  group: (stored) =>
    [
      ...[stored.date, stored.kind, stored.state, stored.payeeId, stored.number],
      ...[stored.otherAccountId, stored.scheme, foldText(stored.text)],
    ].join('\n'),
})

/** The share of a pending amount that a posted one may be, as tips and fuel make it. */
const TIP = { least: 0.7, most: 1.3 }
const MOST_TIPPED = 50

/**
 * Suggests pending rows whose amount changed when they were booked. It never decides.
 *
 * @param rows booked rows that are nothing known
 */
export function* suggestPending(
  rows: readonly OpenRow[],
  candidates: readonly StoredRow[],
  weigh: Weigh,
): Steps<Decision[]> {
  const pending = Map.groupBy(
    candidates.filter(({ kind }) => kind === 'pending'),
    ({ accountId, minor }) => `${accountId} ${Math.sign(minor)}`,
  )
  for (const list of pending.values()) {
    list.sort((a, b) => Math.abs(a.minor) - Math.abs(b.minor))
  }
  return yield* flatMapInSteps(rows, (row): Decision[] => {
    const size = Math.abs(row.minor)
    const near = pending.get(`${row.accountId} ${Math.sign(row.minor)}`) ?? []
    const likely = within(near, size / TIP.most, size / TIP.least)
      .map((stored) => ({ stored, weights: weigh(row, stored) }))
      .filter(({ weights }) => isLikely(weights))
      .toSorted((a, b) => scoreOf('rows', b.weights) - scoreOf('rows', a.weights))
    return likely.slice(0, 1).map(({ stored, weights }): Decision => ({
      at: row.at,
      verdict: 'new',
      ...scoreAndReasons('rows', weights),
      ...suggested(stored),
    }))
  })
}

const isLikely = (weights: Weight[]) =>
  weights.some(
    ([reason, weight]) =>
      (reason === 'samePayee' && weight > 0) ||
      (reason === 'sameText' && weight >= THRESHOLDS.rows.halfOfWords),
  )

/** The rows, sorted by size, from one size to another; at most a few. */
function within(sorted: StoredRow[], from: number, through: number): StoredRow[] {
  const start = firstFrom(sorted, ({ minor }) => Math.abs(minor), from)
  return sorted.slice(start, start + MOST_TIPPED).filter(({ minor }) => Math.abs(minor) <= through)
}
