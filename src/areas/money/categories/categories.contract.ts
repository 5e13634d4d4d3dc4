import { z } from '@hono/zod-openapi'
import { formatMoney } from '../../../domain/money.ts'
import {
  archivedInQuery,
  color,
  colorInput,
  count,
  currency,
  id,
  idInput,
  money,
  nameInput,
  nextCursor,
  textField,
  presentStamps,
  stamps,
  text,
  integerField,
  booleanField,
} from '../../../http/fields.ts'
import { formerly, withFormerNames } from '../../../http/former-names.ts'
import { type Listed, pageQuery } from '../../../http/pagination.ts'
import type { CategoryRow } from './categories.queries.ts'
import type { PeriodSum } from './categories.rules.ts'
import type { CategoryView } from './categories.usecases.ts'

const kind = z
  .enum(['expense', 'income'])
  .openapi({ description: 'Whether it sorts spending or earning.', example: 'expense' })

const month = (description: string) =>
  z
    .string()
    .regex(/^[0-9]{4}-(?:0[1-9]|1[0-2])$/, 'must be a month as YYYY-MM, such as 2026-11')
    .openapi({ description, example: '2026-11' })

const fromMonth = month('First month of the sums; without it and `toMonth` there are none.')
const toMonth = month('Last month of the sums.')

const listQuery = z.strictObject({
  kind: kind.optional(),
  archived: archivedInQuery.optional(),
  parentId: idInput(
    'cat',
    'Only the children of this category; of a tree, what stands below it.',
  ).optional(),
  view: z.enum(['flat', 'tree']).default('flat').openapi({
    description:
      'As a list in order of creation, or as a tree in the own order: whole, without pages; a branch is left out with its top.',
    example: 'tree',
  }),
  fromMonth: fromMonth.optional(),
  toMonth: toMonth.optional(),
  from: formerly(fromMonth, 'fromMonth').optional(),
  to: formerly(toMonth, 'toMonth').optional(),
  ...pageQuery(),
})

export const ListCategoriesQuery = withFormerNames(listQuery, { from: 'fromMonth', to: 'toMonth' })

const name = nameInput(
  100,
  'Unique, apart from case and width, among the categories beside it.',
  'Groceries',
)
const parentId = idInput('cat', 'The category above, of the same kind; 5 levels at most.')
const order = z.int().min(0).max(1_000_000).openapi({
  description: 'Where it stands among the categories beside it; the lowest first.',
  example: 0,
})
const icon = text(1, 64, 'Name of an icon, for display.', 'basket')
const note = text(0, 2000, "The user's own words.", 'Food, not restaurants')
const archived = booleanField('Whether it is kept for old transactions only.', false)
const excludeFromBudget = booleanField('Whether budgets leave it out.', false)
const excludeFromReports = booleanField('Whether reports leave it out.', false)

export const CreateCategoryRequest = z
  .strictObject({
    name,
    kind,
    parentId: parentId.optional(),
    order: order.default(0),
    color: colorInput().optional(),
    icon: icon.optional(),
    archived: archived.default(false),
    excludeFromBudget: excludeFromBudget.default(false),
    excludeFromReports: excludeFromReports.default(false),
    note: note.optional(),
  })
  .openapi('CreateCategoryRequest')

export const UpdateCategoryRequest = z
  .strictObject({
    name: name.optional(),
    kind: kind
      .optional()
      .openapi({ description: 'Stays once something is booked on it or stands below it.' }),
    parentId: parentId.nullable().optional().openapi({ description: 'Null moves it to the top.' }),
    order: order.optional(),
    color: colorInput().nullable().optional(),
    icon: icon.nullable().optional(),
    archived: archived.optional(),
    excludeFromBudget: excludeFromBudget.optional(),
    excludeFromReports: excludeFromReports.optional(),
    note: note.nullable().optional(),
  })
  .openapi('UpdateCategoryRequest')

export const CategoryResponse = z
  .object({
    id: id('cat', 'Id of the category.'),
    name: textField('Unique among the categories beside it.', 'Groceries'),
    kind,
    parentId: id('cat', 'The category above; null at the top.').nullable(),
    order: integerField('Where it stands among the categories beside it; the lowest first.', 0),
    color: color(),
    icon: textField('Name of an icon, for display.', 'basket').nullable(),
    archived: booleanField('Whether it is kept for old transactions only.', false),
    excludeFromBudget: booleanField('Whether budgets leave it out.', false),
    excludeFromReports: booleanField('Whether reports leave it out.', false),
    note: textField("The user's own words.", 'Food, not restaurants').nullable(),
    ...stamps,
  })
  .openapi('CategoryResponse')

const CategorySum = z
  .object({
    currency: currency(),
    lineCount: integerField('Wholes and parts booked on it alone; void ones do not count.', 3),
    ownAmount: money('Spent, or earned, on it alone; a refund of an expense is negative.'),
    amount: money('The same with all that stands below it.'),
  })
  .openapi('CategorySum')

export const CategoryNode = CategoryResponse.extend({
  sums: z
    .array(CategorySum)
    .optional()
    .openapi({ description: 'Of the months that were asked for, by currency.' }),
  get children() {
    return z
      .array(CategoryNode)
      .optional()
      .openapi({ description: 'Of a tree: what stands right below it, in the own order.' })
  },
}).openapi('CategoryNode')

export const ListCategoriesResponse = z
  .object({
    categories: z.array(CategoryNode).openapi({
      description: 'One page, in order of creation; or the tops of the tree, in the own order.',
    }),
    count,
    nextCursor,
  })
  .openapi('ListCategoriesResponse')

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
