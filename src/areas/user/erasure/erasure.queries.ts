import { and, eq, isNotNull, lte, sql } from 'drizzle-orm'
import { exchangeRates } from '../../../../drizzle/schema/currencies.ts'
import { sessions, tasks, users } from '../../../../drizzle/schema/system.ts'
import type { Context } from '../../../platform/context.ts'
import { mustHaveChangedOne, refuseWhen } from '../../../platform/guards.ts'
import { among, db, type Statement } from '../../../platform/statements.ts'
import { eraseAccounts, openingIdOf } from '../../accounts/accounts.public.ts'
import { deletePersonalTokensOf, endSignInsOf } from '../../auth/auth.public.ts'
import { forgetGroupInvitesOf, groupsToLeave, leaveForGood } from '../../groups/groups.public.ts'
import { eraseTransactions } from '../../ledger/ledger.public.ts'
import { deleteWipeOf } from '../wipe/wipe.queries.ts'
import type { Kind } from './erasure.rules.ts'
import { archives, attachments, avatars } from './files/files.queries.ts'

/** Rows of one commit. */
const STEP = sql.raw('250')
/** Of accounts: each may have days and months by the thousand. */
const FEW = sql.raw('25')

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

/** Breaks `gone` unless the time of the user has come, whoever asked for it, and nobody undid that. */
export const mustBeDue = ({ now }: Context, userId: string): Statement =>
  refuseWhen(
    'gone',
    sql`NOT EXISTS (SELECT 1 FROM users u WHERE u.id = ${userId} AND u.deletion_due_at <= ${now})`,
  )

/** A page of those whose time has come, by id. */
export const usersToErase = ({ now }: Context, after: string) =>
  db
    .select({ id: users.id })
    .from(users)
    .where(
      and(
        isNotNull(users.deletionDueAt),
        lte(users.deletionDueAt, now),
        sql`${users.id} > ${after}`,
      ),
    )
    .orderBy(users.id)
    .limit(USERS_AT_ONCE)

export const USERS_AT_ONCE = 100

/** Where mail to a user goes: to its own address, and to one that is not confirmed to be. */
export const addressesOf = (userId: string) =>
  db.all<{
    email: string
    isOwn: 0 | 1
  }>(sql`SELECT email, 1 AS isOwn FROM users WHERE id = ${userId}
    UNION SELECT email, 0 FROM one_time_tokens WHERE user_id = ${userId} AND email IS NOT NULL`)

/**
 * Nobody comes in any more, so nothing is added to what is erased from now on. Always another version, also of
 * who was closed before: whoever is about to restore it has seen an older one.
 */
export const closeUser = (ctx: Context, userId: string): Statement[] => [
  db
    .update(users)
    .set({ status: 'deleted', version: sql`${users.version} + 1`, updatedAt: ctx.now })
    .where(eq(users.id, userId)),
  ...endSignInsOf(ctx, userId),
  deletePersonalTokensOf(userId),
]

/** What tells who somebody was, or lets them in: small tables, all at once. */
const OF_USER = [
  'user_preferences',
  'user_currencies',
  'user_roles',
  'mfa_factors',
  'mfa_recovery_codes',
  'one_time_tokens',
  'external_identities',
  'invite_redemptions',
  'account_choices',
]

/**
 * The last step. The row of the user goes, too, unless somebody joined by an invite of theirs: then a row
 * without a person in it stays for the invite to point to, which is dead.
 */
export const forgetUser = ({ now }: Context, userId: string): Statement[] => [
  db.run(sql`DELETE FROM sign_in_codes WHERE email_key = (SELECT email_key FROM users WHERE id = ${userId})
    OR EXISTS (SELECT 1 FROM external_identities i WHERE i.user_id = ${userId}
      AND i.issuer = sign_in_codes.issuer AND i.subject = sign_in_codes.subject)`),
  ...OF_USER.map((table) =>
    db.run(sql`DELETE FROM ${sql.identifier(table)} WHERE user_id = ${userId}`),
  ),
  // What others shared with them: by name, or by an address that may soon be another's.
  db.run(sql`DELETE FROM shares WHERE grantee_user_id = ${userId}`),
  db.run(
    sql`DELETE FROM shares WHERE email_key = (SELECT u.email_key FROM users u WHERE u.id = ${userId})`,
  ),
  ...forgetGroupInvitesOf(userId),
  deleteWipeOf(userId),
  db.update(tasks).set({ createdBy: null, summary: '' }).where(eq(tasks.createdBy, userId)),
  db.run(sql`DELETE FROM invite_codes WHERE issued_by = ${userId} AND NOT EXISTS
    (SELECT 1 FROM invite_redemptions r WHERE r.invite_id = invite_codes.id)`),
  db.run(sql`UPDATE invite_codes SET note = '', revoked_at = ifnull(revoked_at, ${now}),
    version = version + 1, updated_at = ${now} WHERE issued_by = ${userId}`),
  db
    .update(users)
    .set({
      // An address that reaches nobody (RFC 2606), and a key that no address has: the old one is free again.
      email: `${userId}@erased.invalid`,
      emailKey: userId,
      name: '',
      nameKey: '',
      passwordHash: null,
      passwordChangedAt: null,
      passwordNeedsMfa: false,
      baseCurrency: 'EUR',
      locale: 'en',
      timeZone: 'UTC',
      status: 'deleted',
      emailVerifiedAt: null,
      mfaEnabledAt: null,
      deletionDueAt: null,
      version: sql`${users.version} + 1`,
      updatedAt: now,
    })
    .where(eq(users.id, userId)),
  mustHaveChangedOne('gone'),
  db.run(sql`DELETE FROM users WHERE id = ${userId}
    AND NOT EXISTS (SELECT 1 FROM invite_codes v WHERE v.issued_by = ${userId})`),
]
