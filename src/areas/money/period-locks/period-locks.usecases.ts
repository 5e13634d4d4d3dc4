import { dateInZone } from '../../../domain/calendar.ts'
import { kindAt, legIdOf } from '../../../domain/ledger-ids.ts'
import { isInRange } from '../../../domain/money.ts'
import { rankOf } from '../../../domain/sharing.ts'
import { freshId, profileOf, type SignedIn } from '../../../platform/context.ts'
import { commit, read, requireVersion } from '../../../platform/database/database.ts'
import { rightNeeded } from '../../../platform/database/refusals.ts'
import { nothing } from '../../../platform/database/statements.ts'
import { cutPage, type Page, type PageRequest } from '../../../platform/database/paging.ts'
import { fromWideSum, type WideSum } from '../../../platform/database/wide-sums.ts'

import {
  assertionEvents,
  type AssertionRow,
  assertionsWithLock,
  assertionThing,
  type FailingRow,
  endAssertionsOf,
  insertAssertions,
  statedByAssertion,
} from '../balance-assertions/balance-assertions.public.ts'
import { requireAccess } from '../../identity/access/access.public.ts'
import { periodLockErrors } from './period-locks.errors.ts'
import { periodEvents } from './period-locks.events.ts'
import {
  accountsToLock,
  countOfPeriodLocks,
  deletePeriodLockRow,
  failingForLock,
  insertPeriodLock,
  lockedAlready,
  MOST_UNREADY,
  pageOfPeriodLocks,
  periodLockById,
  type PeriodLockFilter,
  signedInAt,
  standingsForLock,
  statedForLock,
  unreadyIn,
  type UnreadyRow,
} from './period-locks.queries.ts'
import {
  type LockedBalance,
  type PeriodLockRow,
  type PeriodLockView,
  requireLockReady,
  type Requirement,
  REQUIREMENTS_OF_LINES,
  rightFor,
  type Unready,
  type SealedLine,
} from './period-locks.rules.ts'
import { linesForLock, linesOfLock, logEndForLock, mustEndAt } from './seals/seals.queries.ts'

import { SEAL_LOCK, sealsFrom, type Verified, verifySeal } from './seals/seals.usecases.ts'

function requireMayLock(rank: number, kind: PeriodLockRow['kind']): void {
  const right = rightFor(kind)
  if (rank < rankOf(right)) {
    throw rightNeeded(right)()
  }
}

/** A lock, and whether it is intact where that was asked for. */
export interface PeriodLock {
  lock: PeriodLockView
  verified: Verified | undefined
}

interface NewPeriodLock {
  accountId?: string | undefined
  through: string
  kind: PeriodLockRow['kind']
  reason: string
  require: Requirement[]
}

export async function listPeriodLocks(
  ctx: SignedIn,
  filter: PeriodLockFilter,
  page: PageRequest,
): Promise<Page<PeriodLock>> {
  const [found, [total]] = await read(
    ctx,
    pageOfPeriodLocks(ctx, filter, page),
    countOfPeriodLocks(ctx, filter),
  )
  const { rows, next } = cutPage(found, page, ({ through, id }) => [through, id])
  return {
    rows: rows.map((lock) => ({ lock, verified: undefined })),
    next,
    count: total?.count ?? 0,
  }
}

/** @param verify compares what is booked with the seal, which takes as long as reading all of it */
export async function getPeriodLock(
  ctx: SignedIn,
  id: string,
  verify = false,
): Promise<PeriodLock> {
  const [[lock], lines] = await read(
    ctx,
    periodLockById(ctx, id),
    verify ? linesOfLock(ctx, id) : nothing<SealedLine>(),
  )
  if (!lock) {
    throw periodLockErrors.notFound()
  }
  return { lock, verified: verify ? await verifySeal(ctx, lock, lines) : undefined }
}

