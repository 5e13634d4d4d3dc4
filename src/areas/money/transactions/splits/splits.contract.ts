import { z } from '@hono/zod-openapi'
import { MAX_PARTS } from '../../../../domain/ledger.ts'
import { count, idInput, moneyInput, text } from '../../../../http/fields.ts'
import type { LedgerRow } from '../../../../ledger/ledger.public.ts'
import { nameOf, notBoth } from '../naming/naming.contract.ts'
import {
  forceField,
  presentTransaction,
  SplitResponse,
  tagIdsInput,
} from '../../transaction-views/transaction-views.public.ts'

const part = {
  amount: moneyInput('Signed against the whole: a refund inside an expense is negative. Not zero.'),
  categoryId: idInput('cat', 'A category of the kind of the transaction.').nullable().optional(),
  payeeId: idInput('pay', 'Whom this part was with, if other than the whole.')
    .nullable()
    .optional(),
  tagIds: tagIdsInput('Tags of this part.').optional(),
  note: text(0, 500, 'About this part.', 'The cheese').nullable().optional(),
}

export const NewSplit = notBoth(
  z.strictObject({
    ...part,
    categoryName: nameOf('categoryId', 'category', 'Groceries'),
    payeeName: nameOf('payeeId', 'payee', 'Tesco'),
  }),
  { categoryId: 'categoryName', payeeId: 'payeeName' },
).openapi('NewSplit')

export const SplitChange = z
  .strictObject({
    id: idInput('spl', 'Of a part that stays; a part without one is new.').optional(),
    ...part,
  })
  .openapi('SplitChange')

export const partsField = <Part extends z.ZodType>(schema: Part) =>
  z
    .array(schema)
    .min(2)
    .max(MAX_PARTS)
    .openapi({ description: 'The parts; their sum is `amount` exactly.' })

export const ReplaceSplitsRequest = z
  .strictObject({ splits: partsField(SplitChange), force: forceField })
  .openapi('ReplaceSplitsRequest')

export const UpdateSplitRequest = z
  .strictObject({ ...part, amount: part.amount.optional(), force: forceField })
  .openapi('UpdateSplitRequest')

export const ListSplitsResponse = z
  .object({
    splits: z
      .array(SplitResponse)
      .openapi({ description: 'The parts; empty when it is not split.' }),
    count,
  })
  .openapi('ListSplitsResponse')

export function presentSplits(row: LedgerRow): z.infer<typeof ListSplitsResponse> {
  const { splits } = presentTransaction(row)
  return { splits, count: splits.length }
}
