import { z } from '@hono/zod-openapi'
import {
  count,
  id,
  idInput,
  nextCursor,
  output,
  stamps,
  text,
  whole,
  yes,
} from '../../http/fields.ts'
import { pageQuery } from '../../http/pagination.ts'

const kind = z
  .enum(['expense', 'income'])
  .openapi({ description: 'Whether it sorts spending or earning.', example: 'expense' })

export const ListCategoriesQuery = z.strictObject({
  kind: kind.optional(),
  archived: z
    .enum(['true', 'false'])
    .transform((word) => word === 'true')
    .optional()
    .openapi({
      type: 'boolean',
      description: 'Only archived ones, or only those in use; both when left out.',
      example: false,
    }),
  parentId: idInput('cat', 'Only the children of this category.').optional(),
  ...pageQuery(),
})

export const CreateCategoryRequest = z
  .strictObject({
    name: z.string().trim().min(1).max(100).openapi({
      description: 'Unique, apart from case and width, among the categories beside it.',
      example: 'Groceries',
    }),
    kind,
    parentId: idInput('cat', 'The category above, of the same kind; 5 levels at most.').optional(),
    order: z.int().min(0).max(1_000_000).default(0).openapi({
      description: 'Where it stands among the categories beside it; the lowest first.',
      example: 0,
    }),
    color: z
      .string()
      .regex(/^#[0-9a-fA-F]{6}$/, 'A colour is # and six hexadecimal digits')
      .toLowerCase()
      .optional()
      .openapi({ description: 'For display, `#rrggbb`.', example: '#2e7d32' }),
    icon: text(1, 64, 'Name of an icon, for display.', 'basket').optional(),
    archived: yes('Whether it is kept for old transactions only.', false).default(false),
    excludeFromBudget: yes('Whether budgets leave it out.', false).default(false),
    excludeFromReports: yes('Whether reports leave it out.', false).default(false),
    note: text(0, 2000, "The user's own words.", 'Food, not restaurants').optional(),
  })
  .openapi('CreateCategoryRequest')

export const CategoryResponse = z
  .object({
    id: id('cat', 'Id of the category.'),
    name: output('Unique among the categories beside it.', 'Groceries'),
    kind,
    parentId: id('cat', 'The category above; null at the top.').nullable(),
    order: whole('Where it stands among the categories beside it; the lowest first.', 0),
    color: output('For display, `#rrggbb`.', '#2e7d32').nullable(),
    icon: output('Name of an icon, for display.', 'basket').nullable(),
    archived: yes('Whether it is kept for old transactions only.', false),
    excludeFromBudget: yes('Whether budgets leave it out.', false),
    excludeFromReports: yes('Whether reports leave it out.', false),
    note: output("The user's own words.", 'Food, not restaurants').nullable(),
    ...stamps,
  })
  .openapi('CategoryResponse')

export const ListCategoriesResponse = z
  .object({
    categories: z
      .array(CategoryResponse)
      .openapi({ description: 'One page, in order of creation.' }),
    count,
    nextCursor,
  })
  .openapi('ListCategoriesResponse')
