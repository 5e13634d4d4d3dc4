import { z } from '@hono/zod-openapi'
import { legIdOf } from '../../../../domain/ledger.ts'
import { formatMoney, sum } from '../../../../domain/money.ts'
import {
  count,
  currency,
  date,
  id,
  idInput,
  nullableText,
  money,
  moneyInput,
  textField,
  presentStamps,
  stamps,
  text,
} from '../../../../http/fields.ts'
import { KINDS, statusField } from '../../transaction-views/transaction-views.public.ts'
import type { LinkRow } from './links.queries.ts'
import { LINK_KINDS } from './links.rules.ts'
import type { Linked } from './links.usecases.ts'

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
    currency: nullableText('Of `amount`.', 'EUR'),
    note: nullableText('About the link.'),
    transaction: z
      .object({
        kind: z.enum(KINDS).openapi({ description: 'What kind it is.', example: 'expense' }),
        date: date('Its booking date.'),
        description: textField('What it was.', 'Shoes'),
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

export const presentLink = (link: LinkRow): z.infer<typeof TransactionLinkResponse> => ({
  id: link.id,
  kind: link.relation,
  direction: link.direction,
  transactionId: legIdOf(link.transactionId, link.kind, link.line),
  amount:
    link.coveredMinor === null || link.coveredCurrency === null
      ? null
      : formatMoney(link.coveredMinor, link.coveredCurrency),
  currency: link.coveredCurrency,
  note: link.note,
  transaction: {
    kind: link.kind,
    date: link.date,
    description: link.description,
    amount: formatMoney(Math.abs(link.amountMinor), link.currency),
    currency: link.currency,
    status: link.status,
  },
  ...presentStamps(link),
})

export function presentLinks({ row, links }: Linked): z.infer<typeof ListTransactionLinksResponse> {
  const { currency } = row
  const gross = Math.abs(row.amountMinor)
  // What is void counts nowhere, and what is covered in another currency nothing of this one.
  const linked = sum(
    links
      .filter(({ status, coveredCurrency }) => status !== 'void' && coveredCurrency === currency)
      .map(({ coveredMinor }) => coveredMinor ?? 0),
  )
  return {
    links: links.map(presentLink),
    count: links.length,
    summary: {
      gross: formatMoney(gross, currency),
      linked: formatMoney(linked, currency),
      net: formatMoney(gross - linked, currency),
      currency,
    },
  }
}
