import { z } from '@hono/zod-openapi'
import { WIPE_KINDS } from '../../../../domain/owned-data.ts'
import { instant, toInstant } from '../../../../http/fields.ts'
import { proof } from '../own-user.contract.ts'
import type { Wipe } from './wipe.rules.ts'

const kinds = z.array(z.enum(WIPE_KINDS))

export const WipeDataRequest = z
  .strictObject({
    kinds: kinds
      .min(1)
      .max(WIPE_KINDS.length)
      .openapi({
        description:
          'What to erase. Transfers go with transactions, transactions and history with accounts.',
        example: ['transactions', 'categories'],
      }),
    ...proof,
  })
  .openapi('WipeDataRequest')

export const WipeResponse = z
  .object({
    kinds: kinds.openapi({ description: 'What is erased.', example: ['transactions'] }),
    requestedAt: instant('When it was asked for; what came later stays.'),
    dueAt: instant('When it is erased; until then it can be undone.'),
  })
  .openapi('WipeResponse')

export const presentWipe = ({ kinds, requestedAt, dueAt }: Wipe): z.infer<typeof WipeResponse> => ({
  kinds,
  requestedAt: toInstant(requestedAt),
  dueAt: toInstant(dueAt),
})
