import { tags } from '../../../../drizzle/schema/tags.ts'
import { sql } from 'drizzle-orm'
import { takenAs } from '../../../http/stored-fields.ts'
import { keptRow } from '../../../platform/owned-data/archived-rows.ts'
import type { ArchivedTable } from '../../../platform/owned-data/archived-tables.ts'
import { listed } from '../../../platform/owned-data/exports.ts'
import { type OwnedData, ownRows } from '../../../platform/owned-data/owned-data.ts'
import { asOneChange } from '../../../ledger/ledger.public.ts'
import { trashedImage, trashedRow, trashedRowsOf } from '../../../ledger/labels/labels.public.ts'
import { tagEvents } from './tags.events.ts'
import { CreateTagRequest, presentTag } from './tags.contract.ts'
import { restoreTag, type StoredTag } from './tags.queries.ts'
import { listTags } from './tags.usecases.ts'

const archivedTags: ArchivedTable = {
  table: tags,
  prefixes: ['tag'],
  owner: [tags.ownerId],
  order: [tags.id],
  holds: takenAs(CreateTagRequest, ['name', 'color']),
  around: (ownerId, _, statements) => asOneChange(ownerId, statements),
  merge: { same: [tags.nameKey] },
}

export const tagData: OwnedData = {
  area: 'tags',
  tables: [tags],
  erase: [
    // Tags that no transaction has.
    ownRows('tags', tags, {
      where: sql`NOT EXISTS (SELECT 1 FROM transaction_tags t WHERE t.tag_id = ${tags.id})`,
      wipedWith: ['tags'],
      around: asOneChange,
    }),
    trashedRowsOf('tag', 'tags'),
  ],
  archived: [archivedTags],
  exports: [listed('tags', (owner, page) => listTags(owner, {}, page), presentTag)],
  trash: {
    kinds: {
      tag: trashedRow<{ row: StoredTag }>('tag', {
        isImage: trashedImage(keptRow(archivedTags)),
        bringBack: (ctx, { row }, thing) => ({
          statements: [restoreTag(ctx, row)],
          events: [tagEvents.restored(thing, { after: row })],
        }),
        erased: (thing, { row }) => tagEvents.erased(thing, { before: row }),
      }),
    },
  },
}
