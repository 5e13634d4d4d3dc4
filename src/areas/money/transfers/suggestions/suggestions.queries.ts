import { sql } from 'drizzle-orm'
import type { SignedIn } from '../../../../platform/context.ts'
import { db, type Statement } from '../../../../platform/statements.ts'
import { ownAccountIds } from '../../../identity/access/access.public.ts'

/** The caller's own accounts, closed ones too, as texts may name them. */
export const namesOfAccounts = (ctx: SignedIn): Statement<{ id: string; name: string }[]> =>
  db.all(sql`SELECT id, name FROM accounts WHERE id IN (${ownAccountIds(ctx)})`)
