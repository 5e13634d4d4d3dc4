import { type Permission, PERMISSION_KEYS } from '../../../domain/permissions.ts'

/** What of a role can be chosen. */
export interface RoleContent {
  name: string
  description: string
  permissions: Permission[]
}

/** What was sent of it. */
export type SentContent = { [Field in keyof RoleContent]?: RoleContent[Field] | undefined }

/** Each permission once, in the order of the catalogue. */
export const permissionsInOrder = (permissions: Permission[]): Permission[] =>
  PERMISSION_KEYS.filter((permission) => permissions.includes(permission))

/** What becomes of the role: fields that were not sent stay. */
export const contentAfter = (role: RoleContent, sent: SentContent): RoleContent => ({
  name: sent.name ?? role.name,
  description: sent.description ?? role.description,
  permissions: sent.permissions ? permissionsInOrder(sent.permissions) : role.permissions,
})

/** Those of `permissions` that `others` lacks. */
export const without = (permissions: Permission[], others: Permission[]): Permission[] =>
  permissions.filter((permission) => !others.includes(permission))
