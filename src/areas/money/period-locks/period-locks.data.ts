import { periodLocks } from '../../../../drizzle/schema/reconciliation.ts'
import { takenAs } from '../../../http/stored-fields.ts'
import { listed } from '../../../platform/exports.ts'
import { type OwnedData, ownRows } from '../../../platform/owned-data.ts'
import { CreatePeriodLockRequest, presentPeriodLock } from './period-locks.contract.ts'
import { listPeriodLocks } from './period-locks.usecases.ts'
import { lockJson } from './stored.rules.ts'

export const periodLockData: OwnedData = {
  area: 'period-locks',
  tables: [periodLocks],
  erase: [ownRows('periodLocks', periodLocks, { wipedWith: ['transactions', 'accounts'] })],
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
