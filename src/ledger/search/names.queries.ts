import { type SQL, sql } from 'drizzle-orm'
import type { NameKind } from '../../domain/conditions/line.ts'
import type { SignedIn } from '../../platform/context.ts'
import { db, type Statement } from '../../platform/database/statements.ts'
import {
  annotatedOwnerIds,
  viewerOf,
  visibleAccountIds,
} from '../../areas/identity/access/access.public.ts'

// The names by which the caller finds transactions: of accounts that they see, and of labels of the owners on whose accounts they may
// annotate transactions, as those that a request can name. They are compared by search keys, which only payees have stored.

/** An account, payee, category or tag. */
export interface NameRow {
  id: string
  name: string
  /** The parent of a category. */
  parentId: string | null
  /** True for what is archived, and for closed accounts. */
  archived: 0 | 1
  /** The currency of an account. */
  currency: string | null
}

/** The most names of a kind that are compared. Of more, only those with one of the words in their own key are. */
const MOST_NAMES = 5000

/** SQL of the search key of a payee's name. */
export const searchKeyOfPayee = (payee: string) => `ifnull(${payee}.search_key, ${payee}.name_key)`

/** The columns of each kind, and its table. */
const SOURCES: Record<NameKind, [columns: string, table: string]> = {
  account: [`NULL AS parentId, n.status = 'closed' AS archived, n.currency`, 'accounts'],
  payee: ['NULL AS parentId, n.archived, NULL AS currency', 'payees'],
  category: ['n.parent_id AS parentId, n.archived, NULL AS currency', 'categories'],
  tag: ['NULL AS parentId, n.archived, NULL AS currency', 'tags'],
}

/** The rows of a table `n` to compare, from its FROM on. */
const compared = (
  table: string,
  isSeen: SQL,
  { key, words }: { key: string; words: readonly string[] },
): SQL => sql`FROM ${sql.raw(table)} n WHERE ${isSeen} AND (
    (SELECT count(*) FROM ${sql.raw(table)} n WHERE ${isSeen}) <= ${MOST_NAMES}
    OR EXISTS (SELECT 1 FROM json_each(${JSON.stringify(words)}) w
      WHERE instr(${sql.raw(key)}, w.value) > 0))
  ORDER BY n.id LIMIT ${MOST_NAMES}`

const isAnnotated = (ctx: SignedIn) => sql`n.owner_id IN (${annotatedOwnerIds(viewerOf(ctx))})`

/** The names of one kind. @param words of those that are looked for */
export const visibleNames = (
  ctx: SignedIn,
  kind: NameKind,
  words: readonly string[],
): Statement<NameRow[]> => {
  const [columns, table] = SOURCES[kind]
  const isSeen = kind === 'account' ? sql`n.id IN (${visibleAccountIds(ctx)})` : isAnnotated(ctx)
  const key = kind === 'payee' ? searchKeyOfPayee('n') : 'n.name_key'
  return db.all(
    sql`SELECT n.id, n.name, ${sql.raw(columns)} ${compared(table, isSeen, { key, words })}`,
  )
}

export interface AliasRow {
  payeeId: string
  raw: string
}

/** The aliases of payees. @param words of those that are looked for */
export const visibleAliases = (ctx: SignedIn, words: readonly string[]): Statement<AliasRow[]> =>
  db.all(
    sql`SELECT n.payee_id AS payeeId, n.raw
      ${compared('payee_aliases', isAnnotated(ctx), { key: 'n.raw_key', words })}`,
  )
