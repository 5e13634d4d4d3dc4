import { z } from '@hono/zod-openapi'
import { id, textField } from '../../../../http/fields.ts'

export const ProvidersForEmailResponse = z
  .object({
    providers: z
      .array(
        z.object({
          id: id('idp', 'Id of the identity provider.'),
          name: textField('Name of the provider.', 'Example Inc.'),
        }),
      )
      .openapi({ description: 'Providers that sign in users of this e-mail domain.' }),
  })
  .openapi('ProvidersForEmailResponse')

export const ProvidersQuery = z.strictObject({
  email: z.string().min(1).max(254).openapi({
    description: 'The e-mail address. Only its domain matters.',
    example: 'ada@example.com',
  }),
})

export const AuthorizeQuery = z.strictObject({
  redirectUri: z.string().min(1).max(2000).optional().openapi({
    description:
      'URL to which the browser is redirected with the code: on this service or an origin of CORS_ORIGINS. If it is left out, the answer shows the code.',
    example: 'https://app.example.com/signed-in',
  }),
})

const parameter = (description: string) => z.string().max(4096).optional().openapi({ description })

/** Of the query as it came, the protocol's own rules are judged by its library. */
export const CallbackQuery = z.object({
  state: parameter('State with which the browser was sent to the provider.'),
  code: parameter('Code that the provider exchanges for its token.'),
  iss: parameter('Issuer of the provider.'),
  error: parameter('Reason why the provider did not sign in the user.'),
})

const code = 'Code for one call of POST /auth/provider/exchange within 5 minutes.'

export const SignInCodeResponse = z
  .object({ code: textField(code, 'sic_…') })
  .openapi('SignInCodeResponse')

export const ExchangeCodeRequest = z
  .strictObject({
    code: z.string().min(1).max(200).openapi({ description: code, example: 'sic_…' }),
  })
  .openapi('ExchangeCodeRequest')
