import type { z } from '@hono/zod-openapi'
import { formatMoney } from '../../domain/money.ts'
import { presentStamps } from '../../http/fields.ts'
import type { Listed } from '../../http/pagination.ts'
import type { CategoryRow } from './categories.queries.ts'
import type { PeriodSum } from './categories.rules.ts'
import type {
  CategoryNode,
  CategoryResponse,
  ListCategoriesResponse,
} from './categories.schemas.ts'
import type { CategoryView } from './categories.usecases.ts'

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

const presentSum = ({ currency, lineCount, ownMinor, minor }: PeriodSum) => ({
  currency,
  lineCount,
  ownAmount: formatMoney(ownMinor, currency),
  amount: formatMoney(minor, currency),
})

const presentNode = ({ row, sums, children }: CategoryView): z.infer<typeof CategoryNode> => ({
  ...presentCategory(row),
  ...(sums ? { sums: sums.map(presentSum) } : {}),
  ...(children ? { children: children.map(presentNode) } : {}),
})

export const presentCategories = ({
  rows,
  count,
  nextCursor,
}: Listed<CategoryView>): z.infer<typeof ListCategoriesResponse> => ({
  categories: rows.map(presentNode),
  count,
  nextCursor,
})
