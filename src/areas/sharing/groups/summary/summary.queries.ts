import { type SQL, sql } from 'drizzle-orm'
import type { Context } from '../../../../platform/context.ts'
import { db } from '../../../../platform/statements.ts'

/** Shares `s` that open accounts to the members of a group now. */
const openShares = ({ now }: Context, groupId: string): SQL =>
  sql`shares s JOIN groups g ON g.id = s.group_id WHERE s.group_id = ${groupId}
    AND g.suspended_at IS NULL AND (s.expires_at IS NULL OR s.expires_at > ${now})`

export const sharedIds = (ctx: Context, groupId: string) =>
  db.all<{ id: string }>(sql`SELECT s.account_id AS id FROM ${openShares(ctx, groupId)}`)

/** The SQL that lists the currencies of those accounts. */
export const currenciesShared = (ctx: Context, groupId: string): SQL =>
  sql`SELECT DISTINCT a.currency FROM accounts a WHERE a.id IN (SELECT s.account_id FROM ${openShares(ctx, groupId)})`

/** The SQL of the base currency of a group. */
export const baseOf = (groupId: string): SQL =>
  sql`(SELECT base_currency FROM groups WHERE id = ${groupId})`
