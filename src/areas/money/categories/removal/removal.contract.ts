import { z } from '@hono/zod-openapi'
import { idInput, integerField } from '../../../../http/fields.ts'
import type { CategoryUsage } from './removal.usecases.ts'

export const DeleteCategoryQuery = z.strictObject({
  reassignTo: idInput(
    'cat',
    'Another category of the same kind, which takes over what hangs on it.',
  ).optional(),
})

export const MergeCategoryRequest = z
  .strictObject({
    categoryId: idInput('cat', 'The category that is merged into this one, and is gone then.'),
  })
  .openapi('MergeCategoryRequest')

export const CategoryUsageResponse = z
  .object({
    transactionCount: integerField('Transactions with it, on the whole or a part.', 12),
    lineCount: integerField('Parts and wholes with it.', 14),
    childCount: integerField('Categories right below it.', 2),
    payeeCount: integerField('Payees whose usual category it is.', 1),
    lastDate: z
      .string()
      .nullable()
      .openapi({ description: 'Date of the newest of its transactions.', example: '2026-11-20' }),
  })
  .openapi('CategoryUsageResponse')

export const presentCategoryUsage = ({
  transactionCount,
  lineCount,
  childCount,
  payeeCount,
  lastDate,
}: CategoryUsage): z.infer<typeof CategoryUsageResponse> => ({
  transactionCount,
  lineCount,
  childCount,
  payeeCount,
  lastDate,
})
