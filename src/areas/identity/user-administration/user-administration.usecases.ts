import { isSameAddress } from '../../../domain/email.ts'
import { isPowerOverOthers } from '../../../domain/permissions.ts'
import { foldKey } from '../../../domain/text.ts'
import { profileOf, type SignedIn, permissionsToGrant } from '../../../platform/context.ts'
import { commit, read, requireVersion } from '../../../platform/database/database.ts'
import type { Thing } from '../../../platform/log/events.ts'
import { mailTask } from '../../../platform/outbound/mail.ts'
import { cutPage, type Page, type PageRequest } from '../../../platform/database/paging.ts'
import { addressColumns, whenAddressTaken } from '../addresses/addresses.public.ts'
import {
  confirmationFor,
  endSignInsOf,
  forgetAllTokensOf,
  forgetTokensOf,
  updateUserRow,
} from '../auth/auth.public.ts'
import { roleById, roleErrors } from '../roles/roles.public.ts'
import { userErrors } from './user-administration.errors.ts'
import { userEvents } from './user-administration.events.ts'
import {
  countOfUsers,
  mustLeaveAnAdministrator,
  userMustNotBeStronger,
  pageOfUsers,
  userById,
  type UserFilter,
  type UserRow,
  userToDelete,
  mustHoldRoles,
  replaceRoles,
  rolesByIds,
} from './user-administration.queries.ts'
import {
  userAfter,
  covers,
  permissionsOf,
  type SentUser,
  type GrantedRole,
} from './user-administration.rules.ts'

export type AdminUser = UserRow

export async function listUsers(
  ctx: SignedIn,
  filter: UserFilter,
  page: PageRequest,
): Promise<Page<AdminUser>> {
  const [found, [total]] = await read(ctx, pageOfUsers(filter, page), countOfUsers(filter))
  return { ...cutPage(found, page, ({ id }) => [id]), count: total?.count ?? 0 }
}

export async function getUser(ctx: SignedIn, id: string): Promise<AdminUser> {
  const [[user]] = await read(ctx, userById(id))
  return requireFound(user)
}

/** `findUser` for a change. */
export async function findUserToChange(ctx: SignedIn, id: string): Promise<AdminUser> {
  const user = await getUser(ctx, id)
  requireNotStronger(ctx, user)
  return user
}

function requireFound<User>(user: User | undefined): User {
  if (!user) {
    throw userErrors.notFound()
  }
  return user
}

/** Nobody lays hands on a user who has more power over others than they have. */
function requireNotStronger(ctx: SignedIn, user: AdminUser): void {
  const power = permissionsOf(user.roles).filter(isPowerOverOthers)
  if (!covers(profileOf(ctx).permissions, power)) {
    throw userErrors.strongerUser()
  }
}

/** Nobody locks themselves out, and for what needs a proof of who one is there are other ways. */
export function requireOther(ctx: SignedIn, { id }: AdminUser): void {
  if (id === ctx.caller.userId) {
    throw userErrors.ownUser()
  }
}

