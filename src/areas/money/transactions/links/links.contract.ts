import { z } from '@hono/zod-openapi'
import { legIdOf } from '../../../../domain/ledger-ids.ts'
import { formatMoney, sum } from '../../../../domain/money.ts'
import {
  booleanField,
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
  forceField,
} from '../../../../http/fields.ts'
import { TRANSACTION_KINDS, statusField } from '../../transaction-views/transaction-views.public.ts'
import type { LinkRow } from './links.queries.ts'
import { TRANSACTION_LINK_KINDS } from './links.rules.ts'
import type { Linked } from './links.usecases.ts'

const kind = z.enum(TRANSACTION_LINK_KINDS).openapi({
  description:
    'Relation of the source to the target. For refundOf and reimburses, the source is an income and the target an expense.',
  example: 'refundOf',
})

export const CreateTransactionLinkRequest = z
  .strictObject({
    kind,
    transactionId: idInput('txn', 'Target of the link: the other transaction.'),
    amount: moneyInput(
      'Amount of the target that is covered, in its currency. By default as much as both transactions have left; required between currencies.',
    ).optional(),
    note: text(0, 500, 'Note about the link.', 'The blue one was too small').nullable().optional(),
    setCategory: booleanField(
      'Whether an income without a category gets that of the expense, and parts if the expense is split; only for refundOf and reimburses.',
      true,
    ).default(true),
    force: forceField,
  })
  .openapi('CreateTransactionLinkRequest')

export const TransactionLinkResponse = z
  .object({
    id: id('lnk', 'Id of the link.'),
    kind,
    direction: z.enum(['source', 'target']).openapi({
      description: 'Whether the transaction in the path is the source or the target.',
      example: 'source',
    }),
    transactionId: id('txn', 'Id of the other transaction.'),
    amount: money(
      'Amount of the target that is covered, in its currency; only for refundOf and reimburses.',
    ).nullable(),
    currency: nullableText('Currency of `amount`.', 'EUR'),
    note: nullableText('Note about the link.'),
    transaction: z
      .object({
        kind: z
          .enum(TRANSACTION_KINDS)
          .openapi({ description: 'Kind of the transaction.', example: 'expense' }),
        date: date('Booking date of the transaction.'),
        description: textField('Description of the transaction.', 'Shoes'),
        amount: money('Amount of the transaction; never negative.'),
        currency: currency('Currency of the account.'),
        status: statusField,
      })
      .openapi({ description: 'Summary of the other transaction.' }),
    ...stamps,
  })
  .openapi('TransactionLinkResponse')

export const TransactionLinksResponse = z
  .object({
    links: z.array(TransactionLinkResponse).openapi({
      description:
        'Links in order of creation. Links to transactions that the caller cannot see are left out.',
    }),
    count,
    summary: z
      .object({
        gross: money('Amount of the transaction.'),
        linked: money('Amount that links cover, on either side; void transactions do not count.'),
        net: money('Amount that is left.'),
        currency: currency(),
      })
      .openapi({ description: 'Amounts in the currency of the transaction.' }),
  })
  .openapi('TransactionLinksResponse')

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

export function presentLinks({ row, links }: Linked): z.infer<typeof TransactionLinksResponse> {
  const { currency } = row
  const gross = Math.abs(row.amountMinor)
  // Void transactions do not count, nor do amounts covered in another currency.
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
