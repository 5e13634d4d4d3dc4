import { z } from '@hono/zod-openapi'
import {
  textField,
  toInstant,
  toInstantOrNull,
  integerField,
  booleanField,
} from '../../../../http/fields.ts'
import { must } from '../../../../http/issues.ts'
import { mfaCode, ownPassword } from '../credentials/proof.contract.ts'
import type { Factors } from './mfa.usecases.ts'

export const MfaResponse = z
  .object({
    totp: booleanField('Whether a sign-in asks for a code of the authenticator app.', true),
    totpSince: z
      .string()
      .nullable()
      .openapi({
        description: 'Time at which the second factor was enabled.',
        format: 'date-time',
        example: toInstant(0),
      }),
    recoveryCodesLeft: integerField('Number of recovery codes that were not used yet.', 10),
  })
  .openapi('MfaResponse')

export const BeginTotpRequest = z
  .strictObject({
    password: ownPassword
      .optional()
      .openapi({ description: 'The password of the user, if they have one.' }),
  })
  .openapi('BeginTotpRequest')

export const TotpEnrollmentResponse = z
  .object({
    secret: textField(
      'Base 32 secret to type into the app. It is shown only once.',
      'JBSWY3DPEHPK3PXP',
    ),
    otpauthUri: textField(
      'URI for the QR code. It is shown only once.',
      'otpauth://totp/Coffer%3Aada%40example.com?secret=JBSWY3DPEHPK3PXP&issuer=Coffer',
    ),
  })
  .openapi('TotpEnrollmentResponse')

export const ConfirmTotpRequest = z
  .strictObject({
    code: z
      .string()
      .regex(/^\d{6}$/, 'must be six digits')
      .openapi({ description: 'Code that the app shows now.', example: '492039' }),
  })
  .openapi('ConfirmTotpRequest')

export const ProveIdentityRequest = z
  .strictObject({
    password: ownPassword.optional(),
    code: mfaCode.optional(),
  })
  .refine(
    ({ password, code }) => (password === undefined) !== (code === undefined),
    must('must have either password or code, and not both', 'combination'),
  )
  .openapi('ProveIdentityRequest', { description: 'Either `password` or `code` is required.' })

export const RecoveryCodesResponse = z
  .object({
    recoveryCodes: z.array(z.string()).openapi({
      description:
        'Recovery codes. Each works once in place of a code of the app. They are shown only once.',
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
}): z.infer<typeof TotpEnrollmentResponse> => ({ secret, otpauthUri: uri })

export const presentRecoveryCodes = (
  recoveryCodes: string[],
): z.infer<typeof RecoveryCodesResponse> => ({ recoveryCodes })

export const MfaLoginRequest = z
  .strictObject({
    mfaToken: z.string().min(1).max(200).openapi({
      description: 'The `mfaToken` of POST /auth/v2/login or POST /auth/provider/exchange.',
      example: 'mft_…',
    }),
    code: mfaCode,
  })
  .openapi('MfaLoginRequest')
