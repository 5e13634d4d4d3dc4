import { z } from '@hono/zod-openapi'
import { formatMoney } from '../../../domain/money.ts'
import {
  archivedInQuery,
  color,
  colorInput,
  currency,
  id,
  idInput,
  money,
  nameInput,
  textField,
  presentStamps,
  stamps,
  text,
  integerField,
  booleanField,
} from '../../../http/fields.ts'
import { pageQuery, pageResponse, presentPage } from '../../../http/pagination.ts'
import { type PeriodSum, MOST_CATEGORIES, LANGUAGES } from './categories.rules.ts'
import type { CategoryView } from './categories.usecases.ts'
import type { CategoryRow } from './categories.queries.ts'
import { HOUSEHOLDS } from './starter.rules.ts'
import type { Started } from './starter.usecases.ts'

const kind = z.enum(['expense', 'income']).openapi({
  description: 'Whether the category is for expenses or for income.',
  example: 'expense',
})

const month = (description: string) =>
  z
    .string()
    .regex(/^[0-9]{4}-(?:0[1-9]|1[0-2])$/, 'must be a month as YYYY-MM, such as 2026-11')
    .openapi({ description, example: '2026-11' })

export const ListCategoriesQuery = z.strictObject({
  kind: kind.optional(),
  archived: archivedInQuery.optional(),
  parentId: idInput(
    'cat',
    'Only subcategories of this category; in a tree, at all levels below it.',
  ).optional(),
  view: z.enum(['flat', 'tree']).default('flat').openapi({
    description:
      'Return a list in order of creation, or the whole tree in the user’s order without pages. If a category is left out of the tree, so are all below it.',
    example: 'tree',
  }),
  fromMonth: month(
    'First month of the sums. Without `fromMonth` and `toMonth` there are no sums.',
  ).optional(),
  toMonth: month('Last month of the sums.').optional(),
  ...pageQuery(),
})

const name = nameInput(
  100,
  'Name of the category; unique among the categories with the same parent, regardless of case and width.',
  'Groceries',
)
const parentId = idInput('cat', 'Parent category of the same kind; there can be at most 5 levels.')
const order = z.int().min(0).max(1_000_000).openapi({
  description: 'Position among the categories with the same parent, lowest first.',
  example: 0,
})
const icon = text(1, 64, 'Name of an icon, for display.', 'basket')
const note = text(0, 2000, 'Note of the user.', 'Food, not restaurants')
const archived = booleanField(
  'Whether the category is archived, that is, kept for old transactions only.',
  false,
)
const excludeFromBudget = booleanField('Whether budgets exclude the category.', false)
const excludeFromReports = booleanField('Whether reports exclude the category.', false)

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
    kind: kind.optional().openapi({
      description: 'Kind of the category; cannot change once it has transactions or subcategories.',
    }),
    parentId: parentId.nullable().optional().openapi({
      description: 'Parent category of the same kind; null moves the category to the top level.',
    }),
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
    name: textField(
      'Name of the category; unique among the categories with the same parent.',
      'Groceries',
    ),
    kind,
    parentId: id('cat', 'Parent category; null at the top level.').nullable(),
    order: integerField('Position among the categories with the same parent, lowest first.', 0),
    color: color(),
    icon: textField('Name of an icon, for display.', 'basket').nullable(),
    archived: booleanField(
      'Whether the category is archived, that is, kept for old transactions only.',
      false,
    ),
    excludeFromBudget: booleanField('Whether budgets exclude the category.', false),
    excludeFromReports: booleanField('Whether reports exclude the category.', false),
    note: textField('Note of the user.', 'Food, not restaurants').nullable(),
    ...stamps,
  })
  .openapi('CategoryResponse')

const CategorySum = z
  .object({
    currency: currency(),
    lineCount: integerField(
      'Number of transactions and parts with this category itself, without void ones.',
      3,
    ),
    ownAmount: money(
      'Amount spent or earned in this category itself, less refunds; negative if more was refunded than spent.',
    ),
    amount: money('Amount spent or earned in this category and all its subcategories.'),
  })
  .openapi('CategorySum')

export const CategoryNode = CategoryResponse.extend({
  sums: z
    .array(CategorySum)
    .optional()
    .openapi({ description: 'Sums of the requested months, by currency.' }),
  get children() {
    return z
      .array(CategoryNode)
      .optional()
      .openapi({ description: 'Direct subcategories in the user’s order; only in a tree.' })
  },
}).openapi('CategoryNode')

export const CategoriesResponse = pageResponse(
  'categories',
  CategoryNode,
  'One page in order of creation, or the top level of the tree in the user’s order.',
).openapi('CategoriesResponse')

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

export const presentCategories = presentPage('categories', presentNode)

export const ReorderCategoriesRequest = z
  .strictObject({
    categories: z
      .array(
        z
          .strictObject({
            id: idInput('cat', 'Id of the category.'),
            parentId: idInput('cat', 'Parent category; null moves the category to the top level.')
              .nullable()
              .optional(),
          })
          .openapi('CategoryPlace'),
      )
      .min(1)
      .max(MOST_CATEGORIES)
      .openapi({
        description:
          'Categories in their new order. The position in this list becomes the `order` of each; categories that are left out do not change.',
      }),
  })
  .openapi('ReorderCategoriesRequest')

const household = z
  .enum(HOUSEHOLDS)
  .openapi({ description: 'Kind of household that the set is for.', example: 'family' })

export const StarterCategoriesRequest = z
  .strictObject({
    locale: text(
      2,
      35,
      `Language of the names (${LANGUAGES.join(', ')}), as a locale of BCP 47; by default the language of the user. Other languages give English names.`,
      'de-AT',
    ).optional(),
    household: household.default('single'),
  })
  .openapi('StarterCategoriesRequest')

export const StarterCategoriesResponse = z
  .object({
    language: z.enum(LANGUAGES).openapi({ description: 'Language of the names.', example: 'de' }),
    household,
    created: z.array(CategoryResponse).openapi({
      description: 'Categories that were created, each parent before its subcategories.',
    }),
    existing: z.array(CategoryResponse).openapi({
      description: 'Existing categories with these names, which did not change.',
    }),
  })
  .openapi('StarterCategoriesResponse')

export const presentStarterSet = ({
  created,
  existing,
  ...about
}: Started): z.infer<typeof StarterCategoriesResponse> => ({
  ...about,
  created: created.map(presentCategory),
  existing: existing.map(presentCategory),
})
