import { sql } from 'drizzle-orm'
import type { Context } from '../../../../platform/context.ts'
import { db } from '../../../../platform/statements.ts'
import { settingOf, type SettingValues } from '../../settings/settings.public.ts'

export interface Policy {
  mode: SettingValues['registration']
  /** 1 where an identity provider is switched on. */
  hasProviders: number
}

export const policyInForce = (ctx: Context) =>
  db.all<Policy>(sql`SELECT ${settingOf(ctx, 'registration')} AS mode,
    EXISTS (SELECT 1 FROM identity_providers WHERE enabled = 1) AS hasProviders`)
