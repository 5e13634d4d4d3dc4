import { nearDay, daysBetween } from '../calendar.ts'
import { LargeMap } from '../large-map.ts'
import { filterInSteps, flatMapInSteps, forEachInSteps, type Steps } from '../steps.ts'
import { type Chains, compareBalances, type Suspect } from './balances.ts'
import type { Hash } from './identity.ts'
import { type MatchingMode, matchRows, suggestPending, weighing, WIDEST } from './matching.ts'
import type { OpenRow } from './open-rows.ts'
import type { Found, Wanted } from './passes.ts'
import { corrections, sameIds } from './same-ids.ts'
import { covering } from './spans.ts'
import { pairTold, type ToldHalf } from './told-transfers.ts'
import { findTransfers, TRANSFER_DAYS } from './transfers.ts'
import type { SchemeOfAccount } from './trust.ts'
import type { Coverage, Decision, StoredIdentity, StoredRow } from './verdicts.ts'

/** The state that pass 1 leaves for pass 2. */
export interface LeftOpen {
  /** Rows that are not known. */
  rows: OpenRow[]
  /** What is stored under the bank's id of a row, and of the row that it corrects. */
  storedUnder: Map<number, readonly StoredIdentity[]>
  corrected: Map<number, readonly StoredIdentity[]>
  /** Rows that are known, and correct other ones. */
  knownCorrections: OpenRow[]
  /** Rows whose bank id is stored with another booking. */
  reusing: number[]
  told: ToldHalf[]
  /** Of rows that have told halves, and are known. */
  toldDecisions: Map<number, Decision>
  suspects: Suspect[]
  /** Rows on locked days, by their position. */
  locked: Set<number>
  /** Whether the file tells of a stored row. */
  isTold: (stored: RowKeys) => boolean
}

type RowKeys = Pick<StoredRow, 'accountId' | 'transactionId' | 'minor' | 'identity'>

/**
 * The row of a bank that an identity belongs to. A row that the bank renamed has several identities; rows that somebody
 * merged are one transaction, but have their own amounts.
 */
export const rowKey = ({ accountId, transactionId, identity, minor }: RowKeys): string =>
  `${accountId} ${transactionId ?? identity} ${minor}`

interface Circumstances {
  hash: Hash
  matching: MatchingMode
  coverage: readonly Coverage[]
  chains: Chains
  trusts: (scheme: SchemeOfAccount) => boolean
}

/** A pending row may take so long to be booked. */
const PENDING_DAYS = 3

interface MaybeOpen {
  rows: Pick<OpenRow, 'accountId' | 'currency' | 'date' | 'minor' | 'original'>[]
  suspects: Pick<Suspect, 'row'>[]
}

export function* wantedOf(
  { rows, suspects }: MaybeOpen,
  coverage: readonly Coverage[],
): Steps<Wanted> {
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
      ...around(reach, WIDEST.before, WIDEST.after),
    })),
    halves: Array.from(ofCurrencies, ([currency, reach]) => ({
      currency,
      ...around(reach, TRANSFER_DAYS, TRANSFER_DAYS),
    })),
    identities: suspects.map(({ row: { accountId, date, minor } }) => ({ accountId, date, minor })),
  }
}

/**
 * Keeps the candidates and halves that are wanted.
 * @param found more than that of candidates and halves; more of the rest does no harm
 */
export function foundWithin<More extends Found>({ candidates, halves }: Wanted, found: More): More {
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

/** The decisions about rows so far. A later one adds to those before. */
class Decisions {
  readonly #byRow = new LargeMap<number, Decision>()

  add(decisions: readonly Decision[]): Steps<void> {
    return forEachInSteps(decisions, (decision) => {
      const before = this.#byRow.get(decision.at)
      const warnings = [...(before?.warnings ?? []), ...(decision.warnings ?? [])]
      this.#byRow.set(decision.at, {
        ...before,
        ...decision,
        ...(warnings.length > 0 ? { warnings } : {}),
      })
    })
  }

  of(at: number): Decision | undefined {
    return this.#byRow.get(at)
  }

  openAmong(rows: readonly OpenRow[]): Steps<OpenRow[]> {
    return filterInSteps(rows, ({ at }) => (this.of(at)?.verdict ?? 'new') === 'new')
  }

  all(): Decision[] {
    return [...this.#byRow.values()]
  }
}

