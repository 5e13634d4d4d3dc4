import { z } from '@hono/zod-openapi'
import { idInput } from '../../../../http/fields.ts'
import { MOST_CATEGORIES } from '../categories.rules.ts'

export const ReorderCategoriesRequest = z
  .strictObject({
    categories: z
      .array(
        z
          .strictObject({
            id: idInput('cat', 'The category.'),
            parentId: idInput('cat', 'The category above; null moves it to the top.')
              .nullable()
              .optional(),
          })
          .openapi('CategoryPlace'),
      )
      .min(1)
      .max(MOST_CATEGORIES)
      .openapi({
        description:
          'In their new order: each gets its place in this list as its `order`. What is not named stays.',
      }),
  })
  .openapi('ReorderCategoriesRequest')
