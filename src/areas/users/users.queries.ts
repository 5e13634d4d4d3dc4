import { sql } from 'drizzle-orm'
import { refuseWhen } from '../../platform/guards.ts'
import type { Statement } from '../../platform/statements.ts'

/** Administrators in office: they can sign in, and are not on their way out. */
const IN_OFFICE = sql.raw(`SELECT u.id FROM users u
  JOIN user_roles ur ON ur.user_id = u.id JOIN roles r ON r.id = ur.role_id
  WHERE r.system = 'admin' AND u.status = 'active' AND u.deletion_due_at IS NULL`)

/**
 * Breaks `conflict` when the user is the last administrator in office. Belongs in front of whatever takes a
 * user out of office: disabling, deleting, demoting.
 */
export const mustLeaveAnAdministrator = (userId: string): Statement =>
  refuseWhen(
    'conflict',
    sql`${userId} IN (${IN_OFFICE}) AND NOT EXISTS (${IN_OFFICE} AND u.id <> ${userId})`,
  )
