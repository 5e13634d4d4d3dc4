import { and, eq, lte, sql } from 'drizzle-orm'
import { exchangeRates } from '../../../../drizzle/schema/currencies.ts'
import { sessions } from '../../../../drizzle/schema/system.ts'
import { among, db, type Statement } from '../../../platform/statements.ts'
import { eraseAccounts, openingIdOf } from '../../accounts/accounts.public.ts'
import { eraseAttachments } from '../../attachments/attachments.public.ts'
import { groupsToLeave, leaveForGood } from '../../groups/groups.public.ts'
import { eraseTransactions } from '../../../ledger/trash/trash.public.ts'

/** Rows of one commit. */
const STEP = sql.raw('250')
/** Of accounts: each may have days and months by the thousand. */
const FEW = sql.raw('25')

/** Whose rows are erased, and which: those that were there at `before`. */
export interface Scope {
  ownerId: string
  before: number
}

export interface Found {
  id: string
  /** What is deleted from the bucket before the row is. */
  objectKey?: string | null
}

/** One kind of rows: how to find some of them, and how to erase those in one commit. */
export interface Kind {
  name: string
  find: (scope: Scope) => Statement<Found[]>
  erase: (ids: string[], scope: Scope) => Statement[]
}

// What has an object in the bucket, which goes before its row.

/** Files that the user uploaded, also into a group and onto what others own, and those in the trash. */
const attachments: Kind = {
  name: 'files',
  find: ({ ownerId, before }) =>
    db.all(sql`SELECT a.id, a.object_key AS objectKey FROM attachments a
      WHERE a.owner_id = ${ownerId} AND a.created_at <= ${before} LIMIT ${STEP}`),
  erase: eraseAttachments,
}

const avatars: Kind = {
  name: 'avatar',
  find: ({ ownerId }) =>
    db.all(sql`SELECT v.user_id AS id, v.object_key AS objectKey FROM user_avatars v
      WHERE v.user_id = ${ownerId}`),
  erase: (ids) => [db.run(sql`DELETE FROM user_avatars WHERE user_id IN ${among(ids)}`)],
}

/** Also those that are being made: whoever makes one finds no row to end with, and deletes its object. */
const archives: Kind = {
  name: 'archives',
  find: ({ ownerId }) =>
    db.all(sql`SELECT r.id, r.object_key AS objectKey FROM archives r
      WHERE r.owner_id = ${ownerId} LIMIT ${STEP}`),
  erase: (ids) => [db.run(sql`DELETE FROM archives WHERE id IN ${among(ids)}`)],
}

/** All that is booked but opening balances, which belong to their accounts. */
const booked: Kind = {
  name: 'transactions',
  find: ({ ownerId, before }) =>
    db.all(sql`SELECT DISTINCT e.transaction_id AS id
      FROM entries e JOIN transactions t ON t.id = e.transaction_id
      WHERE e.owner_id = ${ownerId} AND e."end" = 'account' AND t.kind <> 'opening'
        AND t.created_at <= ${before} LIMIT ${STEP}`),
  erase: eraseTransactions,
}

/**
 * Transactions in the trash. What hangs on a transaction goes with it by a trigger, and so do rows that a transfer
 * stands for: they are its, however much older.
 */
const trashed: Kind = {
  name: 'trash',
  find: ({ ownerId, before }) =>
    db.all(sql`SELECT t.id FROM transactions t WHERE t.owner_id = ${ownerId}
      AND t.created_at <= ${before} AND t.matched_into IS NULL
      AND NOT EXISTS (SELECT 1 FROM entries e WHERE e.transaction_id = t.id) LIMIT ${STEP}`),
  erase: eraseTransactions,
}

/** Those that nothing is booked on any more, with opening balance and history notes, also from the trash. */
const accounts: Kind = {
  name: 'accounts',
  find: ({ ownerId, before }) =>
    db.all(sql`SELECT a.id FROM accounts a WHERE a.owner_id = ${ownerId} AND a.created_at <= ${before}
      AND NOT EXISTS (SELECT 1 FROM entries e JOIN transactions t ON t.id = e.transaction_id
        WHERE e.account_id = a.id AND e."end" = 'account' AND t.kind <> 'opening')
      AND NOT EXISTS (SELECT 1 FROM trashed_entries e WHERE e.account_id = a.id) LIMIT ${FEW}`),
  // What was booked since they were found stops the commit by its foreign key.
  erase: (ids) => [...eraseTransactions(ids.map(openingIdOf)), ...eraseAccounts(ids)],
}

