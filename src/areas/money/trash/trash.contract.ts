import { z } from '@hono/zod-openapi'
import { formatMoney } from '../../../domain/money.ts'
import {
  TRASH_KEPT_MS,
  TRASH_KINDS,
  type TrashItem,
  type TrashKind,
} from '../../../domain/owned-data.ts'
import {
  count,
  instant,
  nullableText,
  nextCursor,
  textField,
  toInstant,
  integerField,
} from '../../../http/fields.ts'
import { type Listed, pageQuery } from '../../../http/pagination.ts'
import type { Erased } from '../../../platform/owned-data.ts'

const kind = z
  .enum(TRASH_KINDS)
  .openapi({ description: 'What kind of thing it is.', example: 'transaction' })

export const ListTrashQuery = z.strictObject({ kind: kind.optional(), ...pageQuery() })

export const trashPath = z.object({
  kind,
  id: z.string().openapi({
    description: 'Id of what was deleted.',
    example: 'txn_01k9v3q8m5t0w2x4y6z8a1b3d5',
  }),
})

const TrashItemResponse = z
  .object({
    kind,
    id: textField('Its id, which it keeps.', 'txn_01k9v3q8m5t0w2x4y6z8a1b3d5'),
    name: textField('Its name; of a transaction or transfer its description.', 'Groceries'),
    deletedAt: instant('When it was deleted.'),
    purgeAt: instant('When it will be erased for good.'),
    accountId: nullableText(
      'The account; of a transfer the one that the money left.',
      'acc_01k9v3q8m5t0w2x4y6z8a1b3c5',
    ),
    date: nullableText('Booking date of a transaction or transfer.', '2026-11-20'),
    amount: nullableText('As seen from `accountId`; of an account its balance.', '-12.30'),
    currency: nullableText('Of `amount`.', 'EUR'),
    transactionCount: z
      .number()
      .int()
      .nullable()
      .openapi({ description: 'What comes back with an account.', example: null }),
    version: integerField('Its version, while it is in the trash; see If-Match.', 2),
  })
  .openapi('TrashItemResponse')

export const ListTrashResponse = z
  .object({
    items: z.array(TrashItemResponse).openapi({ description: 'What was deleted last first.' }),
    count,
    nextCursor,
  })
  .openapi('ListTrashResponse')

export const presentTrash = ({
  rows,
  count,
  nextCursor,
}: Listed<TrashItem>): z.infer<typeof ListTrashResponse> => ({
  items: rows.map(presentItem),
  count,
  nextCursor,
})

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

export const presentRestored = (kind: TrashKind) => ({ message: `The ${kind} was restored.` })

export const presentErased = ({ isDone }: Erased) => ({
  message: isDone ? 'It is gone for good.' : 'It is out of the trash, and being erased.',
})
