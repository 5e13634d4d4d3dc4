import { settingsOf } from '../../../../env.ts'
import { json, operation } from '../../../../http/route.ts'
import { publicKeysOf } from '../../../../platform/tokens.ts'
import { JwkSetResponse } from './keys.contract.ts'

export const getJwks = operation(
  {
    access: 'public',
    on: 'GET /.well-known/jwks.json',
    summary: 'Get the public keys of access tokens',
    responses: { 200: json(JwkSetResponse, 'The keys') },
  },
  (c) => {
    c.header('Cache-Control', 'public, max-age=300')
    return c.json({ keys: publicKeysOf(settingsOf(c.env).jwtKeys) }, 200)
  },
)
