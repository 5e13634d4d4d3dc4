import { z } from '@hono/zod-openapi'
import { TRASH_KEPT_MS, TRASH_KINDS, type TrashKind } from '../domain/owned-data.ts'
import type { Context } from '../platform/context.ts'
import { instant, MessageResponse, textField, toInstant } from './fields.ts'

const place = z.object({
  kind: z
    .enum(TRASH_KINDS)
    .openapi({ description: 'Kind of the item in the trash.', example: 'transaction' }),
  id: textField('Id of the item, which stays the same.', 'txn_01k9v3q8m5t0w2x4y6z8a1b3c5'),
  purgeAt: instant('Time at which the item is erased for good. Until then it can be restored.'),
  restore: textField(
    'Path to which a POST restores the item.',
    '/trash/transaction/txn_01k9v3q8m5t0w2x4y6z8a1b3c5/restore',
  ),
})

/** The answer to a deletion, with the path at which the item can be restored. */
export const TrashedResponse = MessageResponse.extend({
  trash: place.nullable().openapi({
    description:
      'Path of the item in the caller’s trash; null if it is in the trash of another owner.',
  }),
}).openapi('TrashedResponse')

/** @param isOwn whether it is in the caller's trash: what is deleted on an account of others goes to their owner's */
export const presentTrashed = (
  { now }: Pick<Context, 'now'>,
  { kind, id, isOwn = true }: { kind: TrashKind; id: string; isOwn?: boolean },
  message: string,
): z.infer<typeof TrashedResponse> => ({
  message,
  trash: isOwn
    ? { kind, id, purgeAt: toInstant(now + TRASH_KEPT_MS), restore: `/trash/${kind}/${id}/restore` }
    : null,
})
