import type { z } from '@hono/zod-openapi'
import { toInstantOrNull } from '../../../http/fields.ts'
import type { BeginTotpResponse, MfaResponse, RecoveryCodesResponse } from './mfa.schemas.ts'
import type { Factors } from './mfa.usecases.ts'

export const presentFactors = ({
  totpSince,
  recoveryCodes,
}: Factors): z.infer<typeof MfaResponse> => ({
  totp: totpSince !== null,
  totpSince: toInstantOrNull(totpSince),
  recoveryCodesLeft: recoveryCodes,
})

export const presentSecret = ({
  secret,
  uri,
}: {
  secret: string
  uri: string
}): z.infer<typeof BeginTotpResponse> => ({ secret, otpauthUri: uri })

export const presentRecoveryCodes = (
  recoveryCodes: string[],
): z.infer<typeof RecoveryCodesResponse> => ({ recoveryCodes })
