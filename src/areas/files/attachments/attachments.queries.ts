import { type SQL, sql } from 'drizzle-orm'
import { attachments } from '../../../../drizzle/schema/files.ts'
import { legIdOf } from '../../../domain/ledger-ids.ts'
import type { SignedIn } from '../../../platform/context.ts'
import { requireChangedOne, numberOf, premise } from '../../../platform/database/premises.ts'
import { changedMeanwhile } from '../../../platform/database/refusals.ts'
import type { PageRequest } from '../../../platform/database/paging.ts'
import { among, db, type Statement, upToBytes } from '../../../platform/database/statements.ts'
import {
  isNotPrivateEntry,
  isUnrestricted,
  ownedBy,
  sharedWithMeIds,
  viewerOf,
  visibleAccountIds,
  visibleOwnerIds,
} from '../../identity/access/access.public.ts'
import { activeGroupIds } from '../../identity/memberships/memberships.public.ts'
import { attachmentErrors } from './attachments.errors.ts'
import type { AttachmentLinkKind } from './attachments.rules.ts'

export type StoredAttachment = typeof attachments.$inferSelect

/** A file as the caller sees it. */
export interface AttachmentRow {
  id: string
  ownerId: string
  /** A group that the caller is in. */
  groupId: string | null
  storageClassId: string
  objectKey: string
  fileName: string
  contentType: string
  size: number
  sha256: string
  title: string | null
  note: string | null
  version: number
  createdAt: number
  updatedAt: number
  /** 1 if the caller may change and delete it. */
  isMine: 0 | 1
  /** JSON of what `linksOf` gives. */
  links: string
}

export interface SeenLink {
  linkId: string
  kind: AttachmentLinkKind
  /**
   * The id by which the caller addresses it: for a transfer, a leg that it sees, or the transfer where its uploader
   * sees none.
   */
  id: string
}

export const linksOf = ({ links }: Pick<AttachmentRow, 'links'>): SeenLink[] =>
  (JSON.parse(links) as (SeenLink & { line: number | null })[]).map(
    ({ linkId, kind, id, line }) => ({
      linkId,
      kind,
      id: line !== null && (id.startsWith('trf_') || line > 2) ? legIdOf(id, 'transfer', line) : id,
    }),
  )

/** The transaction of a link `l`, or that which it was matched into a part of. */
const HOLDER =
  sql.raw(`ifnull((SELECT away.matched_into FROM transactions away WHERE away.id = l.target_id
  AND away.matched_part IS NOT NULL), l.target_id)`)

/**
 * The first line of the transaction of a link `l` that the caller sees, as a subquery; of one that was matched into a part the other
 * side of that.
 */
const seenLine = (ctx: SignedIn) =>
  sql`(SELECT min(e.line) FROM entries e WHERE e.transaction_id = ${HOLDER} AND e.side = 'account'
    AND e.pair IS (SELECT matched.matched_part->>'line' FROM transactions matched WHERE matched.id = l.target_id)
    AND e.account_id IN (${visibleAccountIds(ctx)}) AND ${isNotPrivateEntry(ctx)})`

/** True if the caller sees the target of a link `l`, and by that the file. */
const linkIsSeen = (ctx: SignedIn): SQL =>
  sql`CASE l.kind WHEN 'account' THEN l.target_id IN (${visibleAccountIds(ctx)})
    ELSE ${seenLine(ctx)} IS NOT NULL END`

/** True if the caller uploaded a file `a`. A token that is restricted to accounts does not count as the uploader. */
export const isUploader = (ctx: SignedIn): SQL =>
  sql`(${ownedBy(ctx.caller, 'a.owner_id')} AND ${isUnrestricted(ctx)})`

/** True if a file `a` is the caller's own, or belongs to one of its groups. Restricted tokens see none of these. */
const isOwnOrOfGroup = (ctx: SignedIn) =>
  sql`(${isUploader(ctx)} OR a.group_id IN (${activeGroupIds(ctx)}))`

/** True if the caller sees a file `a`. */
export const attachmentIsSeen = (ctx: SignedIn): SQL =>
  sql`a.deleted_at IS NULL AND (${isOwnOrOfGroup(ctx)}
    OR a.id IN (${sharedWithMeIds(viewerOf(ctx), 'attachment_id')}) OR EXISTS (SELECT 1 FROM attachment_links l
    WHERE l.attachment_id = a.id AND ${linkIsSeen(ctx)}))`

/** True if the caller may change and delete a file `a` that it sees. */
export const isMine = (ctx: SignedIn) =>
  sql`(${ownedBy(ctx.caller, 'a.owner_id')} OR a.group_id IN (${activeGroupIds(ctx, 'admin')}))`

