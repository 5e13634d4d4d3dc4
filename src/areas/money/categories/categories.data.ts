import { sql } from 'drizzle-orm'
import { categories } from '../../../../drizzle/schema/categories.ts'
import { trashErrors } from '../../../domain/owned-data.ts'
import { eachOnce, idText, wholeNumber } from '../../../domain/stored-values.ts'
import { takenAs } from '../../../http/stored-fields.ts'
import { keptRow } from '../../../platform/owned-data/archived-rows.ts'
import type { ArchivedTable } from '../../../platform/owned-data/archived-tables.ts'
import { listed } from '../../../platform/owned-data/exports.ts'
import { type OwnedData, ownRows } from '../../../platform/owned-data/owned-data.ts'
import { among, db } from '../../../platform/database/statements.ts'
import { asOneChange } from '../../../ledger/ledger.public.ts'
import { trashedImage, trashedRow, trashedRowsOf } from '../../../ledger/labels/labels.public.ts'
import { categoryEvents } from './categories.events.ts'
import { CreateCategoryRequest, presentCategory } from './categories.contract.ts'
import { MOST_CATEGORIES, MOST_DEPTH, MOST_PAYEES, MOST_TAKERS } from './categories.rules.ts'
import { listCategories } from './categories.usecases.ts'
import { type CategoryImage, restoreCategory } from './removal/removal.queries.ts'

const isUnused = sql`NOT EXISTS (SELECT 1 FROM entries e WHERE e.category_id = categories.id)
  AND NOT EXISTS (SELECT 1 FROM unbooked_entries e WHERE e.category_id = categories.id)
  AND NOT EXISTS (SELECT 1 FROM categories child WHERE child.parent_id = categories.id)`

const archivedCategories: ArchivedTable = {
  table: categories,
  prefixes: ['cat'],
  owner: [categories.ownerId],
  // A subcategory comes after its parent.
  order: [categories.depth, categories.id],
  trees: [categories.parentId],
  levels: MOST_DEPTH,
  holds: {
    ...takenAs(CreateCategoryRequest, ['name', 'order', 'color', 'icon', 'note']),
    depth: wholeNumber(1, MOST_DEPTH),
  },
  most: [{ rows: MOST_CATEGORIES }],
  around: (ownerId, _, statements) => asOneChange(ownerId, statements),
  merge: { same: [categories.kind, categories.parentId, categories.nameKey] },
}

export const categoryData: OwnedData = {
  area: 'categories',
  tables: [categories],
  erase: [
    // Categories that no transaction uses, the deepest first.
    ownRows('categories', categories, {
      where: isUnused,
      erase: (ids, { ownerId }) =>
        asOneChange(ownerId, [
          db.run(sql`DELETE FROM categories WHERE id IN (SELECT id FROM categories
            WHERE id IN ${among(ids)} AND ${isUnused}) AND owner_id = ${ownerId}`),
        ]),
      wipedWith: ['categories'],
    }),
    trashedRowsOf('category', 'categories'),
  ],
  archived: [archivedCategories],
  exports: [
    listed(
      'categories',
      (owner, page) => listCategories(owner, { view: 'flat' }, page),
      ({ row }) => presentCategory(row),
    ),
  ],
  trash: {
    kinds: {
      category: trashedRow<CategoryImage>('category', {
        isImage: trashedImage(keptRow(archivedCategories), {
          childIds: eachOnce(idText, MOST_CATEGORIES),
          payeeIds: eachOnce(idText, MOST_PAYEES),
          takers: eachOnce(idText, MOST_TAKERS),
        }),
        bringBack: (ctx, category, thing) => ({
          statements: restoreCategory(ctx, category, {
            tooMany: trashErrors.tooManyCategories,
            misshapen: trashErrors.placeTaken,
          }),
          events: [categoryEvents.restored(thing, { after: category.row })],
        }),
        erased: (thing, { row }) => categoryEvents.erased(thing, { before: row }),
      }),
    },
  },
}
