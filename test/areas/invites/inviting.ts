import { register } from '../../../src/areas/identity/auth/auth.routes.ts'
import {
  createInviteCode,
  createInviteCodes,
  validateInviteCode,
} from '../../../src/areas/identity/invites/invites.routes.ts'
import type { Permission } from '../../../src/domain/permissions.ts'
import { ok, type Principal, rows } from '../../support/api.ts'
import { type Service, serviceWith } from '../../support/service.ts'
import { newHolder } from '../roles/holders.ts'

export const DAY = 24 * 60 * 60 * 1000

export const inDays = (days: number) => new Date(Date.now() + days * DAY).toISOString()

export const newInvite = (
  as: Principal,
  json: { maxUses?: number; expiresAt?: string; roleId?: string; note?: string } = {},
) => ok(createInviteCode, { as, json })

/** The first of new codes of an administrator. */
export async function newAdminInvite(
  as: Principal,
  json: { maxUses?: number; roleId?: string } = {},
) {
  const { inviteCodes } = await ok(createInviteCodes, { as, json })
  const [invite] = inviteCodes
  if (!invite) {
    throw new Error('no code was made')
  }
  return invite
}

export const person = (changed: Record<string, unknown> = {}) => ({
  email: `guest-${crypto.randomUUID()}@coffer.test`,
  password: 'seven green bottles',
  name: 'Grace',
  ...changed,
})

const usual = serviceWith({})

interface Joined {
  user: { id: string; roles: { id: string }[]; permissions: Permission[] }
  accessToken: string
}

export const join = (inviteCode: string, service: Service = usual) =>
  service.call<Joined>(register, { json: person({ inviteCode }) })

export const validate = (code: string, service: Service = usual) =>
  service.call<{ usable: boolean }>(validateInviteCode, { json: { code } })

/** Whether a code works, which asking and registering must agree on. */
export async function works(code: string, service: Service = usual): Promise<boolean> {
  const { body } = await validate(code, service)
  const { status, error } = await join(code, service)
  const registered = status === 201
  if (registered !== body.usable || (!registered && error.code !== 'auth.invalidInvite')) {
    throw new Error(`asked: ${body.usable}, registered: ${status} ${error.code}`)
  }
  return registered
}

/** Somebody who can grant the role: it permits what they are permitted by it. */
export async function issuerWithRole(permissions: Permission[]) {
  const { roleId, ...issuer } = await newHolder(permissions)
  return { issuer, roleId }
}

export const takeRoles = (userId: string, system: 'admin' | null) =>
  rows(
    'DELETE FROM user_roles WHERE user_id = ? AND role_id IN (SELECT id FROM roles WHERE system IS ?)',
    userId,
    system,
  )

export const logOf = (inviteId: string) =>
  rows<{ type: string; actor_id: string; owner_id: string; content: string }>(
    "SELECT type, actor_id, owner_id, content FROM log_entries WHERE resource_type = 'inviteCode' AND resource_id = ? ORDER BY number",
    inviteId,
  )
