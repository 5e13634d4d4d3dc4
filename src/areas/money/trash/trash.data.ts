import { listed } from '../../../platform/owned-data/exports.ts'
import type { OwnedData } from '../../../platform/owned-data/owned-data.ts'
import { presentItem } from './trash.contract.ts'
import { listTrash } from './trash.usecases.ts'

export const trashData: OwnedData = {
  area: 'trash',
  tables: [],
  exports: [listed('trash', (owner, page) => listTrash(owner, {}, page), presentItem)],
}
