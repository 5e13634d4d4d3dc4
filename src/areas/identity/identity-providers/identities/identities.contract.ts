import { z } from '@hono/zod-openapi'
import { count, id, instant, textField, toInstant } from '../../../../http/fields.ts'
import type { Identity } from './identities.usecases.ts'

export const IdentityResponse = z
  .object({
    id: id('ext', 'Id of the link.'),
    issuer: textField('Issuer of the identity.', 'https://login.example.com'),
    subject: textField('Id of the user at the issuer.', '248289761001'),
    createdAt: instant('When it was linked.'),
  })
  .openapi('IdentityResponse')

export const IdentitiesResponse = z
  .object({
    identities: z
      .array(IdentityResponse)
      .openapi({ description: 'Identities with which the user can sign in, oldest first.' }),
    count,
  })
  .openapi('IdentitiesResponse')

export const LinkIdentityRequest = z
  .strictObject({
    code: z.string().min(1).max(200).openapi({
      description: 'Unused code from a sign-in with an identity provider.',
      example: 'sic_…',
    }),
  })
  .openapi('LinkIdentityRequest')

export const presentIdentity = (identity: Identity): z.infer<typeof IdentityResponse> => ({
  id: identity.id,
  issuer: identity.issuer,
  subject: identity.subject,
  createdAt: toInstant(identity.createdAt),
})

export const presentIdentities = (identities: Identity[]): z.infer<typeof IdentitiesResponse> => ({
  identities: identities.map(presentIdentity),
  count: identities.length,
})
