import { isSameAddress } from '../../../domain/email.ts'
import { type Permission, permissionsOfRole, type SystemRole } from '../../../domain/permissions.ts'

export type UserStatus = 'active' | 'disabled' | 'deleted'

/** A role that somebody has or is to get. */
export interface GrantedRole {
  id: string
  name: string
  system: SystemRole | null
  /** Permissions of a role that is not a system role. */
  stored: string[]
}

/** All that the roles permit. */
export const permissionsOf = (roles: GrantedRole[]): Permission[] => [
  ...new Set(roles.flatMap(({ system, stored }) => permissionsOfRole(system, stored))),
]

/** True if a user who holds `held` may grant `permissions`, or administer users who have them. */
export const covers = (held: Permission[], permissions: Permission[]): boolean =>
  permissions.every((permission) => held.includes(permission))

/** The fields of a user that an administrator can choose. */
export interface UserContent {
  name: string
  email: string
  status: UserStatus
  emailVerified: boolean
}

/** The fields of a user in a request. */
export type SentUser = { [Field in keyof UserContent]?: UserContent[Field] | undefined }

/** Returns the changed user: fields that were not sent stay, but another address is unconfirmed. */
export function userAfter(user: UserContent, sent: SentUser): UserContent {
  const email = sent.email ?? user.email
  return {
    name: sent.name ?? user.name,
    email,
    status: sent.status ?? user.status,
    emailVerified: sent.emailVerified ?? (user.emailVerified && isSameAddress(email, user.email)),
  }
}
