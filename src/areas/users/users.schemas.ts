import { z } from '@hono/zod-openapi'
import {
  count,
  currency,
  id,
  idInput,
  instant,
  nextCursor,
  output,
  stamps,
  yes,
} from '../../http/fields.ts'
import { pageQuery } from '../../http/pagination.ts'
import { RegisterRequest } from '../auth/auth.public.ts'

const { email, name } = RegisterRequest.shape

export const userStatus = z.enum(['active', 'disabled', 'deleted']).openapi({
  description: 'Only an active user signs in; a deleted one waits to be erased.',
  example: 'active',
})

export const ListUsersQuery = z.strictObject({
  ...pageQuery(),
  search: z.string().trim().min(1).max(254).optional().openapi({
    description: 'Users whose e-mail address or name contains this, in any case',
    example: 'ada',
  }),
  status: userStatus.optional().openapi({ description: 'Users in this state' }),
  roleId: idInput('rol', 'Users who have this role').optional(),
})

export const UpdateUserRequest = z
  .strictObject({
    name: name.optional(),
    email: email.optional(),
    status: z.enum(['active', 'disabled']).optional().openapi({
      description: 'Disabling ends all sessions. For `deleted` see DELETE.',
      example: 'disabled',
    }),
    emailVerified: z.boolean().optional().openapi({
      description:
        'Whether the address counts as confirmed. Left out, another address is unconfirmed, and is mailed a code.',
      example: true,
    }),
  })
  .openapi('UpdateUserRequest')

export const AdminUserResponse = z
  .object({
    id: id('usr', 'Id of the user.'),
    email: output('The e-mail address.', 'ada@example.com'),
    name: output('How to address the user.', 'Ada'),
    status: userStatus,
    roles: z
      .array(z.object({ id: id('rol', 'Id of the role.'), name: output('Its name.', 'user') }))
      .openapi({ description: 'The roles the user has.' }),
    emailVerified: yes('Whether the address is confirmed.', true),
    mfaEnabled: yes('Whether a second factor is on.', false),
    hasPassword: yes('Whether the user can sign in with a password.', true),
    lastUsedAt: instant(
      'When a session of the user last got tokens; null when none ever did.',
    ).nullable(),
    deletionDueAt: instant(
      'When the user and all its data is erased; null unless that was asked for.',
    )
      .nullable()
      .openapi({ example: null }),
    baseCurrency: currency('The currency the user thinks in.'),
    locale: output('BCP 47 language tag.', 'en-IE'),
    timeZone: output('IANA time zone.', 'Europe/Dublin'),
    ...stamps,
  })
  .openapi('AdminUserResponse')

export const ListUsersResponse = z
  .object({
    users: z.array(AdminUserResponse).openapi({ description: 'One page, newest first.' }),
    count,
    nextCursor,
  })
  .openapi('ListUsersResponse')
