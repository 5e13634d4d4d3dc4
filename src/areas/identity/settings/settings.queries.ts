import { type SQL, sql } from 'drizzle-orm'
import { settings } from '../../../../drizzle/schema/system.ts'
import type { Context } from '../../../platform/context.ts'
import { refuseIf } from '../../../platform/database/premises.ts'
import { changedMeanwhile, type Refusal } from '../../../platform/database/refusals.ts'
import { db, type Statement } from '../../../platform/database/statements.ts'
import {
  type Choices,
  fallbacksFrom,
  SETTING_KEYS,
  type SettingKey,
  type SettingValues,
} from './settings.rules.ts'

/** A setting as it holds, as a value in SQL: the administrators' choice, else the configuration's, else the code's. */
export const settingOf = <Key extends SettingKey>(
  ctx: Context,
  key: Key,
): SQL<SettingValues[Key]> =>
  sql`coalesce((SELECT value ->> '$' FROM settings WHERE key = ${key}), ${fallbacksFrom(ctx.settings)[key].value})`

/** `settingOf` as a finder of its own: one row. */
export const settingToRead = <Key extends SettingKey>(ctx: Context, key: Key) =>
  db.all<{ value: SettingValues[Key] }>(sql`SELECT ${settingOf(ctx, key)} AS value`)

/** Refuses when a setting is not any more what it was read to be. */
export const settingMustStillBe = <Key extends SettingKey>(
  ctx: Context,
  key: Key,
  value: SettingValues[Key],
  changed: Refusal,
): Statement => refuseIf(sql`${settingOf(ctx, key)} <> ${value}`, changed)

export const allChoices = () => db.select().from(settings)

/** A choice that was taken back stays as a null, so that the newest row tells the version of them all. */
export const storeChoices = (
  choices: Choices,
  { seen, version }: { seen: number; version: number },
): Statement[] => [
  refuseIf(sql`(SELECT coalesce(max(updated_at), 0) FROM settings) <> ${seen}`, changedMeanwhile),
  ...SETTING_KEYS.filter((key) => choices[key] !== undefined).map((key) => {
    const row = { value: JSON.stringify(choices[key]), updatedAt: version }
    return db
      .insert(settings)
      .values({ key, ...row })
      .onConflictDoUpdate({ target: settings.key, set: row })
  }),
]
