import type { z } from '@hono/zod-openapi'
import { toInstant } from '../../../http/fields.ts'
import type { IdentityResponse, ListIdentitiesResponse } from './identities.schemas.ts'
import type { Identity } from './identities.usecases.ts'

export const presentIdentity = (identity: Identity): z.infer<typeof IdentityResponse> => ({
  id: identity.id,
  issuer: identity.issuer,
  subject: identity.subject,
  createdAt: toInstant(identity.createdAt),
})

export const presentIdentities = (
  identities: Identity[],
): z.infer<typeof ListIdentitiesResponse> => ({
  identities: identities.map(presentIdentity),
  count: identities.length,
})
