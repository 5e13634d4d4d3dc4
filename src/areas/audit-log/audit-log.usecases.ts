import type { SignedIn } from '../../platform/context.ts'
import { auditLogErrors } from './audit-log.errors.ts'

/** The whole log tells of all accounts: a token for some of them has none of it. Known once a door was opened. */
export function requireAllAccounts({ caller }: SignedIn): void {
  if (caller.token?.accountIds) {
    throw auditLogErrors.restrictedToken()
  }
}
