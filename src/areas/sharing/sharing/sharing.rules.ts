import type { Permission } from '../../../domain/permissions.ts'
import type { Right } from '../../../domain/sharing.ts'
import { sharingErrors } from './sharing.errors.ts'

/** What a share can permit: all but to own. */
export const SHARED_RIGHTS = ['view', 'annotate', 'write', 'manage'] as const satisfies Right[]
export type SharedRight = (typeof SHARED_RIGHTS)[number]

/** What somebody must be permitted to use a right that they receive. */
const USES_OF_RIGHTS: Record<SharedRight, Permission[]> = {
  view: ['accounts.read', 'transactions.read'],
  annotate: ['accounts.read', 'transactions.read', 'transactions.write'],
  write: ['accounts.read', 'transactions.read', 'transactions.write'],
  manage: ['accounts.read', 'transactions.read', 'transactions.write', 'accounts.write'],
}

/** An administrator shares only what they could do themselves, whoever receives it. */
export const permissionsToShare = (right: SharedRight): Permission[] => USES_OF_RIGHTS[right]

export const WRITE_SCOPES = ['all', 'own'] as const
export type WriteScope = (typeof WRITE_SCOPES)[number]

/** Shares of one account with people; that with a group is besides. */
export const MOST_SHARES = 100

/** Refuses an end that has come. */
export function requireFuture(now: number, expiresAt: number | null | undefined): void {
  if (typeof expiresAt === 'number' && expiresAt <= now) {
    throw sharingErrors.endsInPast({ field: 'expiresAt' })
  }
}
