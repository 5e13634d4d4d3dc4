import type { Context, SignedIn } from '../../../../platform/context.ts'
import { commit, read } from '../../../../platform/database/database.ts'
import { withoutEvents } from '../../../../platform/log/events.ts'
import { pageFinders, readOn } from '../../../../platform/log/log-reading.ts'
import { startSha256 } from '../../../../platform/secrets/crypto.ts'
import type { Statement } from '../../../../platform/database/statements.ts'
import { owns } from '../../../identity/access/access.public.ts'
import {
  listIn,
  type PeriodLockView,
  brokenIn,
  type SealedLine,
  SealedTexts,
  type Seals,
  textOfSeals,
} from '../period-locks.rules.ts'
import {
  type ForcedChange,
  forcedChanges,
  accountsOfLock,
  LINES_PER_TRIP,
  linesOfAccounts,
  lockToSeal,
  logEndOfOwner,
  mustEndAt,
  sealLock,
} from './seals.queries.ts'

export const SEAL_LOCK = 'periodLocks.seal'

/** One seal over those of all accounts. */
export function sealOver(seals: Seals): string {
  const hash = startSha256()
  hash.add(textOfSeals(seals))
  return hash.digest()
}

/** Seals accounts by their lines, which come in order of account, date, transaction and line, over any number of trips. */
function startSealing(accountIds: string[]) {
  const accounts = new Map(
    accountIds.map((id) => [id, { texts: new SealedTexts(), hash: startSha256() }]),
  )
  return {
    add: (lines: SealedLine[]) => {
      for (const line of lines) {
        const account = accounts.get(line.accountId)
        account?.texts.add(line).forEach(account.hash.add)
      }
    },
    seals: (): Seals =>
      Object.fromEntries(
        [...accounts].map(([id, { texts, hash }]) => {
          texts.end().forEach(hash.add)
          return [id, hash.digest()]
        }),
      ),
  }
}

/** The seals of accounts by their lines; undefined where those are more than one trip takes. */
export function sealsFrom(accountIds: string[], lines: SealedLine[]): Seals | undefined {
  if (lines.length > LINES_PER_TRIP) {
    return undefined
  }
  const sealing = startSealing(accountIds)
  sealing.add(lines)
  return sealing.seals()
}

/** The seals of accounts, in as many trips as their lines take. */
async function sealsOf(
  ctx: Context,
  accountIds: string[],
  through: string,
  first?: SealedLine[],
): Promise<Seals> {
  const sealing = startSealing(accountIds)
  let found = first ?? (await read(ctx, linesOfAccounts(accountIds, through)))[0]
  for (;;) {
    const lines = found.slice(0, LINES_PER_TRIP)
    sealing.add(lines)
    if (found.length <= LINES_PER_TRIP) {
      return sealing.seals()
    }
    const [next] = await read(ctx, linesOfAccounts(accountIds, through, lines.at(-1)))
    found = next
  }
}

/** Seals a lock over more lines than its own request takes. What changes meanwhile makes it start again. */
export async function sealPeriodLock(
  ctx: Context,
  { lockId }: { lockId: string },
  finish: Statement[],
): Promise<void> {
  const [[lock]] = await read(ctx, lockToSeal(lockId))
  if (!lock) {
    return commit(ctx, { changes: [withoutEvents(finish)], result: undefined })
  }
  const { ownerId, through } = lock
  const [[log], accounts] = await read(ctx, logEndOfOwner(ownerId), accountsOfLock(lock))
  const seals = await sealsOf(
    ctx,
    accounts.map(({ id }) => id),
    through,
  )
  return commit(ctx, {
    changes: [
      withoutEvents([mustEndAt(ownerId, log?.end ?? ''), sealLock(ctx, lock, seals), ...finish]),
    ],
    result: undefined,
  })
}

/** The result of comparing a lock's seals with the books. */
export interface Verified {
  intact: boolean
  /** The accounts whose lines differ, with who changed something on them by force. */
  broken: { accountId: string; changes: Omit<ForcedChange, 'sequence'>[] }[]
}

/** Changes that an answer lists. */
const MOST_CHANGES = 100

/** Compares what is booked with the seal, on the accounts that the caller sees; undefined while there is none. */
export async function verifySeal(
  ctx: SignedIn,
  lock: PeriodLockView,
  lines: SealedLine[],
): Promise<Verified | undefined> {
  if (lock.seals === null) {
    return undefined
  }
  const now = await sealsOf(ctx, listIn<string>(lock.seen), lock.through, lines)
  const accountIds = brokenIn(JSON.parse(lock.seals) as Seals, now)
  if (accountIds.length === 0) {
    return { intact: true, broken: [] }
  }
  const list = forcedChanges(lock, accountIds, owns(ctx.caller, lock))
  const page = { limit: MOST_CHANGES, after: undefined }
  const { rows } = await readOn(ctx, list, page, await read(ctx, ...pageFinders(list, page)))
  return {
    intact: false,
    broken: accountIds.map((accountId) => ({
      accountId,
      changes: rows.filter((change) => change.accountId === accountId),
    })),
  }
}
