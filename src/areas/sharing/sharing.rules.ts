import type { Right } from '../../domain/sharing.ts'
import { sharingErrors } from './sharing.errors.ts'

/** What a share can permit: all but to own. */
export const SHARED_RIGHTS = ['view', 'annotate', 'write', 'manage'] as const satisfies Right[]
export type SharedRight = (typeof SHARED_RIGHTS)[number]

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
