import { and, asc, eq, gt, sql } from 'drizzle-orm'
import { importProfiles } from '../../../../../drizzle/schema/imports.ts'
import type { SignedIn } from '../../../../platform/context.ts'
import type { PageRequest } from '../../../../platform/paging.ts'
import { refuseIf, requireChangedOne } from '../../../../platform/premises.ts'
import { changedMeanwhile } from '../../../../platform/refusals.ts'
import { db, pageUpToBytes, type Statement } from '../../../../platform/statements.ts'
import { ownedBy, visibleAccountIds } from '../../../identity/access/access.public.ts'
import { importErrors } from '../imports.errors.ts'

export type StoredProfile = typeof importProfiles.$inferSelect

/** The maximum number of profiles of a user. */
export const MOST_PROFILES = 200

/** Own ones. One that is for an account is seen by whoever sees the account. */
const isSeen = (ctx: SignedIn) =>
  and(
    ownedBy(ctx.caller, importProfiles.ownerId),
    ctx.caller.tokenHash === null
      ? undefined
      : sql`(${importProfiles.accountId} IS NULL OR ${importProfiles.accountId} IN (${visibleAccountIds(ctx)}))`,
  )

export const profileById = (ctx: SignedIn, id: string) =>
  db
    .select()
    .from(importProfiles)
    .where(and(eq(importProfiles.id, id), isSeen(ctx)))

/** All that may read a file. */
export const profilesOf = (ctx: SignedIn) =>
  db.select().from(importProfiles).where(isSeen(ctx)).orderBy(asc(importProfiles.id))

/** In order of creation, one row more than the page, which ends early where mappings are long. */
export const pageOfProfiles = (ctx: SignedIn, { after, limit }: PageRequest) =>
  pageUpToBytes(
    db
      .select()
      .from(importProfiles)
      .where(and(isSeen(ctx), gt(importProfiles.id, after?.[0] ?? '')))
      .orderBy(asc(importProfiles.id))
      .limit(limit + 1),
  )

export const countOfProfiles = (ctx: SignedIn) =>
  db
    .select({ count: sql<number>`count(*)`.as('count') })
    .from(importProfiles)
    .where(isSeen(ctx))

export const insertProfile = (profile: StoredProfile): Statement[] => [
  refuseIf(
    sql`(SELECT count(*) FROM import_profiles WHERE owner_id = ${profile.ownerId}) >= ${MOST_PROFILES}`,
    importErrors.tooManyProfiles,
  ),
  db.insert(importProfiles).values(profile),
]

type Seen = Pick<StoredProfile, 'id' | 'ownerId' | 'version'>

const isUnchanged = ({ id, ownerId, version }: Seen) =>
  and(
    eq(importProfiles.id, id),
    eq(importProfiles.ownerId, ownerId),
    eq(importProfiles.version, version),
  )

export const updateProfile = (
  ctx: SignedIn,
  profile: Seen,
  changed: Partial<StoredProfile>,
): Statement[] => [
  db
    .update(importProfiles)
    .set({ ...changed, version: sql`${importProfiles.version} + 1`, updatedAt: ctx.now })
    .where(isUnchanged(profile)),
  requireChangedOne(changedMeanwhile),
]

export const deleteProfile = (profile: Seen): Statement[] => [
  db.delete(importProfiles).where(isUnchanged(profile)),
  requireChangedOne(changedMeanwhile),
]
