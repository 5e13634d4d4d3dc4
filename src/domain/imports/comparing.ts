import { daysBetween } from '../calendar.ts'
import { LargeMap } from '../large-map.ts'
import { filterInSteps, flatMapInSteps, forEachInSteps, type Steps } from '../steps.ts'
import { type Chains, compareBalances, type SuspectDuplicate } from './balances.ts'
import { type Continuation, type FirstDays, rowsGoingOn } from './continuing.ts'
import { bankKeysOf, type Hash } from './identity.ts'
import { type MatchingMode, matchRows, suggestPending, weighing } from './matching.ts'
import type { OpenRow } from './open-rows.ts'
import type { LookupResults, ComparisonOutcome } from './passes.ts'
import { corrections, sameIds } from './same-ids.ts'
import type { BookableRow } from './rows.ts'
import { covering } from './spans.ts'
import { pairStated, type StatedHalf } from './stated-transfers.ts'
import { findTransfers } from './transfers.ts'
import type { SchemeOfAccount } from './trust.ts'
import type { CoveredDays, Decision, StoredIdentity, StoredRow } from './verdicts.ts'

/** The state that pass 1 leaves for pass 2. */
export interface LeftOpen {
  /** Rows that are not known. */
  rows: OpenRow[]
  /**
   * Identities stored under the bank's id of a row (`storedUnder`), and of the row that it corrects (`corrected`).
   */
  storedUnder: Map<number, readonly StoredIdentity[]>
  corrected: Map<number, readonly StoredIdentity[]>
  /** Rows that are known, and correct other ones. */
  knownCorrections: OpenRow[]
  /** Rows whose bank id is stored with another booking. */
  reusing: number[]
  statedHalves: StatedHalf[]
  /** The decisions on known rows that state halves of transfers. */
  decisionsOnKnown: Map<number, Decision>
  suspects: SuspectDuplicate[]
  firstDays: FirstDays
  /** Rows on locked days, by their position. */
  locked: Set<number>
  isLocked: (accountId: string, date: string) => boolean
  /** True if a row of the file has this identity on the account. */
  hasIdentity: (accountId: string, identity: string) => boolean
  /** True if the file contains a stored row. */
  isInFile: (stored: RowKeys) => boolean
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
  coverage: readonly CoveredDays[]
  chains: Chains
  trusts: (scheme: SchemeOfAccount) => boolean
}

/** A pending row may take so long to be booked. */
const PENDING_DAYS = 3

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
  found: LookupResults,
  { hash, matching, coverage, chains, trusts }: Circumstances,
): Steps<Pick<ComparisonOutcome, 'decisions' | 'vanished' | 'matched'>> {
  const decisions = new Decisions()
  const identities = Map.groupBy(found.identities, particularsOf)
  const storedOf = (row: BookableRow) => identities.get(particularsOf(row)) ?? []
  const { continued = [] } = found
  const has = left.hasIdentity
  const goingOn = rowsGoingOn(left.firstDays.rows(), continued, storedOf, { hash, has })
  yield* decisions.add(goingOn.map(({ decision }) => decision))
  for (const { open } of goingOn) {
    if (left.isLocked(open.accountId, open.date)) {
      left.locked.add(open.at)
    }
  }
  const rows = left.rows.concat(goingOn.map((one) => one.open))
  const open = () => decisions.openAmong(rows)

  yield* decisions.add(left.reusing.map((at) => ({ at, verdict: 'new', warnings: ['idReused'] })))
  yield* decisions.add(
    corrections(rows, left.knownCorrections, ({ at }) => left.corrected.get(at) ?? []),
  )

  const byIdentity = new Map<string, StoredRow>()
  yield* forEachInSteps(found.candidates, (stored) => {
    byIdentity.set(identityKey(stored), stored)
  })
  const isTrusted = ({ accountId, bankId }: OpenRow) =>
    bankId !== undefined && trusts({ accountId, scheme: bankId.scheme })
  const trusted = yield* filterInSteps(yield* open(), isTrusted)
  const same = yield* sameIds(
    trusted,
    ({ at }) => (left.storedUnder.get(at) ?? []).filter((stored) => !left.isInFile(stored)),
    (stored) => byIdentity.get(identityKey(stored)),
  )
  yield* decisions.add(same.decisions)

  const covers = covering(coverage)
  const schemes = new Set(trusted.map(({ bankId }) => (bankId as BankKey).scheme))
  const free = withSchemes(yield* freeOf(left, found, same.claimed, covers), [...schemes], hash)
  const claimed =
    matching === 'never'
      ? new Set<StoredRow>()
      : yield* decideMatches(decisions, rows, free, {
          ...{ accounts: found.accounts, matching, isTrusted },
        })

  yield* decisions.add(
    pairStated(left.statedHalves, (at) => decisions.of(at) ?? left.decisionsOnKnown.get(at)),
  )
  const posted = yield* filterInSteps(yield* open(), ({ pending }) => !pending)
  yield* decisions.add(yield* findTransfers(posted, found.halves, found.accounts))

  yield* decisions.add(
    compareBalances(
      left.suspects.filter(({ row }) => decisions.of(row.at) === undefined),
      storedOf,
      { hash, chains },
    ),
  )

  const vanished = yield* filterInSteps(free, (stored) => {
    const span = covers(stored)
    const isOld = span !== undefined && daysBetween(stored.date, span.through) > PENDING_DAYS
    return stored.kind === 'pending' && isOld && !claimed.has(stored)
  })
  const decided = yield* flatMapInSteps(decisions.all(), (one) => [lockedOr(one, left.locked)])
  const matched = new Map<number, number>()
  yield* forEachInSteps(rows, ({ at, statement }) => {
    if (statement !== undefined && decisions.of(at)?.verdict === 'matched') {
      matched.set(statement, (matched.get(statement) ?? 0) + 1)
    }
  })
  return { decisions: decided, vanished, matched }
}

