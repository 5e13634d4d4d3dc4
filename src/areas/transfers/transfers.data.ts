import { listed } from '../../platform/exports.ts'
import type { OwnedData } from '../../platform/owned-data.ts'
import { presentTransfer } from './transfers.presenters.ts'
import { findTransfers } from './transfers.usecases.ts'

export const transferData: OwnedData = {
  area: 'transfers',
  tables: [],
  exports: [
    listed(
      'transfers',
      (owner, page) => findTransfers(owner, {}, page),
      (view) => presentTransfer(view),
      ({ from }, ownerId) => from.ownerId === ownerId,
    ),
  ],
}