const columns = (ctx: SignedIn) => sql`a.id, a.owner_id AS ownerId,
  CASE WHEN a.group_id IN (${activeGroupIds(ctx)}) THEN a.group_id END AS groupId,
  a.storage_class_id AS storageClassId, a.object_key AS objectKey, a.file_name AS fileName,
  a.content_type AS contentType, a.size, a.sha256, a.title, a.note, a.version, a.created_at AS createdAt,
  a.updated_at AS updatedAt, ${isMine(ctx)} AS isMine,
  (SELECT json_group_array(json_object('linkId', l.id, 'kind', l.kind, 'id', ${HOLDER},
      'line', CASE l.kind WHEN 'transaction' THEN ${seenLine(ctx)} END) ORDER BY l.id)
    FROM attachment_links l WHERE l.attachment_id = a.id AND (${isUploader(ctx)} OR ${linkIsSeen(ctx)})) AS links`

export const attachmentById = (ctx: SignedIn, id: string) =>
  db.all<AttachmentRow>(
    sql`SELECT ${columns(ctx)} FROM attachments a WHERE a.id = ${id} AND ${attachmentIsSeen(ctx)}`,
  )

/** A link of a file to something that is not its uploader's, whoever sees it. */
export interface OthersLink extends SeenLink {
  /** The owner of the account. */
  ownerId: string
  /** None where the transaction is in the trash. */
  accountId: string | null
  isPrivate: 0 | 1
}

export const linksToOthers = (attachmentId: string) =>
  db.all<OthersLink>(
    sql`SELECT l.id AS linkId, l.kind, l.target_id AS id, l.owner_id AS ownerId,
        CASE l.kind WHEN 'account' THEN l.target_id ELSE (SELECT e.account_id FROM entries e
          WHERE e.transaction_id = l.target_id AND e.side = 'account' ORDER BY e.line LIMIT 1) END AS accountId,
        ifnull(t.private, 0) AS isPrivate
      FROM attachment_links l JOIN attachments a ON a.id = l.attachment_id
        LEFT JOIN transactions t ON l.kind = 'transaction' AND t.id = l.target_id
      WHERE l.attachment_id = ${attachmentId} AND l.owner_id <> a.owner_id ORDER BY l.id`,
  )

/** A file in the trash that the caller uploaded. */
export const deletedAttachmentById = (ctx: SignedIn, id: string) =>
  db.all<AttachmentRow>(
    sql`SELECT ${columns(ctx)} FROM attachments a WHERE a.id = ${id} AND ${ownedBy(ctx.caller, 'a.owner_id')}
      AND ${isUnrestricted(ctx)} AND a.deleted_at IS NOT NULL`,
  )

/** Brings a file back from the trash. Refuses unless it is there as it was read. */
export const restoreStored = (
  ctx: SignedIn,
  { id, version }: Pick<AttachmentRow, 'id' | 'version'>,
): Statement[] => [
  db
    .update(attachments)
    .set({ deletedAt: null, version: sql`${attachments.version} + 1`, updatedAt: ctx.now })
    .where(
      sql`${attachments.id} = ${id} AND ${attachments.version} = ${version}
        AND ${ownedBy(ctx.caller, attachments.ownerId)} AND ${attachments.deletedAt} IS NOT NULL`,
    ),
  requireChangedOne(changedMeanwhile),
]

export interface AttachmentFilter {
  /** True for the files in the trash that the caller uploaded, in place of all that it sees. */
  deleted?: boolean | undefined
  linkId?: string | undefined
  groupId?: string | undefined
  type?: string | undefined
  text?: string | undefined
}

/** The ids of all files that the caller sees, those in the trash among them; of one target where that is asked for. */
const seenIds = (ctx: SignedIn, targetId: string | undefined) =>
  targetId === undefined
    ? sql`SELECT a.id FROM attachments a WHERE ${ownedBy(ctx.caller, 'a.owner_id')} AND ${isUnrestricted(ctx)}
      UNION SELECT a.id FROM attachments a WHERE a.group_id IS NOT NULL AND a.group_id IN (${activeGroupIds(ctx)})
      UNION SELECT a.id FROM attachment_links l CROSS JOIN attachments a ON a.id = l.attachment_id
        WHERE l.owner_id IN (${visibleOwnerIds(ctx)})
          AND CASE WHEN ${isUploader(ctx)} THEN FALSE ELSE ${linkIsSeen(ctx)} END`
    : sql`SELECT l.attachment_id AS id FROM attachment_links l WHERE l.target_id = ${targetId}
        AND ${linkIsSeen(ctx)}`

