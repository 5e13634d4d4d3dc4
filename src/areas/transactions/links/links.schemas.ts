import { z } from '@hono/zod-openapi'
import {
  count,
  currency,
  date,
  id,
  idInput,
  maybe,
  money,
  moneyInput,
  output,
  stamps,
  text,
} from '../../../http/fields.ts'
import { KINDS, statusField } from '../../transaction-views/transaction-views.public.ts'
import { LINK_KINDS } from './links.rules.ts'

const kind = z.enum(LINK_KINDS).openapi({
  description:
    'What the source is to the target. refundOf and reimburses: an income, of an expense.',
  example: 'refundOf',
})

export const CreateTransactionLinkRequest = z
  .strictObject({
    kind,
    transactionId: idInput('txn', 'The other one: the target.'),
    amount: moneyInput(
      'How much of the target is given back, in its currency; all that both have left unless said. Between currencies it is needed.',
    ).optional(),
    note: text(0, 500, 'About the link.', 'The blue one was too small').nullable().optional(),
  })
  .openapi('CreateTransactionLinkRequest')

export const TransactionLinkResponse = z
  .object({
    id: id('lnk', 'Id of the link.'),
    kind,
    direction: z.enum(['source', 'target']).openapi({
      description: 'What the transaction of the path is.',
      example: 'source',
    }),
    transactionId: id('txn', 'The other one.'),
    amount: money(
      'How much of the target is given back, in its currency; null for other kinds.',
    ).nullable(),
    currency: maybe('Of `amount`.', 'EUR'),
    note: maybe('About the link.'),
    transaction: z
      .object({
        kind: z.enum(KINDS).openapi({ description: 'What kind it is.', example: 'expense' }),
        date: date('Its booking date.'),
        description: output('What it was.', 'Shoes'),
        amount: money('Never negative.'),
        currency: currency('Of its account.'),
        status: statusField,
      })
      .openapi({ description: 'The other one in short.' }),
    ...stamps,
  })
  .openapi('TransactionLinkResponse')

export const ListTransactionLinksResponse = z
  .object({
    links: z.array(TransactionLinkResponse).openapi({
      description: 'In order of creation. Others that the caller does not see are left out.',
    }),
    count,
    summary: z
      .object({
        gross: money('The amount of the transaction.'),
        linked: money(
          'What of it was given back, or is given back by it; what is void does not count.',
        ),
        net: money('What is left of it.'),
        currency: currency(),
      })
      .openapi({ description: 'In the currency of the transaction.' }),
  })
  .openapi('ListTransactionLinksResponse')
