import { type SQL, sql } from 'drizzle-orm'
import { rankOf } from '../../../../domain/sharing.ts'
import { foldKey } from '../../../../domain/text.ts'
import type { SignedIn } from '../../../../platform/context.ts'
import type { PageRequest } from '../../../../platform/database/paging.ts'
import { db } from '../../../../platform/database/statements.ts'
import {
  accountIsSeenBy,
  isNotPrivateEntry,
  viewerOf,
  accessLevel,
} from '../../../identity/access/access.public.ts'

export interface LabelFilter {
  accountId: string
  kind: 'category' | 'tag' | 'payee'
  search?: string | undefined
}

export interface LabelRow {
  id: string
  name: string
  parentId: string | null
  transactionKind: string | null
  archived: number
}

/** The table of a kind of label, and the join from a label `o` to the entries `e` that have it. */
const labelKinds = {
  category: {
    table: sql.raw('categories'),
    more: sql.raw('o.parent_id AS parentId, o.kind AS transactionKind'),
    used: sql.raw('entries e WHERE e.category_id = o.id'),
  },
  tag: {
    table: sql.raw('tags'),
    more: sql.raw('NULL AS parentId, NULL AS transactionKind'),
    used: sql.raw(
      'transaction_tags l JOIN entries e ON e.transaction_id = l.transaction_id AND e.pair IS NULL WHERE l.tag_id = o.id',
    ),
  },
  payee: {
    table: sql.raw('payees'),
    more: sql.raw('NULL AS parentId, NULL AS transactionKind'),
    used: sql.raw(
      'transaction_payees l JOIN entries e ON e.transaction_id = l.transaction_id AND e.pair IS NULL WHERE l.payee_id = o.id',
    ),
  },
}

/**
 * Selects the labels for transactions on an account: all of its owner's for callers who may set them, otherwise those
 * of the transactions that the caller sees.
 */
function labelsOn(ctx: SignedIn, { accountId, kind, search }: LabelFilter): SQL {
  const viewer = viewerOf(ctx)
  const { table, used } = labelKinds[kind]
  return sql`FROM accounts CROSS JOIN ${table} o ON o.owner_id = accounts.owner_id
    WHERE accounts.id = ${accountId} AND ${accountIsSeenBy(viewer)}
      ${search === undefined ? sql`` : sql`AND instr(o.name_key, ${foldKey(search)}) > 0`}
      AND ((${accessLevel(viewer)}) >= ${sql.raw(String(rankOf('annotate')))} OR EXISTS (SELECT 1 FROM ${used}
        AND e.account_id = accounts.id AND ${isNotPrivateEntry(ctx)}))`
}

/** In order of creation; one row more than the page. */
export const pageOfLabels = (ctx: SignedIn, filter: LabelFilter, page: PageRequest) =>
  db.all<LabelRow>(
    sql`SELECT o.id, o.name, ${labelKinds[filter.kind].more}, o.archived ${labelsOn(ctx, filter)}
      ${page.after ? sql`AND o.id > ${page.after[0]}` : sql``} ORDER BY o.id LIMIT ${page.limit + 1}`,
  )

export const countOfLabels = (ctx: SignedIn, filter: LabelFilter) =>
  db.all<{ count: number }>(sql`SELECT count(*) AS count ${labelsOn(ctx, filter)}`)