/** Reads all that a lock goes by, and refuses what cannot be one however ready the period is. */
async function examine(
  ctx: SignedIn,
  { accountId: named, through, kind, require: required }: NewPeriodLock,
) {
  const accountId = named ?? null
  const wanted = { accountId, through, kind }

  const [accounts, [already], unreadyRows, failing, stated, standings, lines, [log]] = await read(
    ctx,
    accountsToLock(ctx, accountId),
    lockedAlready(ctx, wanted),
    unreadyIn(
      ctx,
      wanted,
      REQUIREMENTS_OF_LINES.filter((one) => required.includes(one)),
    ),
    required.includes('assertionsOk') ? failingForLock(ctx, wanted) : nothing<FailingRow>(),
    statedForLock(ctx, wanted),
    standingsForLock(ctx, wanted),
    linesForLock(ctx, accountId, through),
    logEndForLock(ctx, accountId),
  )
  if (accountId === null && ctx.caller.token?.accountIds) {
    throw periodLockErrors.tokenIsRestricted()
  }
  const [first] = accounts
  if (accountId !== null) {
    if (!first) {
      throw periodLockErrors.unknownAccount({ field: 'accountId' })
    }
    requireMayLock(first.rank, kind)
  }
  if (through > dateInZone(ctx.now, profileOf(ctx).timeZone)) {
    throw periodLockErrors.dateInFuture({ field: 'through' })
  }
  if (already?.isLocked) {
    throw periodLockErrors.alreadyLocked({ field: 'through' })
  }
  const unready = [
    ...unreadyRows.map(unreadyFrom),
    ...failing.map((row): Unready => ({ ...row, kind: 'assertionsOk' })),
  ].slice(0, MOST_UNREADY)
  return { wanted, accounts, unready, stated, standings, lines, log }
}

/** Returns the unmet requirements of a lock that somebody wants to create. */
export const checkPeriodLock = async (ctx: SignedIn, wanted: NewPeriodLock): Promise<Unready[]> =>
  (await examine(ctx, wanted)).unready

/** A balance as a lock keeps it; on a day in the past it may have been larger than any balance of today. */
function keptFrom(sum: WideSum): number {
  const wide = fromWideSum(sum)
  if (!isInRange(wide)) {
    throw periodLockErrors.balanceTooLarge({ field: 'through' })
  }
  return Number(wide)
}

/** Locks the books of an account, or of all own accounts, up to and with a day. */
export async function createPeriodLock(ctx: SignedIn, sent: NewPeriodLock): Promise<PeriodLock> {
  const { wanted, accounts, unready, stated, standings, lines, log } = await examine(ctx, sent)
  requireLockReady(unready)
  const { accountId, kind } = wanted
  const { reason } = sent
  const [first] = accounts
  const sumsOf = new Map(standings.map((one) => [one.accountId, one]))
  const balances = accounts.map(({ id, currency }): LockedBalance => {
    const sums = sumsOf.get(id)
    return {
      accountId: id,
      currency,
      balanceMinor: keptFrom(sums?.balance ?? ''),
      reconciledMinor: keptFrom(sums?.reconciled ?? ''),
    }
  })
  const accountIds = accounts.map(({ id }) => id)
  const seals = sealsFrom(accountIds, lines)
  const ownerId = first?.ownerId ?? ctx.caller.userId
  const lock: PeriodLockRow = {
    id: freshId(ctx, 'plk'),
    ownerId,
    ...wanted,
    reason,
    createdBy: ctx.caller.userId,
    balances: JSON.stringify(balances),
    seals: seals ? JSON.stringify(seals) : null,
    version: 1,
    createdAt: ctx.now,
    updatedAt: ctx.now,
  }
  const isStated = new Set(stated.map((one) => one.accountId))
  const assertions = balances
    .filter((balance) => !isStated.has(balance.accountId))
    .map((balance) => assertionOf(ctx, lock, balance))
  const thing = { id: lock.id, resourceType: 'periodLock', ownerId, version: 1 }
  const view: PeriodLockView = {
    ...lock,
    rank: first?.rank ?? OWNER,
    seen: JSON.stringify(accountIds),
  }
  return commit(ctx, {
    changes: [
      {
        statements: [
          ...(accountId === null
            ? []
            : [requireAccess(ctx, rightFor(kind), [accountId], unknownAccount)]),
          mustEndAt(ownerId, log?.end ?? ''),
          ...insertPeriodLock(ctx, lock),
          ...insertAssertions(assertions),
        ],
        events: [
          periodEvents.locked(accountId === null ? thing : { ...thing, accountId }, {
            after: { ...wanted, reason },
          }),
          ...assertions.map((row) =>
            assertionEvents.created(
              { ...assertionThing(row), version: 1 },
              { after: statedByAssertion(row) },
            ),
          ),
        ],
      },
    ],
    tasks: seals ? [] : [{ kind: SEAL_LOCK, payload: { lockId: lock.id } }],
    result: { lock: view, verified: seals ? { intact: true, broken: [] } : undefined },
  })
}

