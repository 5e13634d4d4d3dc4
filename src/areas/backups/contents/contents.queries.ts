import { and, eq, gt, isNull, sql } from 'drizzle-orm'
import { accounts } from '../../../../drizzle/schema/accounts.ts'
import { attachments } from '../../../../drizzle/schema/files.ts'
import { groupMembers, groups, shares } from '../../../../drizzle/schema/groups.ts'
import { transactionLinks } from '../../../../drizzle/schema/ledger.ts'
import type { PageRequest } from '../../../platform/paging.ts'
import { IS_OF_COMMIT } from '../../audit-log/audit-log.public.ts'
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

export interface LogRow {
  sequence: string
  id: string
  at: number
  type: string
  actorType: 'user' | 'token' | 'system' | 'anonymous'
  actorId: string | null
  tokenId: string | null
  resourceType: string
  resourceId: string | null
  accountId: string | null
  groupId: string | null
  content: string | null
  facts: string | null
  currency: string | null
  requestId: string
  ip: string | null
  userAgent: string | null
}

/** Events of own data: most stand under the commit, those that are not the commit's owner's under the event. */
const inCommits = (ownerId: string) =>
  sql`log_commits c CROSS JOIN log_events e ON ${IS_OF_COMMIT} WHERE c.owner_id = ${ownerId} AND e.owner_id IS NULL`

const inEvents = (ownerId: string) => sql`log_events e WHERE e.owner_id = ${ownerId}`

/** What happened to own data, whoever did it, in the order of the log. */
export const pageOfLog = (ownerId: string, page: PageRequest) => {
  const last = sql`CAST(${from(page)} AS INTEGER)`
  // Else every page would go through the commits of all pages before it, and each commit through all events behind `last`.
  const isInLaterCommit = sql`c.number >= ifnull((SELECT a.commit_number FROM log_events a WHERE a.number = ${last}), 0)`
  const numbers = [
    sql`${inCommits(ownerId)} AND ${isInLaterCommit} AND +e.number > ${last} ORDER BY c.number, e.number`,
    sql`${inEvents(ownerId)} AND e.number > ${last} ORDER BY e.number`,
  ].map((found) => sql`SELECT * FROM (SELECT e.number FROM ${found} LIMIT ${page.limit + 1})`)
  return db.all<LogRow>(
    sql`SELECT CAST(l.number AS TEXT) AS sequence, l.id, l.at, l.type, l.actor_type AS actorType, l.actor_id AS actorId,
        l.token_id AS tokenId, l.resource_type AS resourceType, l.resource_id AS resourceId,
        l.account_id AS accountId, l.group_id AS groupId, l.content, l.facts,
        ifnull(l.facts ->> 'currency', (SELECT a.currency FROM accounts a
          WHERE a.id = l.account_id)) AS currency, l.request_id AS requestId, l.ip,
        l.user_agent AS userAgent
      FROM (${sql.join(numbers, sql` UNION ALL `)}) p CROSS JOIN log_entries l ON l.number = p.number
      ORDER BY l.number LIMIT ${page.limit + 1}`,
  )
}

/** Grows with whatever happens to the data of the user. */
export const lastChangeOf = (ownerId: string) =>
  db.all<{ sequence: number }>(
    sql`SELECT max(ifnull((SELECT max(c.first_event) FROM log_commits c WHERE c.owner_id = ${ownerId}), 0),
      ifnull((SELECT max(e.number) FROM ${inEvents(ownerId)}), 0)) AS sequence`,
  )
