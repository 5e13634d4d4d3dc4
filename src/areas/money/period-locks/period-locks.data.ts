import { periodLocks } from '../../../../drizzle/schema/reconciliation.ts'
import { listed } from '../../../platform/exports.ts'
import { type OwnedData, ownRows } from '../../../platform/owned-data.ts'
import { presentPeriodLock } from './period-locks.contract.ts'
import { listPeriodLocks } from './period-locks.usecases.ts'

export const periodLockData: OwnedData = {
  area: 'period-locks',
  tables: [periodLocks],
  erase: [ownRows('periodLocks', periodLocks, { wipedWith: ['transactions', 'accounts'] })],
  goWithAccount: [periodLocks],
  archived: [
    {
      table: periodLocks,
      owner: [periodLocks.ownerId],
      order: [periodLocks.through, periodLocks.id],
      users: [periodLocks.createdBy],
      json: { balances: 'any', seals: 'any' },
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
