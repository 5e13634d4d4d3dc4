import { z } from '@hono/zod-openapi'
import { output, yes } from '../../../http/fields.ts'
import { CHECKS } from './checks.rules.ts'

const CheckResponse = z
  .object({
    name: z.enum(CHECKS).openapi({ description: 'What was looked at.', example: 'discovery' }),
    ok: yes('Whether it is as a sign-in needs it.', true),
    detail: output('What was found, for people.', 'It describes itself as the issuer.'),
  })
  .openapi('IdentityProviderCheckResponse')

export const IdentityProviderTestResponse = z
  .object({
    ok: yes('Whether every check is.', true),
    checks: z.array(CheckResponse).openapi({ description: 'Every check, in the same order.' }),
    redirectUri: output(
      'The redirect URI to register at the provider.',
      'https://coffer.example.com/auth/provider/idp_01k9v3q8m5t0w2x4y6z8a1b3c5/callback',
    ),
  })
  .openapi('IdentityProviderTestResponse')
