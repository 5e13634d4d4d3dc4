import type { z } from '@hono/zod-openapi'
import { legIdOf } from '../../../domain/ledger.ts'
import { formatMoney, sum } from '../../../domain/money.ts'
import { presentStamps } from '../../../http/fields.ts'
import type { LinkRow } from './links.queries.ts'
import type { ListTransactionLinksResponse, TransactionLinkResponse } from './links.schemas.ts'
import type { Linked } from './links.usecases.ts'

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
