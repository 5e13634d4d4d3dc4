import { and, eq } from 'drizzle-orm'
import { userAvatars } from '../../../../../drizzle/schema/files.ts'
import type { SignedIn } from '../../../../platform/context.ts'
import { requireChangedOne } from '../../../../platform/premises.ts'
import { changedMeanwhile } from '../../../../platform/refusals.ts'
import { db, type Statement } from '../../../../platform/statements.ts'

export type AvatarRow = typeof userAvatars.$inferSelect

export const ownAvatar = ({ caller }: SignedIn) =>
  db.select().from(userAvatars).where(eq(userAvatars.userId, caller.userId))

const isUnchanged = ({ userId, version }: AvatarRow) =>
  and(eq(userAvatars.userId, userId), eq(userAvatars.version, version))

/** Puts a picture in the place of the one that was read, or of none. Refuses when that is another one now. */
export const putAvatar = (before: AvatarRow | undefined, after: AvatarRow): Statement[] =>
  before
    ? [
        db.update(userAvatars).set(after).where(isUnchanged(before)),
        requireChangedOne(changedMeanwhile),
      ]
    : [
        db.insert(userAvatars).values(after).onConflictDoNothing(),
        requireChangedOne(changedMeanwhile),
      ]

export const deleteAvatarRow = (before: AvatarRow): Statement[] => [
  db.delete(userAvatars).where(isUnchanged(before)),
  requireChangedOne(changedMeanwhile),
]
