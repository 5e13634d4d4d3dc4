import { z } from '@hono/zod-openapi'
import { id, textField } from '../../../../http/fields.ts'

export const ProvidersForEmailResponse = z
  .object({
    providers: z
      .array(
        z.object({
          id: id('idp', 'Id of the identity provider.'),
          name: textField('Its name.', 'Example Inc.'),
        }),
      )
      .openapi({ description: 'Who can sign in users of this e-mail domain.' }),
  })
  .openapi('ProvidersForEmailResponse')

export const ProvidersQuery = z.object({
  email: z
    .string()
    .min(1)
    .max(254)
    .openapi({ description: 'The e-mail address; its domain counts', example: 'ada@example.com' }),
})

export const AuthorizeQuery = z.strictObject({
  redirectUri: z.string().min(1).max(2000).optional().openapi({
    description:
      'Where the browser goes with the code at the end: to this service or an origin of CORS_ORIGINS. Without it, the code is the answer',
    example: 'https://app.example.com/signed-in',
  }),
})

const parameter = (description: string) => z.string().max(4096).optional().openapi({ description })

/** Of the query as it came, the protocol's own rules are judged by its library. */
export const CallbackQuery = z.object({
  state: parameter('What the provider was sent with'),
  code: parameter('What the provider swaps for its token'),
  iss: parameter('Who the provider is'),
  error: parameter('Why the provider did not sign in'),
})

const code = 'Good for one call of POST /auth/provider/exchange within 5 minutes.'

export const SignInCodeResponse = z
  .object({ code: textField(code, 'sic_…') })
  .openapi('SignInCodeResponse')

export const ExchangeCodeRequest = z
  .strictObject({
    code: z.string().min(1).max(200).openapi({ description: code, example: 'sic_…' }),
  })
  .openapi('ExchangeCodeRequest')
