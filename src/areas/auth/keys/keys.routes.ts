import { settingsOf } from '../../../env.ts'
import { defineRoute, json, newArea } from '../../../http/route.ts'
import { publicKeysOf } from '../../../platform/tokens.ts'
import { JwkSetResponse } from './keys.schemas.ts'

export const keyRoutes = newArea()

export const getJwks = defineRoute('public', {
  method: 'get',
  path: '/.well-known/jwks.json',
  operationId: 'getJwks',
  summary: 'The public keys that verify access tokens; may be kept for 5 minutes',
  tags: ['Authentication'],
  responses: { 200: json(JwkSetResponse, 'The keys') },
})
keyRoutes.openapi(getJwks, (c) => {
  c.header('Cache-Control', 'public, max-age=300')
  return c.json({ keys: publicKeysOf(settingsOf(c.env).jwtKeys) }, 200)
})
