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
          'Kinds of data to erase. Transactions include transfers; accounts include transactions and history.',
        example: ['transactions', 'categories'],
      }),
    ...proof,
  })
  .openapi('WipeDataRequest')

export const WipeResponse = z
  .object({
    kinds: kinds.openapi({
      description: 'Kinds of data that are erased.',
      example: ['transactions'],
    }),
    requestedAt: instant('Time of the request. Data that was created later is kept.'),
    dueAt: instant('Time at which the data is erased. Until then the wipe can be undone.'),
  })
  .openapi('WipeResponse')

export const presentWipe = ({ kinds, requestedAt, dueAt }: Wipe): z.infer<typeof WipeResponse> => ({
  kinds,
  requestedAt: toInstant(requestedAt),
  dueAt: toInstant(dueAt),
})
