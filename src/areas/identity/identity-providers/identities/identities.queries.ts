import { and, asc, eq, sql } from 'drizzle-orm'
import { externalIdentities } from '../../../../../drizzle/schema/identity-providers.ts'
import type { SignedIn } from '../../../../platform/context.ts'
import { requireChangedOne, refuseIf } from '../../../../platform/premises.ts'
import { db, type Statement } from '../../../../platform/statements.ts'
import { hasAddress } from '../../addresses/addresses.public.ts'
import { identityErrors } from './identities.errors.ts'

const columns = {
  id: externalIdentities.id,
  issuer: externalIdentities.issuer,
  subject: externalIdentities.subject,
  createdAt: externalIdentities.createdAt,
}

const isOwn = (ctx: SignedIn) => eq(externalIdentities.userId, ctx.caller.userId)

export const ownIdentities = (ctx: SignedIn) =>
  db.select(columns).from(externalIdentities).where(isOwn(ctx)).orderBy(asc(externalIdentities.id))

export const ownIdentity = (ctx: SignedIn, id: string) =>
  db
    .select(columns)
    .from(externalIdentities)
    .where(and(eq(externalIdentities.id, id), isOwn(ctx)))

/** Refuses when the caller has another address than was compared with. */
export const addressMustStillBe = (ctx: SignedIn, email: string): Statement =>
  refuseIf(
    sql`NOT EXISTS (SELECT 1 FROM users u WHERE u.id = ${ctx.caller.userId} AND ${hasAddress('u', email)})`,
    identityErrors.emailDiffers,
  )

/** Refuses when the user has no way in after it: neither a password nor a provider that is on. */
export const deleteIdentity = (ctx: SignedIn, id: string): Statement[] => [
  db.delete(externalIdentities).where(and(eq(externalIdentities.id, id), isOwn(ctx))),
  requireChangedOne(identityErrors.identityNotFound),
  refuseIf(
    sql`NOT EXISTS (SELECT 1 FROM users u WHERE u.id = ${ctx.caller.userId} AND u.password_hash IS NOT NULL)
      AND NOT EXISTS (SELECT 1 FROM external_identities e
        JOIN identity_providers p ON p.issuer = e.issuer AND p.enabled = 1
        WHERE e.user_id = ${ctx.caller.userId})`,
    identityErrors.lastWayIn,
  ),
]
