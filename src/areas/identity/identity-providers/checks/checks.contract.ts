import { z } from '@hono/zod-openapi'
import { textField, booleanField } from '../../../../http/fields.ts'
import { CHECKS } from './checks.rules.ts'
import type { ProviderTest } from './checks.usecases.ts'

const CheckResponse = z
  .object({
    name: z.enum(CHECKS).openapi({ description: 'Name of the check.', example: 'discovery' }),
    ok: booleanField('Whether the check passed.', true),
    detail: textField('Readable result of the check.', 'It describes itself as the issuer.'),
  })
  .openapi('IdentityProviderCheckResponse')

export const IdentityProviderTestResponse = z
  .object({
    ok: booleanField('Whether all checks passed.', true),
    checks: z
      .array(CheckResponse)
      .openapi({ description: 'All checks, always in the same order.' }),
    redirectUri: textField(
      'The redirect URI to register at the provider.',
      'https://coffer.example.com/auth/provider/idp_01k9v3q8m5t0w2x4y6z8a1b3c5/callback',
    ),
  })
  .openapi('IdentityProviderTestResponse')

export const presentTest = ({
  ok,
  checks,
  redirectUri,
}: ProviderTest): z.infer<typeof IdentityProviderTestResponse> => ({ ok, checks, redirectUri })
