import { savedViews } from '../../../../drizzle/schema/saved-views.ts'
import { takenAs } from '../../../http/stored-fields.ts'
import { listed } from '../../../platform/owned-data/exports.ts'
import { type OwnedData, ownRows } from '../../../platform/owned-data/owned-data.ts'
import { CreateSavedViewRequest, isStoredView, presentSavedView } from './saved-views.contract.ts'
import { MOST_VIEWS } from './saved-views.rules.ts'
import { listSavedViews } from './saved-views.usecases.ts'

export const savedViewData: OwnedData = {
  area: 'saved-views',
  tables: [savedViews],
  erase: [ownRows('savedViews', savedViews, { wipedWith: ['preferences'] })],
  archived: [
    {
      table: savedViews,
      prefixes: ['svw'],
      owner: [savedViews.ownerId],
      order: [savedViews.id],
      holds: takenAs(CreateSavedViewRequest, ['name', 'position']),
      json: { parameters: isStoredView },
      most: [{ rows: MOST_VIEWS }],
      merge: { same: [savedViews.nameKey] },
    },
  ],
  exports: [
    listed('savedViews', (owner, page) => listSavedViews(owner, {}, page), presentSavedView),
  ],
}
