import { z } from '@hono/zod-openapi'
import { count, id, instant, output } from '../../../http/fields.ts'

export const IdentityResponse = z
  .object({
    id: id('ext', 'Id of the link.'),
    issuer: output('Who says so.', 'https://login.example.com'),
    subject: output('Who the user is there.', '248289761001'),
    createdAt: instant('When it was linked.'),
  })
  .openapi('IdentityResponse')

export const ListIdentitiesResponse = z
  .object({
    identities: z
      .array(IdentityResponse)
      .openapi({ description: 'By which the user can sign in, oldest first.' }),
    count,
  })
  .openapi('ListIdentitiesResponse')

export const LinkIdentityRequest = z
  .strictObject({
    code: z.string().min(1).max(200).openapi({
      description: 'What the sign-in with an identity provider gave, not used before.',
      example: 'sic_…',
    }),
  })
  .openapi('LinkIdentityRequest')
