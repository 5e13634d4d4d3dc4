import { z } from '@hono/zod-openapi'
import {
  count,
  nullableText,
  nextCursor,
  pathId,
  textField,
  text,
  booleanField,
} from '../../../../http/fields.ts'
import { type Listed, pageQuery } from '../../../../http/pagination.ts'
import type { LabelFilter, LabelRow } from './labels.queries.ts'

const kind = z.enum(['category', 'tag', 'payee'])

export const AccountLabelParams = pathId('acc', 'account')

export const ListLabelsQuery = z.strictObject({
  kind: kind.openapi({ description: 'Only labels of this kind.', example: 'category' }),
  search: text(1, 100, 'Part of the name, ignoring case.', 'gro').optional(),
  ...pageQuery(),
})

const LabelResponse = z
  .object({
    kind: kind.openapi({ description: 'Kind of the label.', example: 'category' }),
    id: textField('Id of the category, tag or payee.', 'cat_01k9v3q8m5t0w2x4y6z8a1b3c5'),
    name: textField('Name of the category, tag or payee.', 'Groceries'),
    parentId: nullableText('Parent category; only for categories.'),
    transactionKind: nullableText(
      'Kind of transactions that the category is for; only for categories.',
      'expense',
    ),
    archived: booleanField(
      'Whether it is archived, that is, kept for old transactions only.',
      false,
    ),
  })
  .openapi('LabelResponse')

export const ListLabelsResponse = z
  .object({
    labels: z
      .array(LabelResponse)
      .openapi({ description: 'One page of labels, in order of creation.' }),
    count,
    nextCursor,
  })
  .openapi('ListLabelsResponse')

export const presentLabels = ({
  rows,
  count,
  nextCursor,
}: Listed<LabelRow & Pick<LabelFilter, 'kind'>>): z.infer<typeof ListLabelsResponse> => ({
  labels: rows.map((row) => ({ ...row, archived: row.archived === 1 })),
  count,
  nextCursor,
})
