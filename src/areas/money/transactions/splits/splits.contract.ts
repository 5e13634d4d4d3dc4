import { LONGEST_TEXTS } from '../../../../domain/ledger-ids.ts'
import { z } from '@hono/zod-openapi'
import { RATE_PATTERN } from '../../../../domain/exchange.ts'
import { MAX_PARTS } from '../../../../domain/ledger.ts'
import {
  count,
  idInPath,
  idInput,
  moneyInput,
  pathId,
  text,
  forceField,
} from '../../../../http/fields.ts'
import { RATE_FORM } from '../../../../http/issues.ts'
import type { LedgerRow } from '../../../../ledger/ledger.public.ts'
import { nameOf, notBoth } from '../naming/naming.contract.ts'
import {
  presentTransaction,
  SplitResponse,
  STATUSES,
  tagIdsInput,
} from '../../transaction-views/transaction-views.public.ts'

const part = {
  amount: moneyInput(
    'Amount of the part, not zero. A part with the opposite effect is negative, such as a refund inside an expense.',
  ),
  categoryId: idInput(
    'cat',
    'Category of this part. A part of an income can have a category for expenses, as a refund. A transfer has one for expenses, which counts in budgets only.',
  )
    .nullable()
    .optional(),
  payeeId: idInput('pay', 'Payee of this part, if different from that of the transaction.')
    .nullable()
    .optional(),
  tagIds: tagIdsInput('Tags of this part.').optional(),
  note: text(0, LONGEST_TEXTS.lineNote, 'Note about this part.', 'The cheese')
    .nullable()
    .optional(),
  transferAccountId: idInput(
    'acc',
    'Account that this part goes to, or comes from, where its money stays with the owner. The part is then a transfer; null makes it an ordinary part again.',
  )
    .nullable()
    .optional(),
  transferAmount: moneyInput(
    'Amount that arrives on the other account, or leaves it, in its currency. Between currencies, either this or `transferRate` is required.',
  ).optional(),
  transferRate: z.string().regex(RATE_PATTERN, RATE_FORM).optional().openapi({
    description:
      'Units of the other currency for one unit of this one, instead of `transferAmount`.',
    example: '162',
  }),
  transferStatus: z.enum(STATUSES).exclude(['void']).optional().openapi({
    description: 'Status on the other account; `uncleared` unless it is sent.',
    example: 'cleared',
  }),
}

export const splitPath = pathId('txn', 'transaction').extend({
  lineId: idInPath('spl', 'Id of the part.', 'spl_01k9v3q8m5t0w2x4y6z8a1b3d5-2'),
})

/** A part whose category and payee are named by ids. */
export const SplitById = z.strictObject(part).openapi('SplitById')

export const NewSplit = notBoth(
  z.strictObject({
    ...part,
    categoryName: nameOf('categoryId', 'category', 'Groceries'),
    payeeName: nameOf('payeeId', 'payee', 'Tesco'),
  }),
  { categoryId: 'categoryName', payeeId: 'payeeName' },
).openapi('NewSplit', {
  description: 'The category and the payee can each be sent by id or by name, but not both.',
})

export const SplitChange = z
  .strictObject({
    id: idInput('spl', 'Id of a part to keep; a part without an id is new.').optional(),
    ...part,
  })
  .openapi('SplitChange')

export const partsField = <Part extends z.ZodType>(schema: Part) =>
  z
    .array(schema)
    .min(2)
    .max(MAX_PARTS)
    .openapi({ description: 'The parts, whose amounts add up to `amount` exactly.' })

export const ReplaceSplitsRequest = z
  .strictObject({ splits: partsField(SplitChange), force: forceField })
  .openapi('ReplaceSplitsRequest')

export const UpdateSplitRequest = z
  .strictObject({ ...part, amount: part.amount.optional(), force: forceField })
  .openapi('UpdateSplitRequest')

export const SplitsResponse = z
  .object({
    splits: z
      .array(SplitResponse)
      .openapi({ description: 'The parts; empty if the transaction is not split.' }),
    count,
  })
  .openapi('SplitsResponse')

export function presentSplits(row: LedgerRow): z.infer<typeof SplitsResponse> {
  const { splits } = presentTransaction(row)
  return { splits, count: splits.length }
}
