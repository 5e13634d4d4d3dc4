import { z } from '@hono/zod-openapi'
import { mfaCode } from '../proof/proof.contract.ts'

export const MfaLoginRequest = z
  .strictObject({
    mfaToken: z.string().min(1).max(200).openapi({
      description: 'The `mfaToken` of POST /auth/v2/login or POST /auth/provider/exchange.',
      example: 'mft_…',
    }),
    code: mfaCode,
  })
  .openapi('MfaLoginRequest')