/** States what an account stood at when it was locked, so that it shows when that is not so any more. */
function assertionOf(
  ctx: SignedIn,
  { id: lockId, ownerId, through, createdBy }: PeriodLockRow,
  { accountId, balanceMinor }: LockedBalance,
): AssertionRow {
  return {
    id: freshId(ctx, 'bas'),
    ...{ ownerId, accountId, date: through, edge: 'endOfDay', basis: 'balance', through },
    ...{ amountMinor: balanceMinor, toleranceMinor: 0, source: 'lock', lockId, note: null },
    ...{ createdBy, wasOk: true, version: 1, createdAt: ctx.now, updatedAt: ctx.now },
  }
}

const OWNER = rankOf('owner')

const unknownAccount = () => periodLockErrors.unknownAccount({ field: 'accountId' })

function unreadyFrom({ first, ...row }: UnreadyRow): Unready {
  const [, id = '', line] = first.split(' ')
  const kind = kindAt(Number(line), id.startsWith('trf_') ? 'transfer' : 'expense')
  return { ...row, firstId: legIdOf(id, kind, Number(line)) }
}

/** A session is fresh for so long. */
const FRESH_MS = 15 * 60 * 1000

/** Ends a lock. The log keeps why. */
export async function deletePeriodLock(
  ctx: SignedIn,
  id: string,
  reason: string | undefined,
): Promise<void> {
  const [[lock], [session], assertions] = await read(
    ctx,
    periodLockById(ctx, id),
    signedInAt(ctx),
    assertionsWithLock(id),
  )
  if (!lock) {
    throw periodLockErrors.notFound()
  }
  const { ownerId, accountId, through, kind, version } = lock
  requireMayLock(lock.rank, kind)
  if (accountId === null) {
    requireMayLock(lock.rank, 'hard')
    if (ctx.caller.token?.accountIds) {
      throw periodLockErrors.tokenIsRestricted()
    }
  }
  requireVersion(ctx, version)
  if (kind === 'hard' && (session?.signedInAt ?? 0) <= ctx.now - FRESH_MS) {
    throw periodLockErrors.signInAgain()
  }
  if (reason === undefined || reason.trim() === '') {
    throw periodLockErrors.reasonMissing({ field: 'reason' })
  }
  const thing = { id, resourceType: 'periodLock', ownerId }
  return commit(ctx, {
    changes: [
      {
        statements: [
          ...(accountId === null
            ? []
            : [requireAccess(ctx, rightFor(kind), [accountId], periodLockErrors.notFound)]),
          ...deletePeriodLockRow(lock),
          ...endAssertionsOf(lock),
        ],
        events: [
          periodEvents.unlocked(accountId === null ? thing : { ...thing, accountId }, {
            before: { accountId, through, kind },
            reason,
          }),
          ...assertions.map((row) =>
            assertionEvents.deleted(assertionThing(row), { before: statedByAssertion(row) }),
          ),
        ],
      },
    ],
    result: undefined,
  })
}
