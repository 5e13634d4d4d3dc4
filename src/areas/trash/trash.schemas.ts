import { z } from '@hono/zod-openapi'
import { TRASH_KINDS } from '../../domain/owned-data.ts'
import { count, instant, maybe, nextCursor, output, whole } from '../../http/fields.ts'
import { pageQuery } from '../../http/pagination.ts'

const kind = z
  .enum(TRASH_KINDS)
  .openapi({ description: 'What kind of thing it is.', example: 'transaction' })

export const ListTrashQuery = z.strictObject({ kind: kind.optional(), ...pageQuery() })

export const trashPath = z.object({
  kind,
  id: z.string().openapi({
    description: 'Id of what was deleted.',
    example: 'txn_01k9v3q8m5t0w2x4y6z8a1b3c5',
  }),
})

const TrashItemResponse = z
  .object({
    kind,
    id: output('Its id, which it keeps.', 'txn_01k9v3q8m5t0w2x4y6z8a1b3c5'),
    name: output('Its name; of a transaction or transfer its description.', 'Groceries'),
    deletedAt: instant('When it was deleted.'),
    purgeAt: instant('When it will be erased for good.'),
    accountId: maybe(
      'The account; of a transfer the one that the money left.',
      'acc_01k9v3q8m5t0w2x4y6z8a1b3c5',
    ),
    date: maybe('Booking date of a transaction or transfer.', '2026-11-20'),
    amount: maybe('As seen from `accountId`; of an account its balance.', '-12.30'),
    currency: maybe('Of `amount`.', 'EUR'),
    transactionCount: z
      .number()
      .int()
      .nullable()
      .openapi({ description: 'What comes back with an account.', example: null }),
    version: whole('Its version, while it is in the trash; see If-Match.', 2),
  })
  .openapi('TrashItemResponse')

export const ListTrashResponse = z
  .object({
    items: z.array(TrashItemResponse).openapi({ description: 'What was deleted last first.' }),
    count,
    nextCursor,
  })
  .openapi('ListTrashResponse')
