import { and, eq, gt } from 'drizzle-orm'
import { budgetTemplates } from '../../../../../drizzle/schema/budgets.ts'
import { countWhere, mustHaveFewerRows } from '../../../../platform/database/owned-tables.ts'
import type { PageRequest } from '../../../../platform/database/paging.ts'
import { requireChangedOne } from '../../../../platform/database/premises.ts'
import { changedMeanwhile } from '../../../../platform/database/refusals.ts'
import { db, pageUpToBytes, type Statement } from '../../../../platform/database/statements.ts'
import { budgetErrors } from '../budgets.errors.ts'
import type { StoredTemplate, TemplateItem } from './templates.rules.ts'

export type PackedTemplate = Omit<StoredTemplate, 'items'> & { items: string }

export const unpackTemplate = (template: PackedTemplate): StoredTemplate => ({
  ...template,
  items: JSON.parse(template.items) as TemplateItem[],
})

const pack = ({ items, ...template }: StoredTemplate): PackedTemplate => ({
  ...template,
  items: JSON.stringify(items),
})

export const templateById = (budgetId: string, id: string): Statement<PackedTemplate[]> =>
  db
    .select()
    .from(budgetTemplates)
    .where(and(eq(budgetTemplates.budgetId, budgetId), eq(budgetTemplates.id, id)))

/** By name; one row more than the page. */
export const pageOfTemplates = (
  budgetId: string,
  { after, limit }: PageRequest,
): Statement<PackedTemplate[]> =>
  pageUpToBytes(
    db
      .select()
      .from(budgetTemplates)
      .where(
        and(
          eq(budgetTemplates.budgetId, budgetId),
          after?.[0] === undefined ? undefined : gt(budgetTemplates.nameKey, after[0]),
        ),
      )
      .orderBy(budgetTemplates.nameKey)
      .limit(limit + 1),
  )

export const countOfTemplates = (budgetId: string) =>
  countWhere(budgetTemplates, eq(budgetTemplates.budgetId, budgetId))

export const MOST_TEMPLATES = 50

export const insertTemplate = (template: StoredTemplate): Statement[] => [
  mustHaveFewerRows(budgetTemplates.budgetId, template.budgetId, MOST_TEMPLATES, () =>
    budgetErrors.tooMany({
      what: `A budget can have at most ${MOST_TEMPLATES} templates. Delete one you do not need any more first`,
    }),
  ),
  db.insert(budgetTemplates).values(pack(template)),
]

const isAsSeen = ({ id, budgetId, version }: StoredTemplate) =>
  and(
    eq(budgetTemplates.id, id),
    eq(budgetTemplates.budgetId, budgetId),
    eq(budgetTemplates.version, version),
  )

/** Refuses when the template was changed since it was read. */
export const updateTemplate = (before: StoredTemplate, after: StoredTemplate): Statement[] => [
  db.update(budgetTemplates).set(pack(after)).where(isAsSeen(before)),
  requireChangedOne(changedMeanwhile),
]

/** Refuses when the template was changed since it was read. */
export const eraseTemplate = (before: StoredTemplate): Statement[] => [
  db.delete(budgetTemplates).where(isAsSeen(before)),
  requireChangedOne(changedMeanwhile),
]
