import { and, eq, gt, isNull, sql } from 'drizzle-orm'
import { accounts } from '../../../../drizzle/schema/accounts.ts'
import { attachments } from '../../../../drizzle/schema/files.ts'
import { groupMembers, groups, shares } from '../../../../drizzle/schema/groups.ts'
import { transactionLinks } from '../../../../drizzle/schema/ledger.ts'
import type { auditLog } from '../../../../drizzle/schema/system.ts'
import type { PageRequest } from '../../../platform/paging.ts'
import { db } from '../../../platform/statements.ts'

// What no list of the interface gives as a whole. One row more than the page, in the order of the ids.

/** Also of those in the trash. */
export const accountIdsOf = (ownerId: string) =>
  db.select({ id: accounts.id }).from(accounts).where(eq(accounts.ownerId, ownerId))

const from = ({ after }: PageRequest) => after?.[0] ?? ''

export const pageOfLinks = (ownerId: string, page: PageRequest) =>
  db
    .select()
    .from(transactionLinks)
    .where(and(eq(transactionLinks.ownerId, ownerId), gt(transactionLinks.id, from(page))))
    .orderBy(transactionLinks.id)
    .limit(page.limit + 1)

export interface DistinctPair {
  kind: 'duplicate' | 'transfer'
  oneId: string
  otherId: string
  createdAt: number
}

/** A position is `[oneId, otherId, kind]`. */
export const pageOfDistinctPairs = (
  ownerId: string,
  { after = ['', '', ''], limit }: PageRequest,
) =>
  db.all<DistinctPair>(
    sql`SELECT kind, one_id AS oneId, other_id AS otherId, created_at AS createdAt FROM distinct_pairs
      WHERE owner_id = ${ownerId} AND (one_id, other_id, kind) > (${after[0]}, ${after[1]}, ${after[2]})
      ORDER BY one_id, other_id, kind LIMIT ${limit + 1}`,
  )

export const pageOfShares = (ownerId: string, page: PageRequest) =>
  db
    .select()
    .from(shares)
    .where(and(eq(shares.ownerId, ownerId), gt(shares.id, from(page))))
    .orderBy(shares.id)
    .limit(page.limit + 1)

export const pageOfMemberships = (userId: string, page: PageRequest) =>
  db
    .select({
      id: groups.id,
      name: groups.name,
      kind: groups.kind,
      baseCurrency: groups.baseCurrency,
      role: groupMembers.role,
      joinedAt: groupMembers.joinedAt,
    })
    .from(groupMembers)
    .innerJoin(groups, eq(groups.id, groupMembers.groupId))
    .where(and(eq(groupMembers.userId, userId), gt(groupMembers.groupId, from(page))))
    .orderBy(groupMembers.groupId)
    .limit(page.limit + 1)

/** With what each is linked to, as JSON. */
export const pageOfAttachments = (ownerId: string, page: PageRequest) =>
  db
    .select({
      id: attachments.id,
      groupId: attachments.groupId,
      objectKey: attachments.objectKey,
      fileName: attachments.fileName,
      contentType: attachments.contentType,
      size: attachments.size,
      sha256: attachments.sha256,
      title: attachments.title,
      note: attachments.note,
      version: attachments.version,
      createdAt: attachments.createdAt,
      updatedAt: attachments.updatedAt,
      links: sql<string>`(SELECT json_group_array(json_object('kind', l.kind, 'id', l.target_id))
        FROM attachment_links l WHERE l.attachment_id = attachments.id)`.as('links'),
    })
    .from(attachments)
    .where(
      and(
        eq(attachments.ownerId, ownerId),
        isNull(attachments.deletedAt),
        gt(attachments.id, from(page)),
      ),
    )
    .orderBy(attachments.id)
    .limit(page.limit + 1)

export type StoredAttachment = Awaited<ReturnType<typeof pageOfAttachments>>[number]

export const avatarOf = (userId: string) =>
  db.all<{ objectKey: string; contentType: string }>(
    sql`SELECT object_key AS objectKey, content_type AS contentType FROM user_avatars WHERE user_id = ${userId}`,
  )

export type LogRow = typeof auditLog.$inferSelect & { sequence: string; currency: string | null }

/** What happened to own data, whoever did it, in the order of the log. */
export const pageOfLog = (ownerId: string, page: PageRequest) =>
  db.all<LogRow>(
    sql`SELECT CAST(rowid AS TEXT) AS sequence, id, at, action, actor_type AS actorType, actor_id AS actorId,
        token_id AS tokenId, resource_type AS resourceType, resource_id AS resourceId,
        account_id AS accountId, group_id AS groupId, changes, facts,
        ifnull(facts ->> 'currency', (SELECT a.currency FROM accounts a
          WHERE a.id = ifnull(booked_on, account_id))) AS currency, request_id AS requestId, ip,
        user_agent AS userAgent
      FROM audit_log WHERE owner_id = ${ownerId} AND rowid > CAST(${from(page)} AS INTEGER)
      ORDER BY rowid LIMIT ${page.limit + 1}`,
  )

/** Grows with whatever happens to the data of the user. */
export const lastChangeOf = (ownerId: string) =>
  db.all<{ sequence: number }>(
    sql`SELECT ifnull(max(rowid), 0) AS sequence FROM audit_log WHERE owner_id = ${ownerId}`,
  )
