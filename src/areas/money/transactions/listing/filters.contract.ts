import { z } from '@hono/zod-openapi'
import { currencyInput, dateInput, idInput, moneyInput, text } from '../../../../http/fields.ts'
import { must } from '../../../../http/issues.ts'
import { KINDS, SOURCES, statusField } from '../../transaction-views/transaction-views.public.ts'
import { isSearchable, MOST_WORDS } from '../../../../ledger/search/search.public.ts'

const bound = (description: string) =>
  moneyInput(description).refine(
    (amount) => !amount.startsWith('-'),
    must('must not have a sign', 'range'),
  )

/**
 * What may be asked of transactions, the same in a query and in a body; all of it must hold.
 * @param flag how a truth value is written there
 */
export const filterFields = (
  flag: (description: string, example: boolean) => z.ZodType<boolean>,
) => ({
  accountId: idInput('acc', 'Only of this account.').optional(),
  from: dateInput('First day.').optional(),
  to: dateInput('Last day.').optional(),
  amountFrom: bound(
    'Least amount, whatever its sign; in each currency by its own number, not converted.',
  ).optional(),
  amountTo: bound('Greatest amount, likewise.').optional(),
  currency: currencyInput('Only of accounts in this currency.').optional(),
  kind: z.enum(KINDS).optional().openapi({ description: 'Only of this kind.', example: 'expense' }),
  status: statusField.optional(),
  source: z
    .enum(SOURCES)
    .optional()
    .openapi({ description: 'Only those that came from there.', example: 'user' }),
  hasAttachment: flag('Only those that have a file, or have none.', true).optional(),
  reviewed: flag('Only those that a person has looked at, or has not.', false).optional(),
  categoryId: idInput(
    'cat',
    'Only with this category or one below it, on the whole or a part.',
  ).optional(),
  uncategorised: flag(
    'Only those that lack a category, on the whole or a part, or those that do not.',
    true,
  ).optional(),
  payeeId: idInput('pay', 'Only with this payee, on the whole or a part.').optional(),
  tagId: idInput('tag', 'Only with this tag, on the whole or a part.').optional(),
  text: text(
    1,
    200,
    'Words, or parts of them, in any case and order. Each must stand in the description, in payeeRaw, in the note, or in the name of a payee.',
    'tesco dublin',
  )
    .refine(isSearchable, must(`must have between 1 and ${MOST_WORDS} words`, 'length'))
    .optional(),
  metadataKey: text(1, 200, 'Only whose metadata has this field.', 'trip').optional(),
  metadataValue: text(
    0,
    1000,
    'Only whose metadata has this text, number or truth value, as it is written in JSON, in that field or in any.',
    'Dublin',
  ).optional(),
})