export async function updateUser(ctx: SignedIn, id: string, sent: SentUser): Promise<AdminUser> {
  const user = await findUserToChange(ctx, id)
  requireVersion(ctx, user.version)
  const wasVerified = user.emailVerifiedAt !== null
  const content = userAfter({ ...user, emailVerified: wasVerified }, sent)
  const { name, email, status, emailVerified } = content
  if (user.status === 'deleted' && status !== 'deleted') {
    throw userErrors.deleted({ field: 'status' })
  }
  const isDisabled = user.status === 'active' && status === 'disabled'
  const isMoved = !isSameAddress(user.email, email)
  // A password is set by a mail to the address, so another one of one's own is for the password to prove.
  if (isDisabled || isMoved || emailVerified !== wasVerified) {
    requireOther(ctx, user)
  }
  const confirmation =
    isMoved && !emailVerified ? await confirmationFor(ctx, { userId: id, email }) : undefined
  const notice = { template: 'addressMoved', values: { at: ctx.now } } as const
  const verifiedAt = (isMoved ? null : user.emailVerifiedAt) ?? ctx.now
  const changed = { name, email, status, emailVerifiedAt: emailVerified ? verifiedAt : null }
  const after = { ...user, ...changed, ...nextStamps(ctx, user) }
  return commit(ctx, {
    changes: [
      {
        statements: [
          userMustNotBeStronger(ctx, id),
          ...(isDisabled
            ? [
                mustLeaveAnAdministrator(id, userErrors.lastAdministrator),
                ...endSignInsOf(ctx, id),
                forgetTokensOf(id, 'emailChange'),
              ]
            : []),
          ...(isMoved ? [forgetAllTokensOf(id)] : []),
          ...updateUserRow(ctx, user, {
            ...changed,
            ...addressColumns(email),
            nameKey: foldKey(name),
          }),
          ...(confirmation?.writes ?? []),
        ],
        events: [userEvents.updated(own(after), { before: user, after })],
      },
    ],
    tasks: [
      ...(confirmation ? [confirmation.task] : []),
      ...(isMoved ? [await mailTask(ctx, { ...notice, to: user.email })] : []),
    ],
    result: after,
    conflicts: whenAddressTaken(() => userErrors.emailTaken({ field: 'email' })),
  })
}

/** The user as the thing of an event that is theirs, whoever acts. */
export const own = ({ id, version }: Pick<AdminUser, 'id' | 'version'>): Thing => ({
  id,
  ownerId: id,
  version,
})

export const nextStamps = (ctx: SignedIn, { version }: AdminUser) => ({
  version: version + 1,
  updatedAt: ctx.now,
})

const DAY_MS = 24 * 60 * 60 * 1000

/** Lets the user in no more, and has it erased after the time of grace that administrators set. */
export async function deleteUser(ctx: SignedIn, id: string): Promise<AdminUser> {
  const [[row]] = await read(ctx, userToDelete(ctx, id))
  const { graceDays, ...user } = requireFound(row)
  requireNotStronger(ctx, user)
  requireVersion(ctx, user.version)
  requireOther(ctx, user)
  if (user.status === 'deleted') {
    throw userErrors.deleted()
  }
  const deletionDueAt = ctx.now + graceDays * DAY_MS
  const changed = { status: 'deleted' as const, deletionDueAt }
  const after = { ...user, ...changed, ...nextStamps(ctx, user) }
  return commit(ctx, {
    changes: [
      {
        statements: [
          userMustNotBeStronger(ctx, id),
          mustLeaveAnAdministrator(id, userErrors.lastAdministrator),
          ...endSignInsOf(ctx, id),
          ...updateUserRow(ctx, user, changed),
        ],
        events: [userEvents.deleted(own(after), { before: user, after })],
      },
    ],
    result: after,
  })
}

/** Takes a deletion back, whoever asked for it. */
export async function restoreUser(ctx: SignedIn, id: string): Promise<AdminUser> {
  const user = await findUserToChange(ctx, id)
  if (user.deletionDueAt === null) {
    throw userErrors.notDeleted()
  }
  if (user.deletionDueAt <= ctx.now) {
    throw userErrors.beingErased()
  }
  const status = user.status === 'deleted' ? ('active' as const) : user.status
  const changed = { status, deletionDueAt: null }
  const after = { ...user, ...changed, ...nextStamps(ctx, user) }
  return commit(ctx, {
    changes: [
      {
        statements: [userMustNotBeStronger(ctx, id), ...updateUserRow(ctx, user, changed)],
        events: [userEvents.restored(own(after), { before: user, after })],
      },
    ],
    result: after,
  })
}

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
  requireKnownRoles(roles, wanted)
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
export function requireKnownRoles(roles: GrantedRole[], wanted: string[]): void {
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

/** Lists the users who have a role. */
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
