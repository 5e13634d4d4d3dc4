import { z } from '@hono/zod-openapi'
import {
  currency,
  id,
  idInput,
  instant,
  textField,
  presentStamps,
  stamps,
  toInstantOrNull,
  booleanField,
  count,
  nextCursor,
  toInstant,
} from '../../../http/fields.ts'
import { pageQuery, pageResponse, presentPage, type Listed } from '../../../http/pagination.ts'
import { RegisterRequest } from '../auth/auth.public.ts'
import type { AdminUser } from './user-administration.usecases.ts'
import type { ResetCode } from './credentials.usecases.ts'

const { email, name } = RegisterRequest.shape

const userStatus = z.enum(['active', 'disabled', 'deleted']).openapi({
  description: 'State of the user. Only active users can sign in; deleted users wait to be erased.',
  example: 'active',
})

export const ListUsersQuery = z.strictObject({
  ...pageQuery(),
  search: z.string().trim().min(1).max(254).optional().openapi({
    description: 'Only users whose e-mail address or name contains this text, ignoring case.',
    example: 'ada',
  }),
  status: userStatus.optional().openapi({ description: 'Only users in this state.' }),
  roleId: idInput('rol', 'Only users who have this role.').optional(),
})

export const UpdateUserRequest = z
  .strictObject({
    name: name.optional(),
    email: email.optional(),
    status: z.enum(['active', 'disabled']).optional().openapi({
      description:
        'New state of the user. Disabling ends all sessions. To delete a user, use DELETE.',
      example: 'disabled',
    }),
    emailVerified: z.boolean().optional().openapi({
      description:
        'Whether the address counts as confirmed. By default a new address is unconfirmed and is mailed a code.',
      example: true,
    }),
  })
  .openapi('UpdateUserRequest')

export const AdminUserResponse = z
  .object({
    id: id('usr', 'Id of the user.'),
    email: textField('The e-mail address.', 'ada@example.com'),
    name: textField('Name by which to address the user.', 'Ada'),
    status: userStatus,
    roles: z
      .array(
        z.object({
          id: id('rol', 'Id of the role.'),
          name: textField('Name of the role.', 'user'),
        }),
      )
      .openapi({ description: 'Roles of the user.' }),
    emailVerified: booleanField('Whether the address is confirmed.', true),
    mfaEnabled: booleanField('Whether a second factor is on.', false),
    hasPassword: booleanField('Whether the user can sign in with a password.', true),
    lastUsedAt: instant(
      'Time at which a session of the user last got tokens; null if none ever did.',
    ).nullable(),
    deletionDueAt: instant(
      'Time at which the user and all their data are erased; null unless the deletion was requested.',
    )
      .nullable()
      .openapi({ example: null }),
    baseCurrency: currency('Base currency of the user.'),
    locale: textField('BCP 47 language tag.', 'en-IE'),
    timeZone: textField('IANA time zone.', 'Europe/Dublin'),
    ...stamps,
  })
  .openapi('AdminUserResponse')

export const UsersResponse = pageResponse(
  'users',
  AdminUserResponse,
  'One page of the list, newest first.',
).openapi('UsersResponse')

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

export const presentUsers = presentPage('users', presentAdminUser)

export const roleIds = z
  .array(idInput('rol', 'Id of a role.'))
  .max(100)
  .openapi({
    description:
      'Complete list of the roles. Only roles whose permissions the caller holds can be added.',
    example: ['rol_user'],
  })

export const SetUserRolesRequest = z.strictObject({ roleIds }).openapi('SetUserRolesRequest')

export const ListRoleUsersQuery = z.strictObject(pageQuery())

export const RoleUsersResponse = z
  .object({
    users: z
      .array(
        z.object({
          id: id('usr', 'Id of the user.'),
          email: textField('The e-mail address.', 'ada@example.com'),
          name: textField('Name by which to address the user.', 'Ada'),
          status: userStatus,
        }),
      )
      .openapi({ description: 'One page of the list, newest first.' }),
    count,
    nextCursor,
  })
  .openapi('RoleUsersResponse')

export const presentHolders = ({
  rows,
  count,
  nextCursor,
}: Listed<AdminUser>): z.infer<typeof RoleUsersResponse> => ({
  users: rows.map(({ id, email, name, status }) => ({ id, email, name, status })),
  count,
  nextCursor,
})

export const ResetUserPasswordRequest = z
  .strictObject({
    delivery: z.enum(['mail', 'reveal']).openapi({
      description:
        '`mail` mails the user a code that works for an hour. `reveal` shows the caller a code that works for a day, and sends no mail.',
      example: 'mail',
    }),
  })
  .openapi('ResetUserPasswordRequest')

export const PasswordResetResponse = z
  .object({
    token: z.string().nullable().openapi({
      description:
        'Code for POST /auth/password/reset, which is shown only once; null if it was mailed.',
      example: null,
    }),
    expiresAt: instant('Time at which the code expires.'),
  })
  .openapi('PasswordResetResponse')

export const presentCredentialReset = ({
  token,
  expiresAt,
}: ResetCode): z.infer<typeof PasswordResetResponse> => ({
  token,
  expiresAt: toInstant(expiresAt),
})
