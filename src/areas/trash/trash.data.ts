import { listed } from '../../platform/exports.ts'
import type { OwnedData } from '../../platform/owned-data.ts'
import { presentItem } from './trash.presenters.ts'
import { findTrash } from './trash.usecases.ts'

export const trashData: OwnedData = {
  area: 'trash',
  tables: [],
  exports: [listed('trash', (owner, page) => findTrash(owner, {}, page), presentItem)],
}
