import { sql } from 'drizzle-orm'
import { userAvatars } from '../../../../drizzle/schema/files.ts'
import { userPreferences } from '../../../../drizzle/schema/system.ts'
import { takenBy } from '../../../http/stored-fields.ts'
import { whole } from '../../../platform/owned-data/exports.ts'
import { forgetBy, type OwnedData, ownRows } from '../../../platform/owned-data/owned-data.ts'
import { db } from '../../../platform/database/statements.ts'
import { getPreferences } from './preferences.usecases.ts'
import {
  presentProfile,
  presentPreferences,
  UpdatePreferencesRequest,
} from './own-user.contract.ts'
import { getProfile } from './own-user.usecases.ts'

const hasNull = (value: unknown): boolean =>
  value === null || (typeof value === 'object' && Object.values(value).some(hasNull))

export const userData: OwnedData = {
  area: 'own-user',
  tables: [userAvatars, userPreferences],
  erase: [ownRows('avatar', userAvatars)],
  forget: forgetBy(userPreferences.userId),
  reset: {
    wipedWith: 'preferences',
    // Resets all choices. The row stays, so that its versions continue.
    statements: ({ now }, { ownerId, before }) => [
      db.run(sql`UPDATE user_preferences SET chosen = '{}', version = version + 1, updated_at = ${now}
        WHERE user_id = ${ownerId} AND updated_at <= ${before}`),
    ],
  },
  archived: [
    {
      table: userPreferences,
      owner: [userPreferences.userId],
      order: [userPreferences.userId],
      json: {
        // Default values are not stored.
        chosen: (value, row) => takenBy(UpdatePreferencesRequest)(value, row) && !hasNull(value),
      },
      isSingle: true,
    },
  ],
  exports: [
    whole('profile', async (owner) => [presentProfile(await getProfile(owner))]),
    whole('preferences', async (owner) => [presentPreferences(await getPreferences(owner))]),
  ],
  files: (userId) =>
    db.all(sql`SELECT 'files/avatar' AS path, object_key AS objectKey
      FROM user_avatars WHERE user_id = ${userId}`),
}
