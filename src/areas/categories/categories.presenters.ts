import type { z } from '@hono/zod-openapi'
import { presentStamps } from '../../http/fields.ts'
import type { CategoryRow } from './categories.queries.ts'
import type { CategoryResponse, ListCategoriesResponse } from './categories.schemas.ts'

export const presentCategory = (category: CategoryRow): z.infer<typeof CategoryResponse> => ({
  id: category.id,
  name: category.name,
  kind: category.kind,
  parentId: category.parentId,
  order: category.order,
  color: category.color,
  icon: category.icon,
  archived: category.archived,
  excludeFromBudget: category.excludeFromBudget,
  excludeFromReports: category.excludeFromReports,
  note: category.note,
  ...presentStamps(category),
})

export const presentCategories = ({
  rows,
  count,
  nextCursor,
}: {
  rows: CategoryRow[]
  count: number
  nextCursor: string | null
}): z.infer<typeof ListCategoriesResponse> => ({
  categories: rows.map(presentCategory),
  count,
  nextCursor,
})