/** The stored rows that a row of the file may be: of the identities of one row, the first stands for all. */
function freeOf(
  left: LeftOpen,
  { candidates, stated = [], continued = [] }: LookupResults,
  claimed: Iterable<RowKeys>,
  covers: ReturnType<typeof covering>,
): Steps<StoredRow[]> {
  // A report may repeat rows that a statement has stated already.
  const isStated = covering(stated)
  const isEarlier = earlierIn(continued, candidates)
  const taken = new Set([...claimed].map(rowKey))
  return filterInSteps(candidates, (stored) => {
    // A pending row in the trash may be there because it was late: what is booked then must not be lost with it.
    const isOut =
      stored.kind === 'pending'
        ? stored.state !== 'kept'
        : stored.kind === 'booked' && ((!covers(stored) && !isStated(stored)) || isEarlier(stored))
    const key = rowKey(stored)
    if (isOut || taken.has(key) || left.isInFile(stored)) {
      return false
    }
    taken.add(key)
    return true
  })
}

/** Returns a test for rows of earlier statements of the day in the midst of which the file begins, under whatever identity. */
function earlierIn(
  continued: readonly Continuation[],
  candidates: readonly StoredRow[],
): (stored: StoredRow) => boolean {
  const keys = new Set(
    candidates
      .filter(({ accountId, date, importId = '' }) =>
        continued.some(
          (one) => one.accountId === accountId && date <= one.date && one.importIds.has(importId),
        ),
      )
      .map(rowKey),
  )
  return (stored) => keys.has(rowKey(stored))
}

/** Says of stored rows whether their bank ids are of one of these schemes. */
function withSchemes(rows: readonly StoredRow[], schemes: string[], hash: Hash): StoredRow[] {
  return rows.map((stored) => {
    const { externalId: id, bankKey } = stored
    const keys =
      id === undefined || bankKey === undefined
        ? []
        : bankKeysOf(
            hash,
            schemes.map((scheme) => ({ scheme, id })),
          )
    const scheme = schemes[keys.indexOf(bankKey ?? '')]
    return scheme === undefined ? stored : { ...stored, scheme }
  })
}

type BankKey = NonNullable<OpenRow['bankId']>

interface Matching extends Pick<LookupResults, 'accounts'> {
  matching: Exclude<MatchingMode, 'never'>
  /** True if the bank's id of a row identifies it. */
  isTrusted: (row: OpenRow) => boolean
}

/** Matches open rows with stored ones; returns those that are matched. */
function* decideMatches(
  decisions: Decisions,
  rows: readonly OpenRow[],
  free: readonly StoredRow[],
  { accounts, matching, isTrusted }: Matching,
): Steps<ReadonlySet<StoredRow>> {
  const weigh = weighing(accounts, isTrusted)
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

/** The verdicts that a locked day refuses, with the verdict that they would have without the lock. */
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
