import { z } from '@hono/zod-openapi'
import { idInput } from '../../../../http/fields.ts'
import { MOST_CATEGORIES } from '../categories.rules.ts'

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
