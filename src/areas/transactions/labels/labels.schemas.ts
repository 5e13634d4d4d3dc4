import { z } from '@hono/zod-openapi'
import { count, idInput, maybe, nextCursor, output, text, yes } from '../../../http/fields.ts'
import { pageQuery } from '../../../http/pagination.ts'

const kind = z.enum(['category', 'tag', 'payee'])

export const AccountLabelParams = z.object({ id: idInput('acc', 'Id of the account.') })

export const ListLabelsQuery = z.strictObject({
  kind: kind.openapi({ description: 'Of this kind.', example: 'category' }),
  search: text(1, 100, 'Part of the name, in any case.', 'gro').optional(),
  ...pageQuery(),
})

const LabelResponse = z
  .object({
    kind: kind.openapi({ description: 'What it is.', example: 'category' }),
    id: output('Its id.', 'cat_01k9v3q8m5t0w2x4y6z8a1b3c5'),
    name: output('What its owner calls it.', 'Groceries'),
    parentId: maybe('Of a category, the one that it stands below.'),
    transactionKind: maybe('Of a category, the kind of transactions that it is for.', 'expense'),
    archived: yes('Whether it is kept for old transactions only.', false),
  })
  .openapi('LabelResponse')

export const ListLabelsResponse = z
  .object({
    labels: z.array(LabelResponse).openapi({ description: 'One page, in order of creation.' }),
    count,
    nextCursor,
  })
  .openapi('ListLabelsResponse')
