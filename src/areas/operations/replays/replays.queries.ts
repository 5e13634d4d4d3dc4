import { type SQL, sql } from 'drizzle-orm'
import { isAdminOnly } from '../../../domain/permissions.ts'
import type { SignedIn } from '../../../platform/context.ts'
import { db, type Statement } from '../../../platform/database/statements.ts'
import {
  accountIdsWithHistory,
  isNotPrivateTo,
  isUnrestricted,
  ownedBy,
  viewerOf,
  visibleAccountIds,
} from '../../identity/access/access.public.ts'
import { attachmentIsSeen, isUploader } from '../../files/attachments/attachments.public.ts'
import { budgetIsSeenBy } from '../../planning/budgets/budgets.public.ts'
import { ownGroupIds } from '../../identity/memberships/memberships.public.ts'
import { shareIsSeen } from '../../sharing/sharing/sharing.public.ts'
import { type NamedKind, idsNamedIn } from './replays.rules.ts'

/** For each kind, whether the caller sees what \`named.value\` is the id of. One's own is seen in the trash, too. */
const SEEN: Record<NamedKind, (ctx: SignedIn) => SQL> = {
  accounts: (ctx) => sql`named.value IN (${accountIdsWithHistory(ctx)})`,
  transactions: (ctx) => sql`EXISTS (SELECT 1 FROM transactions t WHERE t.id = named.value
    AND (${ownedBy(ctx.caller, 't.owner_id')} AND ${isUnrestricted(ctx)}
      OR t.deleted_at IS NULL AND ${isNotPrivateTo(ctx)} AND EXISTS (SELECT 1 FROM entries e
        WHERE e.transaction_id = t.id AND e.side = 'account' AND e.account_id IN (${visibleAccountIds(ctx)}))))`,
  valuations: (ctx) => sql`EXISTS (SELECT 1 FROM valuations v
    WHERE v.id = named.value AND v.account_id IN (${accountIdsWithHistory(ctx)}))`,
  files: (ctx) => sql`EXISTS (SELECT 1 FROM attachments a
    WHERE a.id = named.value AND (${isUploader(ctx)} OR ${attachmentIsSeen(ctx)}))`,
  budgets: (ctx) => sql`EXISTS (SELECT 1 FROM budgets WHERE budgets.id = named.value
    AND (${ownedBy(ctx.caller, 'budgets.owner_id')} AND ${isUnrestricted(ctx)} OR ${budgetIsSeenBy(viewerOf(ctx))}))`,
  shares: (ctx) =>
    sql`EXISTS (SELECT 1 FROM shares WHERE shares.id = named.value AND ${shareIsSeen(ctx)})`,
  groups: (ctx) => sql`named.value IN (${ownGroupIds(ctx)})`,
}

/**
 * Finds a row when an answer that was kept for a repeat names something that the caller does not see any more. There
 * is nothing to ask where it names nothing that could be somebody else's. Whoever administers sees by a permission,
 * which each request checks anyway.
 */
export function unseenIn(ctx: SignedIn, answer: string): Statement<unknown[]> | undefined {
  const { access } = ctx
  if (access !== 'public' && access !== 'system' && isAdminOnly(access)) {
    return undefined
  }
  const named = Object.entries(idsNamedIn(answer)) as [NamedKind, string[]][]
  const unseen = named.map(
    ([kind, ids]) =>
      sql`SELECT 1 FROM json_each(${JSON.stringify(ids)}) named WHERE NOT (${SEEN[kind](ctx)})`,
  )
  return unseen.length === 0
    ? undefined
    : db.all(sql`${sql.join(unseen, sql` UNION ALL `)} LIMIT 1`)
}
