import { z } from '@hono/zod-openapi'
import { count, id, idInput, nextCursor, textField } from '../../../../http/fields.ts'
import { type Listed, pageQuery } from '../../../../http/pagination.ts'
import { userStatus } from '../user-administration.contract.ts'
import type { AdminUser } from '../user-administration.usecases.ts'

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
