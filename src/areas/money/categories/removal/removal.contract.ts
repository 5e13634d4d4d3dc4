import { z } from '@hono/zod-openapi'
import { idInput, integerField } from '../../../../http/fields.ts'
import { TrashedResponse } from '../../../../http/trashed.ts'
import { CategoryResponse, presentCategory } from '../categories.contract.ts'
import type { CategoryUsage, HandedOver } from './removal.usecases.ts'

export const DeleteCategoryQuery = z.strictObject({
  reassignTo: idInput(
    'cat',
    'Another category of the same kind that takes over the transactions, subcategories and payees.',
  ).optional(),
})

export const MergeCategoryRequest = z
  .strictObject({
    categoryId: idInput('cat', 'Category that is merged into this one and then removed.'),
  })
  .openapi('MergeCategoryRequest')

const lockedLines = integerField(
  'Number of transactions and parts in locked periods that the category was taken off.',
  0,
)

export const MergedCategoryResponse = CategoryResponse.extend({ lockedLines }).openapi(
  'MergedCategoryResponse',
)

export const DeletedCategoryResponse = TrashedResponse.extend({ lockedLines }).openapi(
  'DeletedCategoryResponse',
)

export const presentMerged = ({
  category,
  lockedLines: count,
}: HandedOver): z.infer<typeof MergedCategoryResponse> => ({
  ...presentCategory(category),
  lockedLines: count,
})

export const CategoryUsageResponse = z
  .object({
    transactionCount: integerField(
      'Number of transactions with the category, on the transaction or on a part.',
      12,
    ),
    lineCount: integerField('Number of transactions and parts with the category.', 14),
    childCount: integerField('Number of direct subcategories.', 2),
    payeeCount: integerField('Number of payees with this default category.', 1),
    lastDate: z.string().nullable().openapi({
      description: 'Date of the newest transaction with the category.',
      example: '2026-11-20',
    }),
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
