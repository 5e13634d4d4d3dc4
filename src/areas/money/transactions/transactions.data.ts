import { and, eq, gt } from 'drizzle-orm'
import { transactionLinks } from '../../../../drizzle/schema/ledger.ts'
import { formatMoney, MAX_MINOR } from '../../../domain/money.ts'
import { wholeNumber } from '../../../domain/stored-values.ts'
import { presentStamps } from '../../../http/fields.ts'
import { takenAs } from '../../../http/stored-fields.ts'
import { byId, listed, stored } from '../../../platform/owned-data/exports.ts'
import type { OwnedData } from '../../../platform/owned-data/owned-data.ts'
import type { PageRequest } from '../../../platform/database/paging.ts'
import { db } from '../../../platform/database/statements.ts'
import { presentTransaction } from '../transaction-views/transaction-views.public.ts'
import { CreateTransactionLinkRequest } from './links/links.contract.ts'
import { MOST_TRANSACTION_LINKS, type StoredLink } from './links/links.queries.ts'
import { listTransactions } from './listing/listing.usecases.ts'

const pageOfLinks = (ownerId: string, { after, limit }: PageRequest) =>
  db
    .select()
    .from(transactionLinks)
    .where(and(eq(transactionLinks.ownerId, ownerId), gt(transactionLinks.id, after?.[0] ?? '')))
    .orderBy(transactionLinks.id)
    .limit(limit + 1)

const presentStoredLink = (link: StoredLink) => ({
  id: link.id,
  kind: link.kind,
  sourceId: link.sourceId,
  targetId: link.targetId,
  amount:
    link.amountMinor === null || link.currency === null
      ? null
      : formatMoney(link.amountMinor, link.currency),
  currency: link.currency,
  note: link.note,
  ...presentStamps(link),
})

export const transactionData: OwnedData = {
  area: 'transactions',
  tables: [transactionLinks],
  archived: [
    {
      table: transactionLinks,
      prefixes: ['lnk'],
      owner: [transactionLinks.ownerId],
      order: [transactionLinks.id],
      holds: {
        ...takenAs(CreateTransactionLinkRequest, ['note']),
        amountMinor: (value, row) =>
          wholeNumber(1, MAX_MINOR)(value, row) && row['currency'] !== null,
        currency: (_, row) => row['amount_minor'] !== null,
        targetId: (value, row) => value !== row['source_id'],
      },
      most: [
        { rows: MOST_TRANSACTION_LINKS, per: [transactionLinks.sourceId] },
        { rows: MOST_TRANSACTION_LINKS, per: [transactionLinks.targetId] },
      ],
      // The amount of one that is here may not cover it any more.
      merge: { with: [transactionLinks.sourceId, transactionLinks.targetId], withAll: true },
    },
  ],
  exports: [
    listed(
      'transactions',
      (owner, page) => listTransactions(owner, {}, { sort: '-date', totals: false }, page),
      (row) => presentTransaction(row),
      (row, ownerId) => row.ownerId === ownerId,
    ),
    stored('transactionLinks', pageOfLinks, presentStoredLink, byId),
  ],
}
