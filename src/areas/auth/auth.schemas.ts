import { z } from '@hono/zod-openapi'
import { isTimeZone } from '../../domain/calendar.ts'
import { PERMISSION_KEYS, SCOPES } from '../../domain/permissions.ts'
import {
  currency,
  currencyInput,
  emailInput,
  id,
  instant,
  nameInput,
  output,
  stamps,
  whole,
  yes,
} from '../../http/fields.ts'

export const email = emailInput('The e-mail address.')

export const password = z.string().max(1024).openapi({
  description: 'The password; 15 to 128 characters when it is set, 8 or more with a second factor.',
  example: 'long enough to be only mine',
})

/** What users say of themselves, and change later. */
export const profileFields = {
  name: nameInput(100, 'How to address the user.', 'Ada'),
  baseCurrency: currencyInput('The currency the user thinks in.'),
  locale: z
    .string()
    .max(35)
    .refine(isLocale, 'Not a BCP 47 language tag')
    .openapi({ description: 'BCP 47 language tag.', example: 'en-IE' }),
  timeZone: z.string().max(64).refine(isTimeZone, 'Not an IANA time zone').openapi({
    description: 'IANA time zone; decides what day it is.',
    example: 'Europe/Dublin',
  }),
}

export const RegisterRequest = z
  .strictObject({
    email,
    password,
    name: profileFields.name,
    inviteCode: z
      .string()
      .min(1)
      .max(100)
      .optional()
      .openapi({ description: 'Needed where registration is by invitation.', example: 'inv_…' }),
    baseCurrency: profileFields.baseCurrency.default('EUR'),
    locale: profileFields.locale.default('en'),
    timeZone: profileFields.timeZone.default('UTC'),
  })
  .openapi('RegisterRequest')

export const LoginRequest = z.strictObject({ email, password }).openapi('LoginRequest')

export const RefreshTokenRequest = z
  .strictObject({
    refreshToken: z
      .string()
      .min(1)
      .max(200)
      .openapi({ description: 'The last refresh token, not used before.', example: 'rft_…' }),
  })
  .openapi('RefreshTokenRequest')

export const UserResponse = z
  .object({
    id: id('usr', 'Id of the user.'),
    email: output('The e-mail address.', 'ada@example.com'),
    name: output('How to address the user.', 'Ada'),
    baseCurrency: currency('The currency the user thinks in.'),
    locale: output('BCP 47 language tag.', 'en-IE'),
    timeZone: output('IANA time zone.', 'Europe/Dublin'),
    roles: z
      .array(z.object({ id: id('rol', 'Id of the role.'), name: output('Its name.', 'user') }))
      .openapi({ description: 'The roles the user has.' }),
    permissions: z
      .array(z.enum(PERMISSION_KEYS))
      .openapi({ description: 'All that the roles permit.', example: ['accounts.read'] }),
    emailVerified: yes('Whether the address was confirmed.', false),
    mfaEnabled: yes('Whether a second factor is on.', false),
    ...stamps,
  })
  .openapi('UserResponse')

export const MeResponse = UserResponse.extend({
  token: z
    .object({
      id: id('tok', 'Id of the personal access token.'),
      name: output('What it is for.', 'Spreadsheet'),
      scopes: z
        .array(z.enum(SCOPES))
        .openapi({ description: 'What it may do, as far as its owner may.', example: ['read'] }),
      accountIds: z.array(z.string()).nullable().openapi({
        description: 'The accounts that it is restricted to; null for all that its owner sees.',
        example: null,
      }),
      expiresAt: instant('When it stops working; null when only revoking it ends it.').nullable(),
    })
    .nullable()
    .openapi({
      description: 'The personal access token of this request; null when a person signed in.',
    }),
}).openapi('MeResponse')

export const TokenResponse = z
  .object({
    accessToken: output('Send it as `Authorization: Bearer …`.', 'eyJhbGciOiJFZERTQSIs…'),
    tokenType: z.literal('Bearer').openapi({ description: 'How to send it.', example: 'Bearer' }),
    expiresIn: whole('Seconds the access token is good for.', 900),
    refreshToken: output('Good for one call of POST /auth/refresh-token.', 'rft_…'),
    refreshExpiresIn: whole('Seconds the refresh token is good for if it is not used.', 2592000),
    user: UserResponse,
  })
  .openapi('TokenResponse')

export const MfaChallengeResponse = z
  .object({
    mfaRequired: z.literal(true).openapi({
      description: 'Who you are is known so far, and a second factor is on.',
      example: true,
    }),
    mfaToken: output(
      'Send it with a code to POST /auth/v2/login/mfa: five minutes, five tries.',
      'mft_…',
    ),
    methods: z.array(z.enum(['totp', 'recoveryCode'])).openapi({
      description: 'What kinds of code are taken.',
      example: ['totp', 'recoveryCode'],
    }),
  })
  .openapi('MfaChallengeResponse')

function isLocale(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1
  } catch {
    return false
  }
}
