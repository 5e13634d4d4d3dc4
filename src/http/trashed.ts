import { z } from '@hono/zod-openapi'
import { TRASH_KEPT_MS, TRASH_KINDS, type TrashKind } from '../domain/owned-data.ts'
import type { Context } from '../platform/context.ts'
import { instant, MessageResponse, textField, toInstant } from './fields.ts'

const place = z.object({
  kind: z
    .enum(TRASH_KINDS)
    .openapi({ description: 'What kind of thing it is there.', example: 'transaction' }),
  id: textField('Its id, which it keeps.', 'txn_01k9v3q8m5t0w2x4y6z8a1b3c5'),
  purgeAt: instant('When it will be erased for good; until then it can be restored.'),
  restore: textField(
    'Where a POST restores it.',
    '/trash/transaction/txn_01k9v3q8m5t0w2x4y6z8a1b3c5/restore',
  ),
})

/** What was deleted, and where it can be restored. */
export const TrashedResponse = MessageResponse.extend({
  trash: place.nullable().openapi({
    description: 'Where it is in the own trash; null where it is in that of its owner.',
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