const matching = (ctx: SignedIn, { linkId, groupId, type, text, deleted }: AttachmentFilter) =>
  sql.join(
    [
      sql`FROM (${seenIds(ctx, linkId)}) seen CROSS JOIN attachments a ON a.id = seen.id
        WHERE ${
          deleted
            ? sql`a.deleted_at IS NOT NULL AND ${ownedBy(ctx.caller, 'a.owner_id')} AND ${isUnrestricted(ctx)}`
            : sql`a.deleted_at IS NULL`
        }`,
      ...(groupId === undefined
        ? []
        : [sql`a.group_id = ${groupId} AND a.group_id IN (${activeGroupIds(ctx)})`]),
      ...(type === undefined
        ? []
        : [sql`(a.content_type = ${type} OR instr(a.content_type, ${`${type}/`}) = 1)`]),
      ...(text === undefined
        ? []
        : [
            sql`instr(lower(a.file_name || char(10) || ifnull(a.title, '') || char(10) || ifnull(a.note, '')),
              lower(${text})) > 0`,
          ]),
    ],
    sql` AND `,
  )

/** The newest first, one row more than the page, which ends early where there are many links. */
export function pageOfAttachments(ctx: SignedIn, filter: AttachmentFilter, page: PageRequest) {
  const [before] = page.after ?? []
  return db.all<AttachmentRow>(
    upToBytes(
      // The links of a file are read once the page is known: where rows are sorted, SQLite makes all of them first.
      sql`SELECT ${columns(ctx)} FROM (SELECT a.id ${matching(ctx, filter)}
          ${before === undefined ? sql`` : sql`AND a.id < ${before}`} ORDER BY a.id DESC LIMIT ${page.limit + 1}) found
        CROSS JOIN attachments a ON a.id = found.id ORDER BY a.id DESC LIMIT ${page.limit + 1}`,
      sql`octet_length(links) + octet_length(fileName) + ifnull(octet_length(title), 0) + ifnull(octet_length(note), 0)`,
    ),
  )
}

/** The most names of files that a search compares, the newest first. */
const MOST_NAMES = 5000

export type NamedFile = Pick<AttachmentRow, 'id' | 'fileName' | 'title'>

/** The names of the files that the caller sees. */
export const visibleFileNames = (ctx: SignedIn) =>
  db.all<NamedFile>(
    sql`SELECT a.id, a.file_name AS fileName, a.title ${matching(ctx, {})}
      ORDER BY a.id DESC LIMIT ${MOST_NAMES}`,
  )

export const countOfAttachments = (ctx: SignedIn, filter: AttachmentFilter) =>
  db.all<{ count: number }>(sql`SELECT count(*) AS count ${matching(ctx, filter)}`)

export const insertAttachment = (row: StoredAttachment): Statement =>
  db.insert(attachments).values(row)

/** Refuses unless the file is as it was read, and still the caller's to change. */
export const updateAttachmentRow = (
  ctx: SignedIn,
  { id, ownerId, version }: Pick<AttachmentRow, 'id' | 'ownerId' | 'version'>,
  changed: Partial<StoredAttachment>,
): Statement[] => [
  mustStillBeMine(ctx, id),
  db
    .update(attachments)
    .set({ ...changed, version: sql`${attachments.version} + 1`, updatedAt: ctx.now })
    .where(
      sql`${attachments.id} = ${id} AND ${attachments.ownerId} = ${ownerId} AND ${attachments.version} = ${version}
        AND ${attachments.deletedAt} IS NULL`,
    ),
  requireChangedOne(changedMeanwhile),
]

/** Refuses unless the caller still sees a file and may change it. */
export const mustStillBeMine = (ctx: SignedIn, id: string): Statement =>
  premise(
    db.run(sql`INSERT INTO write_guard (premise)
    SELECT CASE WHEN a.id IS NULL THEN ${numberOf('gone')} ELSE ${numberOf('permission')} END
    FROM (SELECT 1) LEFT JOIN attachments a ON a.id = ${id} AND ${attachmentIsSeen(ctx)}
    WHERE a.id IS NULL OR NOT ${isMine(ctx)}`),
    { gone: attachmentErrors.notFound, permission: attachmentErrors.notAllowed },
  )

export interface UsageRow {
  storageClassId: string
  name: string
  groupId: string | null
  bytes: number
  objects: number
  quotaBytes: number | null
}

/** Finds the usage of storage by the caller, and by each group that it is in. */
export const usageOf = (ctx: SignedIn) =>
  db.all<UsageRow>(
    sql`SELECT c.id AS storageClassId, c.name, nullif(u.holder_id, ${ctx.caller.userId}) AS groupId, u.bytes,
        u.objects, c.quota_bytes AS quotaBytes
      FROM storage_usage u JOIN storage_classes c ON c.id = u.storage_class_id
      WHERE u.holder_id IN (SELECT ${ctx.caller.userId} UNION ${activeGroupIds(ctx)})
      ORDER BY groupId, c.name_key`,
  )

/** Erases files and their links; the objects are somebody else's to delete. */
export const eraseAttachments = (ids: string[]): Statement[] => [
  db.run(sql`DELETE FROM attachment_links WHERE attachment_id IN ${among(ids)}`),
  db.run(sql`DELETE FROM attachments WHERE id IN ${among(ids)}`),
]
