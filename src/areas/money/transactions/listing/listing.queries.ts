import { sql } from 'drizzle-orm'
import type { SignedIn } from '../../../../platform/context.ts'
import { db } from '../../../../platform/database/statements.ts'
import type { LedgerFilter } from '../../../../ledger/search/search.public.ts'
import { ratesThrough } from '../../exchange-rates/exchange-rates.public.ts'
import { ownedBy, visibleAccountIds } from '../../../identity/access/access.public.ts'

/** The name of something that transactions refer to by its id. */
export interface NamedRow {
  what: 'account' | 'category' | 'payee' | 'tag'
  id: string
  name: string
  /** The category above it. */
  parentId: string | null
}

/** Accounts that the caller sees, and own categories, payees and tags. */
export const namedRows = (ctx: SignedIn) => {
  const isOwn = (table: 'c' | 'p' | 'g') => ownedBy(ctx.caller, `${table}.owner_id`)
  return db.all<NamedRow>(
    sql`SELECT 'account' AS what, a.id, a.name, NULL AS parentId FROM accounts a WHERE a.id IN (${visibleAccountIds(ctx)})
      UNION ALL SELECT 'category', c.id, c.name, c.parent_id FROM categories c WHERE ${isOwn('c')}
      UNION ALL SELECT 'payee', p.id, p.name, NULL FROM payees p WHERE ${isOwn('p')}
      UNION ALL SELECT 'tag', g.id, g.name, NULL FROM tags g WHERE ${isOwn('g')}`,
  )
}

/** The rates to convert what a filter can find, on each of its days. */
export function ratesOfDays(
  ctx: SignedIn,
  { accountId, from = '', to = '~' }: LedgerFilter,
  target: string | null,
) {
  const accounts = sql`SELECT a.id FROM accounts a WHERE a.id IN (${visibleAccountIds(ctx)})
    ${accountId === undefined ? sql`` : sql`AND a.id = ${accountId}`}`
  const months = sql`FROM account_periods WHERE account_id IN (${accounts}) AND grain = 'month'`
  const span = {
    first: sql`(SELECT max(${from}, ifnull(min(period), '') || '-01') ${months})`,
    last: sql`(SELECT min(${to}, ifnull(max(period), '') || '-31') ${months})`,
    interval: 'day',
  } as const
  return ratesThrough(
    ctx,
    span,
    sql`SELECT c.currency FROM accounts c WHERE c.id IN (${accounts})`,
    target,
  )
}
