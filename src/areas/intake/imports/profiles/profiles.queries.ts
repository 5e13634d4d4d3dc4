import { and, asc, sql } from 'drizzle-orm'
import { importProfiles } from '../../../../../drizzle/schema/imports.ts'
import type { SignedIn } from '../../../../platform/context.ts'
import { mustHaveFewerRows, ownedTable } from '../../../../platform/database/owned-tables.ts'
import { db, type Statement } from '../../../../platform/database/statements.ts'
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

export const profileRows = ownedTable(importProfiles, { isSeen, hasLongRows: true })

/** All that may read a file. */
export const profilesOf = (ctx: SignedIn) =>
  db.select().from(importProfiles).where(isSeen(ctx)).orderBy(asc(importProfiles.id))

export const mustHaveRoomForProfile = ({ ownerId }: StoredProfile): Statement =>
  mustHaveFewerRows(importProfiles.ownerId, ownerId, MOST_PROFILES, importErrors.tooManyProfiles)
