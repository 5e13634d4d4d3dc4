import { z } from '@hono/zod-openapi'
import { textField } from '../../../../http/fields.ts'

export const JwkSetResponse = z
  .object({
    keys: z
      .array(
        z.object({
          kty: z.literal('OKP').openapi({ description: 'Octet key pair.', example: 'OKP' }),
          crv: z.literal('Ed25519').openapi({ description: 'The curve.', example: 'Ed25519' }),
          x: textField('The public key, base64url.', '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo'),
          kid: textField('The `kid` in the header of the tokens that it verifies.', 'q8Yx0dTn'),
          alg: z.literal('EdDSA').openapi({ description: 'The algorithm.', example: 'EdDSA' }),
          use: z
            .literal('sig')
            .openapi({ description: 'The key is used for signatures only.', example: 'sig' }),
        }),
      )
      .openapi({ description: 'The first key signs new tokens; all keys verify tokens.' }),
  })
  .openapi('JwkSetResponse')
