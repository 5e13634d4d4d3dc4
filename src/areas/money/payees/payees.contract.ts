import { z } from '@hono/zod-openapi'
import { formatMoney } from '../../../domain/money.ts'
import {
  archivedInQuery,
  currency,
  id,
  idInput,
  instant,
  money,
  nameInput,
  textField,
  presentStamps,
  stamps,
  text,
  toInstantOrNull,
  integerField,
  booleanField,
} from '../../../http/fields.ts'
import { pageQuery, pageResponse, presentPage } from '../../../http/pagination.ts'
import { fromWideSum } from '../../../platform/wide-sums.ts'
import type { PayeeRow } from './payees.queries.ts'
import { MOST_ALIASES } from './payees.rules.ts'
import type { PayeeDetails } from './payees.usecases.ts'

export const ListPayeesQuery = z.strictObject({
  search: text(1, 100, 'Part of the name or of an alias, ignoring case.', 'tesco').optional(),
  archived: archivedInQuery.optional(),
  ...pageQuery(),
})

const name = nameInput(
  100,
  'Name of the payee; unique among your own payees, regardless of case and width.',
  'Tesco',
)
const defaultCategoryId = idInput('cat', 'Default category of the payee.')
const note = text(0, 2000, 'Note of the user.', 'The shop at the corner')
const archived = booleanField(
  'Whether the payee is archived, that is, kept for old transactions only.',
  false,
)
export const aliasText = nameInput(
  500,
  'Text that a bank writes instead of the name; unique, regardless of case and width.',
  'TESCO STORES 3021',
)

export const CreatePayeeRequest = z
  .strictObject({
    name,
    defaultCategoryId: defaultCategoryId.nullable().optional(),
    aliases: z
      .array(aliasText)
      .max(MOST_ALIASES)
      .default([])
      .openapi({ description: 'Texts that banks write instead of the name.' }),
    note: note.nullable().optional(),
    archived: archived.default(false),
  })
  .openapi('CreatePayeeRequest')

export const UpdatePayeeRequest = z
  .strictObject({
    name: name.optional(),
    defaultCategoryId: defaultCategoryId.nullable().optional(),
    note: note.nullable().optional(),
    archived: archived.optional(),
  })
  .openapi('UpdatePayeeRequest')

export const PayeeResponse = z
  .object({
    id: id('pay', 'Id of the payee.'),
    name: textField('Name of the payee; unique among the user’s own payees.', 'Tesco'),
    defaultCategoryId: textField(
      'Default category of the payee.',
      'cat_01k9v3q8m5t0w2x4y6z8a1b3c5',
    ).nullable(),
    aliases: z.array(z.string()).openapi({
      description: 'Texts that banks write instead of the name.',
      example: ['TESCO STORES 3021'],
    }),
    note: textField('Note of the user.', 'The shop at the corner').nullable(),
    archived,
    lastUsedAt: instant(
      'Time at which the newest transaction with the payee was recorded.',
    ).nullable(),
    ...stamps,
  })
  .openapi('PayeeResponse')

const PayeeTotal = z
  .object({
    currency: currency(),
    paid: money('Amount paid to the payee.'),
    received: money('Amount received from the payee.'),
    transactionCount: integerField('Number of transactions with the payee, without void ones.', 12),
  })
  .openapi('PayeeTotal')

export const PayeeDetailsResponse = PayeeResponse.extend({
  totals: z.array(PayeeTotal).openapi({ description: 'Totals over all time, by currency.' }),
}).openapi('PayeeDetailsResponse')

export const PayeesResponse = pageResponse(
  'payees',
  PayeeResponse,
  'One page of payees, in order of creation.',
).openapi('PayeesResponse')

export const presentPayee = (payee: PayeeRow): z.infer<typeof PayeeResponse> => ({
  id: payee.id,
  name: payee.name,
  defaultCategoryId: payee.defaultCategoryId,
  aliases: JSON.parse(payee.aliases),
  note: payee.note,
  archived: payee.archived,
  lastUsedAt: toInstantOrNull(payee.lastUsedAt),
  ...presentStamps(payee),
})

export const presentPayeeDetails = ({
  payee,
  totals,
}: PayeeDetails): z.infer<typeof PayeeDetailsResponse> => ({
  ...presentPayee(payee),
  totals: totals.map(({ currency, paid, received, transactionCount }) => ({
    currency,
    paid: formatMoney(fromWideSum(paid), currency),
    received: formatMoney(fromWideSum(received), currency),
    transactionCount,
  })),
})

export const presentPayees = presentPage('payees', presentPayee)