/** Says what can be said of open rows: each step decides about those that the ones before left open. */
export function* compareOpen(
  left: LeftOpen,
  found: Found,
  { hash, matching, coverage, chains, trusts }: Circumstances,
): Steps<{ decisions: Decision[]; vanished: StoredRow[] }> {
  const decisions = new Decisions()
  const open = () => decisions.openAmong(left.rows)

  yield* decisions.add(left.reusing.map((at) => ({ at, verdict: 'new', warnings: ['idReused'] })))
  yield* decisions.add(
    corrections(left.rows, left.knownCorrections, ({ at }) => left.corrected.get(at) ?? []),
  )

  const byIdentity = new Map<string, StoredRow>()
  yield* forEachInSteps(found.candidates, (stored) => {
    byIdentity.set(identityKey(stored), stored)
  })
  const trusted = yield* filterInSteps(
    yield* open(),
    ({ accountId, bankId }) => bankId !== undefined && trusts({ accountId, scheme: bankId.scheme }),
  )
  const same = yield* sameIds(
    trusted,
    ({ at }) => (left.storedUnder.get(at) ?? []).filter((stored) => !left.isTold(stored)),
    (stored) => byIdentity.get(identityKey(stored)),
  )
  yield* decisions.add(same.decisions)

  const covers = covering(coverage)
  const free = yield* freeOf(left, found, same.claimed, covers)
  const claimed =
    matching === 'never'
      ? new Set<StoredRow>()
      : yield* decideMatches(decisions, left.rows, free, { accounts: found.accounts, matching })

  yield* decisions.add(pairTold(left.told, (at) => left.toldDecisions.get(at) ?? decisions.of(at)))
  const posted = yield* filterInSteps(yield* open(), ({ pending }) => !pending)
  yield* decisions.add(yield* findTransfers(posted, found.halves, found.accounts))

  const identities = Map.groupBy(found.identities, particularsOf)
  yield* decisions.add(
    compareBalances(left.suspects, (row) => identities.get(particularsOf(row)) ?? [], {
      hash,
      chains,
    }),
  )

  const vanished = yield* filterInSteps(free, (stored) => {
    const span = covers(stored)
    const isOld = span !== undefined && daysBetween(stored.date, span.through) > PENDING_DAYS
    return stored.kind === 'pending' && isOld && !claimed.has(stored)
  })
  const decided = yield* flatMapInSteps(decisions.all(), (one) => [lockedOr(one, left.locked)])
  return { decisions: decided, vanished }
}

/** The stored rows that a row of the file may be: of the identities of one row, the first stands for all. */
function freeOf(
  left: LeftOpen,
  { candidates, stated = [] }: Found,
  claimed: Iterable<RowKeys>,
  covers: ReturnType<typeof covering>,
): Steps<StoredRow[]> {
  // What a statement has told of already, a report may tell of later.
  const isStated = covering(stated)
  const taken = new Set([...claimed].map(rowKey))
  return filterInSteps(candidates, (stored) => {
    // A pending row in the trash may be there because it was late: what is booked then must not be lost with it.
    const isOut =
      stored.kind === 'pending'
        ? stored.state !== 'kept'
        : stored.kind === 'booked' && !covers(stored) && !isStated(stored)
    const key = rowKey(stored)
    if (isOut || taken.has(key) || left.isTold(stored)) {
      return false
    }
    taken.add(key)
    return true
  })
}

/** Matches open rows with stored ones; returns those that are matched. */
function* decideMatches(
  decisions: Decisions,
  rows: readonly OpenRow[],
  free: readonly StoredRow[],
  { accounts, matching }: Pick<Found, 'accounts'> & { matching: Exclude<MatchingMode, 'never'> },
): Steps<ReadonlySet<StoredRow>> {
  const weigh = weighing(accounts)
  const { decisions: matches, claimed } = yield* matchRows(
    yield* decisions.openAmong(rows),
    free,
    weigh,
    matching,
  )
  yield* decisions.add(matches)
  const unclaimed = yield* filterInSteps(free, (stored) => !claimed.has(stored))
  const hasNone = ({ at }: OpenRow) => decisions.of(at)?.suggestedMatchId === undefined
  const posted = yield* filterInSteps(
    yield* decisions.openAmong(rows),
    (row) => !row.pending && hasNone(row),
  )
  yield* decisions.add(yield* suggestPending(posted, unclaimed, weigh))
  return claimed
}

/** What is booked or changed, and what it would be if its day were not locked. */
const REFUSED: Partial<Record<Decision['verdict'], Pick<Decision, 'unlocked'>>> = {
  new: {},
  transfer: { unlocked: 'transfer' },
  updated: { unlocked: 'updated' },
}

/** On a locked day, nothing is booked or changed. A transaction that is there may be confirmed all the same. */
function lockedOr(decision: Decision, locked: ReadonlySet<number>): Decision {
  const refused = locked.has(decision.at) && REFUSED[decision.verdict]
  return refused ? { ...decision, verdict: 'locked', ...refused } : decision
}

const identityKey = ({ accountId, identity }: Pick<StoredRow, 'accountId' | 'identity'>) =>
  `${accountId} ${identity}`

const particularsOf = ({
  accountId,
  date,
  minor,
}: Pick<StoredIdentity, 'accountId' | 'date' | 'minor'>) => `${accountId} ${date} ${minor}`
