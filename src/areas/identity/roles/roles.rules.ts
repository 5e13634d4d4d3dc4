import { type Permission, PERMISSION_KEYS } from '../../../domain/permissions.ts'

/** The fields of a role that can be chosen. */
export interface RoleContent {
  name: string
  description: string
  permissions: Permission[]
}

/** The fields of a role in a request. */
export type SentContent = { [Field in keyof RoleContent]?: RoleContent[Field] | undefined }

/** Each permission once, in the order of the catalogue. */
export const permissionsInOrder = (permissions: Permission[]): Permission[] =>
  PERMISSION_KEYS.filter((permission) => permissions.includes(permission))

/** Returns the changed role: fields that were not sent stay. */
export const contentAfter = (role: RoleContent, sent: SentContent): RoleContent => ({
  name: sent.name ?? role.name,
  description: sent.description ?? role.description,
  permissions: sent.permissions ? permissionsInOrder(sent.permissions) : role.permissions,
})

/** Returns the permissions that `others` lacks. */
export const without = (permissions: Permission[], others: Permission[]): Permission[] =>
  permissions.filter((permission) => !others.includes(permission))
