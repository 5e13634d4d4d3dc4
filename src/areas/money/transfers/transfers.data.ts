import { listed } from '../../../platform/owned-data/exports.ts'
import type { OwnedData } from '../../../platform/owned-data/owned-data.ts'
import { presentTransfer } from './transfers.contract.ts'
import { listTransfers } from './transfers.usecases.ts'

export const transferData: OwnedData = {
  area: 'transfers',
  tables: [],
  exports: [
    listed(
      'transfers',
      (owner, page) => listTransfers(owner, {}, page),
      (view) => presentTransfer(view),
      ({ from }, ownerId) => from.ownerId === ownerId,
    ),
  ],
}
