import { permissionsToGrant, type SignedIn } from '../../../platform/context.ts'
import { commit, read, requireVersion } from '../../../platform/database/database.ts'
import { cutPage, type Page, type PageRequest } from '../../../platform/database/paging.ts'
import { updateUserRow } from '../auth/auth.public.ts'
import { roleById, roleErrors } from '../roles/roles.public.ts'
import { userErrors } from './user-administration.errors.ts'
import { userEvents } from './user-administration.events.ts'
import {
  countOfUsers,
  mustHoldRoles,
  mustLeaveAnAdministrator,
  userMustNotBeStronger,
  pageOfUsers,
  replaceRoles,
  rolesByIds,
  userById,
} from './user-administration.queries.ts'
import { covers, type GrantedRole, permissionsOf } from './user-administration.rules.ts'
import {
  type AdminUser,
  nextStamps,
  own,
  requireFound,
  requireNotStronger,
} from './user-administration.usecases.ts'

/** Makes these the roles of a user, and no others. */
export async function setUserRoles(
  ctx: SignedIn,
  id: string,
  wanted: string[],
): Promise<AdminUser> {
  const [[row], roles] = await read(ctx, userById(id), rolesByIds(wanted))
  const user = requireFound(row)
  requireNotStronger(ctx, user)
  requireVersion(ctx, user.version)
  requireKnown(roles, wanted)
  const added = roles.filter((role) => !user.roles.some((held) => held.id === role.id))
  requireHeld(ctx, added)
  const after = { ...user, roles, ...nextStamps(ctx, user) }
  return commit(ctx, {
    changes: [
      {
        statements: [
          userMustNotBeStronger(ctx, id),
          mustHoldRoles(ctx, idsOf(added)),
          ...(roles.some(({ system }) => system === 'admin')
            ? []
            : [mustLeaveAnAdministrator(id, userErrors.lastAdministrator)]),
          ...updateUserRow(ctx, user, {}),
          ...replaceRoles(id, idsOf(roles)),
        ],
        events: [
          userEvents.rolesChanged(own(after), {
            before: { roleIds: idsOf(user.roles) },
            after: { roleIds: idsOf(roles) },
          }),
        ],
      },
    ],
    result: after,
  })
}

const idsOf = (roles: GrantedRole[]) => roles.map(({ id }) => id)

/** @param wanted their ids, as they were sent */
export function requireKnown(roles: GrantedRole[], wanted: string[]): void {
  const unknown = wanted.findIndex((id) => !roles.some((role) => role.id === id))
  if (unknown !== -1) {
    throw userErrors.unknownRole({ field: `roleIds.${unknown}` })
  }
}

/** So that nobody makes anybody stronger than themselves. */
export function requireHeld(ctx: SignedIn, granted: GrantedRole[]): void {
  if (!covers(permissionsToGrant(ctx), permissionsOf(granted))) {
    throw userErrors.permissionNotHeld({ field: 'roleIds' })
  }
}

/** Who has a role. */
export async function listRoleUsers(
  ctx: SignedIn,
  roleId: string,
  page: PageRequest,
): Promise<Page<AdminUser>> {
  const [[role], found, [total]] = await read(
    ctx,
    roleById(roleId),
    pageOfUsers({ roleId }, page),
    countOfUsers({ roleId }),
  )
  if (!role) {
    throw roleErrors.notFound()
  }
  return { ...cutPage(found, page, ({ id }) => [id]), count: total?.count ?? 0 }
}
