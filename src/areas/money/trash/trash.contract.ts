import { z } from '@hono/zod-openapi'
import { addressPattern } from '../../../domain/ids.ts'
import { formatMoney } from '../../../domain/money.ts'
import {
  TRASH_KEPT_MS,
  TRASH_KINDS,
  TRASH_PREFIXES,
  type TrashItem,
  type TrashKind,
} from '../../../domain/owned-data.ts'
import { instant, nullableText, textField, toInstant, integerField } from '../../../http/fields.ts'
import { pageQuery, pageResponse, presentPage } from '../../../http/pagination.ts'
import type { Erased } from '../../../platform/owned-data/owned-data.ts'

const kind = z
  .enum(TRASH_KINDS)
  .openapi({ description: 'Kind of the item.', example: 'transaction' })

export const ListTrashQuery = z.strictObject({ kind: kind.optional(), ...pageQuery() })

const ANY_ID = addressPattern(...Object.values(TRASH_PREFIXES))

export const trashPath = z.object({
  kind,
  id: z.string().regex(ANY_ID, 'must be the id of the item').openapi({
    description: 'Id of the deleted item.',
    example: 'txn_01k9v3q8m5t0w2x4y6z8a1b3d5',
  }),
})

const TrashItemResponse = z
  .object({
    kind,
    id: textField(
      'Id of the item, which it keeps after it is restored.',
      'txn_01k9v3q8m5t0w2x4y6z8a1b3d5',
    ),
    name: textField(
      'Name of the item; for a transaction or transfer, its description.',
      'Groceries',
    ),
    deletedAt: instant('Time at which the item was deleted.'),
    purgeAt: instant('Time at which the item will be erased permanently.'),
    accountId: nullableText(
      'Account of the item; for a transfer, the account that the money left.',
      'acc_01k9v3q8m5t0w2x4y6z8a1b3c5',
    ),
    date: nullableText('Booking date of a transaction or transfer.', '2026-11-20'),
    amount: nullableText(
      'Effect on the account `accountId`; for an account, its balance.',
      '-12.30',
    ),
    currency: nullableText('Currency of `amount`.', 'EUR'),
    transactionCount: z.number().int().nullable().openapi({
      description: 'Number of items that are restored with an account.',
      example: null,
    }),
    version: integerField('Version of the item while it is in the trash; see If-Match.', 2),
  })
  .openapi('TrashItemResponse')

export const TrashResponse = pageResponse(
  'items',
  TrashItemResponse,
  'One page of items, most recently deleted first.',
).openapi('TrashResponse')

export const presentItem = ({ amountMinor, deletedAt, ...item }: TrashItem) => ({
  kind: item.kind,
  id: item.id,
  name: item.name,
  deletedAt: toInstant(deletedAt),
  purgeAt: toInstant(deletedAt + TRASH_KEPT_MS),
  accountId: item.accountId,
  date: item.date,
  amount:
    amountMinor === null || item.currency === null ? null : formatMoney(amountMinor, item.currency),
  currency: item.currency,
  transactionCount: item.transactionCount,
  version: item.version,
})

export const presentTrash = presentPage('items', presentItem)

export const presentRestored = (kind: TrashKind) => ({ message: `The ${kind} was restored.` })

export const presentErased = ({ isDone }: Erased) => ({
  message: isDone
    ? 'The item was erased permanently.'
    : 'The item was removed from the trash and is being erased.',
})
