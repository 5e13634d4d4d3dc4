import { z } from '@hono/zod-openapi'
import {
  count,
  currency,
  id,
  idInput,
  instant,
  nextCursor,
  textField,
  presentStamps,
  stamps,
  toInstantOrNull,
  booleanField,
} from '../../../http/fields.ts'
import { type Listed, pageQuery } from '../../../http/pagination.ts'
import { RegisterRequest } from '../auth/auth.public.ts'
import type { AdminUser } from './user-administration.usecases.ts'

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
    email: textField('The e-mail address.', 'ada@example.com'),
    name: textField('How to address the user.', 'Ada'),
    status: userStatus,
    roles: z
      .array(z.object({ id: id('rol', 'Id of the role.'), name: textField('Its name.', 'user') }))
      .openapi({ description: 'The roles the user has.' }),
    emailVerified: booleanField('Whether the address is confirmed.', true),
    mfaEnabled: booleanField('Whether a second factor is on.', false),
    hasPassword: booleanField('Whether the user can sign in with a password.', true),
    lastUsedAt: instant(
      'When a session of the user last got tokens; null when none ever did.',
    ).nullable(),
    deletionDueAt: instant(
      'When the user and all its data is erased; null unless that was asked for.',
    )
      .nullable()
      .openapi({ example: null }),
    baseCurrency: currency('The currency the user thinks in.'),
    locale: textField('BCP 47 language tag.', 'en-IE'),
    timeZone: textField('IANA time zone.', 'Europe/Dublin'),
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

export const presentAdminUser = (user: AdminUser): z.infer<typeof AdminUserResponse> => ({
  id: user.id,
  email: user.email,
  name: user.name,
  status: user.status,
  roles: user.roles.map(({ id, name }) => ({ id, name })),
  emailVerified: user.emailVerifiedAt !== null,
  mfaEnabled: user.mfaEnabledAt !== null,
  hasPassword: user.hasPassword,
  lastUsedAt: toInstantOrNull(user.lastUsedAt),
  deletionDueAt: toInstantOrNull(user.deletionDueAt),
  baseCurrency: user.baseCurrency,
  locale: user.locale,
  timeZone: user.timeZone,
  ...presentStamps(user),
})

export const presentUsers = ({
  rows,
  count,
  nextCursor,
}: Listed<AdminUser>): z.infer<typeof ListUsersResponse> => ({
  users: rows.map(presentAdminUser),
  count,
  nextCursor,
})
