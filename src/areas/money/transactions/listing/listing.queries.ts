import { sql } from 'drizzle-orm'
import type { SignedIn } from '../../../../platform/context.ts'
import { db } from '../../../../platform/database/statements.ts'
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
