import { z } from '@hono/zod-openapi'
import {
  textField,
  toInstant,
  toInstantOrNull,
  integerField,
  booleanField,
} from '../../../../http/fields.ts'
import { must } from '../../../../http/issues.ts'
import { mfaCode, ownPassword } from '../proof/proof.contract.ts'
import type { Factors } from './mfa.usecases.ts'

export const MfaResponse = z
  .object({
    totp: booleanField('Whether codes of an authenticator app are asked for at sign-in.', true),
    totpSince: z
      .string()
      .nullable()
      .openapi({ description: 'Since when.', format: 'date-time', example: toInstant(0) }),
    recoveryCodesLeft: integerField('How many recovery codes were not used yet.', 10),
  })
  .openapi('MfaResponse')

export const BeginTotpRequest = z
  .strictObject({
    password: ownPassword
      .optional()
      .openapi({ description: 'The password, of a user who has one.' }),
  })
  .openapi('BeginTotpRequest')

export const BeginTotpResponse = z
  .object({
    secret: textField('For typing into the app; base 32. Shown this once.', 'JBSWY3DPEHPK3PXP'),
    otpauthUri: textField(
      'For the QR code. Shown this once.',
      'otpauth://totp/Coffer%3Aada%40example.com?secret=JBSWY3DPEHPK3PXP&issuer=Coffer',
    ),
  })
  .openapi('BeginTotpResponse')

export const ConfirmTotpRequest = z
  .strictObject({
    code: z
      .string()
      .regex(/^\d{6}$/, 'must be six digits')
      .openapi({ description: 'What the app shows now.', example: '492039' }),
  })
  .openapi('ConfirmTotpRequest')

export const ProveIdentityRequest = z
  .strictObject({
    password: ownPassword.optional(),
    code: mfaCode.optional(),
  })
  .refine(
    ({ password, code }) => (password === undefined) !== (code === undefined),
    must('must have either password or code', 'combination'),
  )
  .openapi('ProveIdentityRequest')

export const RecoveryCodesResponse = z
  .object({
    recoveryCodes: z.array(z.string()).openapi({
      description: 'Each signs in once in place of a code of the app. Shown this once.',
      example: ['abcd-efgh-ijkl-mnop-qrst-uvwx'],
    }),
  })
  .openapi('RecoveryCodesResponse')

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