const isUnusedCategory = sql.raw(
  `NOT EXISTS (SELECT 1 FROM entries e WHERE e.category_id = c.id)
    AND NOT EXISTS (SELECT 1 FROM trashed_entries e WHERE e.category_id = c.id)
    AND NOT EXISTS (SELECT 1 FROM categories child WHERE child.parent_id = c.id)`,
)

/** Those that no transaction uses, the deepest first. */
const categories: Kind = {
  name: 'categories',
  find: ({ ownerId, before }) =>
    db.all(sql`SELECT c.id FROM categories c WHERE c.owner_id = ${ownerId}
      AND c.created_at <= ${before} AND ${isUnusedCategory} LIMIT ${STEP}`),
  erase: (ids) => [
    db.run(sql`DELETE FROM categories WHERE id IN (SELECT c.id FROM categories c
      WHERE c.id IN ${among(ids)} AND ${isUnusedCategory})`),
  ],
}

/** Those that no transaction has. */
const payees: Kind = {
  name: 'payees',
  find: ({ ownerId, before }) =>
    db.all(sql`SELECT p.id FROM payees p WHERE p.owner_id = ${ownerId} AND p.created_at <= ${before}
      AND NOT EXISTS (SELECT 1 FROM transaction_payees t WHERE t.payee_id = p.id) LIMIT ${STEP}`),
  erase: (ids) => [
    db.run(sql`DELETE FROM payee_aliases WHERE payee_id IN ${among(ids)}`),
    db.run(sql`DELETE FROM payees WHERE id IN ${among(ids)}`),
  ],
}

/** Those that no transaction has. */
const tags: Kind = {
  name: 'tags',
  find: ({ ownerId, before }) =>
    db.all(sql`SELECT g.id FROM tags g WHERE g.owner_id = ${ownerId} AND g.created_at <= ${before}
      AND NOT EXISTS (SELECT 1 FROM transaction_tags t WHERE t.tag_id = g.id) LIMIT ${STEP}`),
  erase: (ids) => [db.run(sql`DELETE FROM tags WHERE id IN ${among(ids)}`)],
}

/** Folders of accounts; none is in one any more. */
const accountGroups: Kind = {
  name: 'accountGroups',
  find: ({ ownerId, before }) =>
    db.all(sql`SELECT g.id FROM account_groups g WHERE g.owner_id = ${ownerId}
      AND g.created_at <= ${before}
      AND NOT EXISTS (SELECT 1 FROM accounts a WHERE a.account_group_id = g.id) LIMIT ${STEP}`),
  erase: (ids) => [db.run(sql`DELETE FROM account_groups WHERE id IN ${among(ids)}`)],
}

const inTrash = (kind: 'category' | 'tag' | 'payee'): Kind => ({
  name: `trash.${kind}`,
  find: ({ ownerId, before }) =>
    db.all(sql`SELECT r.id FROM trashed_rows r WHERE r.owner_id = ${ownerId} AND r.kind = ${kind}
      AND r.deleted_at <= ${before} LIMIT ${STEP}`),
  erase: (ids) => [db.run(sql`DELETE FROM trashed_rows WHERE id IN ${among(ids)}`)],
})

const rates: Kind = {
  name: 'exchangeRates',
  find: ({ ownerId, before }) =>
    db
      .select({ id: exchangeRates.id })
      .from(exchangeRates)
      .where(and(eq(exchangeRates.ownerId, ownerId), lte(exchangeRates.createdAt, before)))
      .limit(250),
  erase: (ids) => [db.run(sql`DELETE FROM exchange_rates WHERE id IN ${among(ids)}`)],
}

const signIns: Kind = {
  name: 'sessions',
  find: ({ ownerId }) =>
    db.select({ id: sessions.id }).from(sessions).where(eq(sessions.userId, ownerId)).limit(20),
  erase: (ids) => [
    db.run(sql`DELETE FROM refresh_tokens WHERE session_id IN ${among(ids)}`),
    db.run(sql`DELETE FROM sessions WHERE id IN ${among(ids)}`),
  ],
}

/** Somebody else owns them from then on, unless nobody else is in them. */
const groups: Kind = {
  name: 'groups',
  find: ({ ownerId }) => groupsToLeave(ownerId),
  erase: (ids, { ownerId }) => leaveForGood(ids, ownerId),
}

/** In the order in which one kind lets go of the next. */
export const KINDS = {
  archives,
  attachments,
  avatars,
  groups,
  booked,
  trashed,
  accounts,
  accountGroups,
  payees,
  tags,
  categories,
  trashedPayees: inTrash('payee'),
  trashedTags: inTrash('tag'),
  trashedCategories: inTrash('category'),
  rates,
  signIns,
}
