import { sql } from 'drizzle-orm'
import { periodLocks } from '../../../../drizzle/schema/reconciliation.ts'
import { takenAs } from '../../../http/stored-fields.ts'
import { listed } from '../../../platform/owned-data/exports.ts'
import { type OwnedData, ownRows } from '../../../platform/owned-data/owned-data.ts'
import { CreatePeriodLockRequest, presentPeriodLock } from './period-locks.contract.ts'
import { MOST_LOCKS, lockJson } from './period-locks.rules.ts'
import { listPeriodLocks } from './period-locks.usecases.ts'

/** Each lock of all accounts that comes or goes changes the days of all accounts, so that a commit has few of them. */
const LOCKS_OF_ALL_PER_STEP = 10
const LOCKS_PER_PIECE = 25

export const periodLockData: OwnedData = {
  area: 'period-locks',
  tables: [periodLocks],
  erase: [
    ownRows('periodLocksOfAll', periodLocks, {
      where: sql`${periodLocks.accountId} IS NULL`,
      limit: LOCKS_OF_ALL_PER_STEP,
      wipedWith: ['transactions', 'accounts'],
    }),
    ownRows('periodLocks', periodLocks, {
      where: sql`${periodLocks.accountId} IS NOT NULL`,
      wipedWith: ['transactions', 'accounts'],
    }),
  ],
  goWithAccount: [periodLocks],
  archived: [
    {
      table: periodLocks,
      prefixes: ['plk'],
      owner: [periodLocks.ownerId],
      order: [periodLocks.through, periodLocks.id],
      users: [periodLocks.createdBy],
      holds: takenAs(CreatePeriodLockRequest, ['reason']),
      json: lockJson,
      // Locks for all accounts name no account, and count as those of one.
      most: [
        { rows: MOST_LOCKS.ofOne, per: [periodLocks.accountId] },
        { rows: MOST_LOCKS.ofOwner },
      ],
      rowsPerPiece: LOCKS_PER_PIECE,
      merge: { with: [periodLocks.accountId] },
    },
  ],
  exports: [
    listed(
      'periodLocks',
      (owner, page) => listPeriodLocks(owner, {}, page),
      presentPeriodLock,
      ({ lock }, ownerId) => lock.ownerId === ownerId,
    ),
  ],
}
