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
  count,
  toInstant,
} from '../../../http/fields.ts'
import { pageQuery, pageResponse, presentPage } from '../../../http/pagination.ts'
import { fromWideSum } from '../../../platform/database/wide-sums.ts'
import type { PayeeRow } from './payees.queries.ts'
import { MOST_ALIASES, MOST_MERGED } from './payees.rules.ts'
import type { PayeeDetails } from './payees.usecases.ts'
import type { AliasRow } from './aliases.queries.ts'
import type { Resolved } from './aliases.usecases.ts'

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
const excludeFromReports = booleanField('Whether reports exclude the payee.', false)
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
    excludeFromReports: excludeFromReports.default(false),
  })
  .openapi('CreatePayeeRequest')

export const UpdatePayeeRequest = z
  .strictObject({
    name: name.optional(),
    defaultCategoryId: defaultCategoryId.nullable().optional(),
    note: note.nullable().optional(),
    archived: archived.optional(),
    excludeFromReports: excludeFromReports.optional(),
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
    excludeFromReports,
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
  excludeFromReports: payee.excludeFromReports,
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

export const DeletePayeeQuery = z.strictObject({
  reassignTo: idInput('pay', 'Another payee that takes over the transactions.').optional(),
})

export const MergePayeesRequest = z
  .strictObject({
    payeeIds: z
      .array(idInput('pay', 'Id of a payee that is merged into this one.'))
      .min(1)
      .max(MOST_MERGED)
      .openapi({
        description:
          'Payees to merge. Their transactions and aliases move to this payee, and their names become aliases.',
        example: ['pay_01k9v3q8m5t0w2x4y6z8a1b3c5'],
      }),
  })
  .openapi('MergePayeesRequest')

export const CreatePayeeAliasRequest = z
  .strictObject({ raw: aliasText })
  .openapi('CreatePayeeAliasRequest')

export const PayeeAliasResponse = z
  .object({
    id: id('pal', 'Id of the alias.'),
    raw: textField('Text that a bank writes instead of the name.', 'TESCO STORES 3021'),
    createdAt: instant('Time at which the alias was added.'),
  })
  .openapi('PayeeAliasResponse')

export const PayeeAliasesResponse = z
  .object({
    aliases: z.array(PayeeAliasResponse).openapi({ description: 'Aliases in order of creation.' }),
    count,
  })
  .openapi('PayeeAliasesResponse')

export const ResolvePayeeQuery = z.strictObject({
  raw: text(1, 500, 'The other party as a bank wrote it.', 'TESCO STORES 3021'),
})

export const PayeeResolutionResponse = z
  .object({
    raw: textField('Text that was searched for.', 'tesco stores 3021'),
    payee: z.union([PayeeResponse, z.null()]).openapi({
      description: 'Payee that a new transaction with this text gets; null for none.',
    }),
    reason: z.enum(['alias', 'name']).nullable().openapi({
      description: 'Whether the payee was found by an alias or by its name.',
      example: 'alias',
    }),
    alias: textField('Alias by which the payee was found.', 'TESCO STORES 3021').nullable(),
  })
  .openapi('PayeeResolutionResponse')

export const presentAlias = ({
  id,
  raw,
  createdAt,
}: AliasRow): z.infer<typeof PayeeAliasResponse> => ({ id, raw, createdAt: toInstant(createdAt) })

export const presentAliases = (aliases: AliasRow[]): z.infer<typeof PayeeAliasesResponse> => ({
  aliases: aliases.map(presentAlias),
  count: aliases.length,
})

export const presentResolution = ({
  raw,
  payee,
  reason,
  alias,
}: Resolved): z.infer<typeof PayeeResolutionResponse> => ({
  raw,
  payee: payee ? presentPayee(payee) : null,
  reason,
  alias,
})
