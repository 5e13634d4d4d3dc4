import { sql } from 'drizzle-orm'
import type { SignedIn } from '../../../../platform/context.ts'
import { requireChangedOne } from '../../../../platform/premises.ts'
import { changedMeanwhile } from '../../../../platform/refusals.ts'
import { db, type Statement } from '../../../../platform/statements.ts'
import { visibleAccountIds } from '../../../identity/access/access.public.ts'

export interface PreferencesRow {
  /** JSON of what differs from the defaults; null when nothing was ever chosen. */
  chosen: string | null
  /** The chosen one, if the caller sees it. */
  defaultAccountId: string | null
  version: number
  createdAt: number
  updatedAt: number
}

/** Everybody has preferences, of version 1, from the day they came; the row comes with the first choice. */
export const ownPreferences = (ctx: SignedIn) =>
  db.all<PreferencesRow>(sql`SELECT p.chosen,
      CASE WHEN p.chosen ->> 'defaultAccountId' IN (${visibleAccountIds(ctx)})
        THEN p.chosen ->> 'defaultAccountId' END AS defaultAccountId,
      ifnull(p.version, 1) AS version, u.created_at AS createdAt,
      ifnull(p.updated_at, u.created_at) AS updatedAt
    FROM users u LEFT JOIN user_preferences p ON p.user_id = u.id WHERE u.id = ${ctx.caller.userId}`)

/** Merges a patch (RFC 7396) into what is stored. Refuses when that was changed since `version`. */
export const mergePreferences = (
  { caller, now }: SignedIn,
  { version, createdAt }: Pick<PreferencesRow, 'version' | 'createdAt'>,
  patch: Record<string, unknown>,
): Statement[] => {
  const json = JSON.stringify(patch)
  return [
    db.run(sql`INSERT INTO user_preferences (user_id, chosen, version, created_at, updated_at)
      VALUES (${caller.userId}, json_patch('{}', ${json}), 2, ${createdAt}, ${now})
      ON CONFLICT (user_id) DO UPDATE SET chosen = json_patch(chosen, ${json}),
        version = version + 1, updated_at = excluded.updated_at
      WHERE version = CAST(${version} AS INTEGER)`),
    requireChangedOne(changedMeanwhile),
  ]
}
