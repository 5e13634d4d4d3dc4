import { type SQL, sql } from 'drizzle-orm'
import { attachmentLinks, attachments } from '../../../../../drizzle/schema/files.ts'
import { addressOf, isLegOfPart } from '../../../../domain/ledger-ids.ts'
import { rankOf } from '../../../../domain/sharing.ts'
import type { SignedIn } from '../../../../platform/context.ts'
import {
  requireChangedOne,
  mustKeepVersion,
  numberOf,
  premise,
  refuseIf,
} from '../../../../platform/database/premises.ts'
import type { Refusal } from '../../../../platform/database/refusals.ts'
import { among, db, nothing, type Statement } from '../../../../platform/database/statements.ts'
import {
  accountIsSeenBy,
  isNotPrivateTo,
  viewerOf,
  accessLevel,
} from '../../../identity/access/access.public.ts'
import type { OwnedTransaction } from '../../../../ledger/ledger.public.ts'
import { attachmentErrors } from '../attachments.errors.ts'
import { type AttachmentRow, isMine, isUploader } from '../attachments.queries.ts'
import {
  type AttachmentLinkKind,
  MOST_FILES_OF_ONE,
  MOST_ATTACHMENT_LINKS,
} from '../attachments.rules.ts'

/** The target of a link, as a request names it. */
export interface LinkTarget {
  kind: AttachmentLinkKind
  id: string
}

/** The target of a link, as the caller sees it. */
export interface SeenTarget {
  /** The id of the transaction, not of a leg, or of the account. */
  targetId: string
  accountId: string
  /** The owner of the target. */
  ownerId: string
  /** The caller's access to the account. */
  rank: number
  isPrivate: 0 | 1
}

export const MAY_ATTACH = rankOf('annotate')
/** The right that allows removing files of others. */
export const MAY_TAKE_OFF = rankOf('write')

/** The transaction and the line of it that an id names; of a transfer itself any, and of the other side of a part none. */
function transactionOf(id: string): { transactionId: string; line: number | null } {
  if (id.startsWith('trf_')) {
    return { transactionId: id, line: null }
  }
  const address = addressOf(id)
  return isLegOfPart(address.line) ? { transactionId: '', line: 0 } : address
}

/** Files are of a transaction with its own account, and of both of a transfer: not of the other sides of parts. */
const IS_OWN_LINE = sql.raw(`e.side = 'account' AND e.line <= 2`)

/** A subquery of the account that is attached to, or on which that is booked, whoever sees it. */
export function accountOfTarget({ kind, id }: LinkTarget): SQL {
  if (kind === 'account') {
    return sql`SELECT ${id}`
  }
  const { transactionId, line } = transactionOf(id)
  return sql`SELECT e.account_id FROM entries e WHERE e.transaction_id = ${transactionId}
    AND e.side = 'account' AND e.line = ${line ?? 1}`
}

/** No row for what the caller does not see. */
export function seenTarget(ctx: SignedIn, target: LinkTarget | undefined): Statement<SeenTarget[]> {
  if (target === undefined) {
    return nothing()
  }
  const viewer = viewerOf(ctx)
  const account = sql`accounts.id AS accountId, accounts.owner_id AS ownerId, (${accessLevel(viewer)}) AS rank`
  if (target.kind === 'account') {
    return db.all(sql`SELECT accounts.id AS targetId, ${account}, 0 AS isPrivate FROM accounts
      WHERE accounts.id = ${target.id} AND ${accountIsSeenBy(viewer)}`)
  }
  const { transactionId, line } = transactionOf(target.id)
  return db.all(sql`SELECT t.id AS targetId, ${account}, t.private AS isPrivate
    FROM transactions t JOIN entries e ON e.transaction_id = t.id AND ${IS_OWN_LINE}
      JOIN accounts ON accounts.id = e.account_id
    WHERE t.id = ${transactionId} ${line === null ? sql`` : sql`AND e.line = ${line}`}
      AND ${accountIsSeenBy(viewer)} AND ${isNotPrivateTo(ctx)}
    ORDER BY rank DESC, e.line LIMIT 1`)
}

/** Files of transactions go to another one, but for those that it has already. */
export const moveFileLinks = (from: OwnedTransaction[], toId: string): Statement =>
  db.run(
    sql`UPDATE OR IGNORE attachment_links SET target_id = ${toId} WHERE target_id IN ${among(from.map(({ id }) => id))}
      AND +owner_id IN ${among([...new Set(from.map(({ ownerId }) => ownerId))])}`,
  )

/** Attaches a file. Refuses when it is attached to too many things, or the thing has too many files. */
export const insertAttachmentLink = (row: typeof attachmentLinks.$inferInsert): Statement[] => [
  db.insert(attachmentLinks).values(row),
  mustHaveFewLinks([row.attachmentId]),
  mustHaveFewFiles([row.targetId]),
]

/** Refuses when one of these files is attached to too many things. It belongs behind what attaches them. */
const mustHaveFewLinks = (attachmentIds: string[] | SQL): Statement =>
  refuseIf(
    sql`EXISTS (SELECT 1 FROM attachment_links l WHERE l.attachment_id IN ${listOf(attachmentIds)}
      GROUP BY l.attachment_id HAVING count(*) > ${MOST_ATTACHMENT_LINKS})`,
    attachmentErrors.tooManyLinks,
  )

/**
 * Refuses when one of these transactions and accounts has too many files. Files in the trash count, so that each can be restored. It
 * belongs behind what attaches them.
 */
export const mustHaveFewFiles = (targetIds: string[] | SQL): Statement =>
  refuseIf(
    sql`EXISTS (SELECT 1 FROM attachment_links l WHERE l.target_id IN ${listOf(targetIds)}
      GROUP BY l.target_id HAVING count(*) >
        CASE WHEN l.target_id GLOB 'acc_*' THEN ${MOST_FILES_OF_ONE.account} ELSE ${MOST_FILES_OF_ONE.transaction} END)`,
    attachmentErrors.tooManyFiles,
  )

const listOf = (ids: string[] | SQL): SQL => (Array.isArray(ids) ? among(ids) : ids)

/** Refuses when one of these links is one too many. */
export const mustBeFewLinks = (linkIds: string[]): Statement[] => {
  const columnOf = (name: string) =>
    sql`(SELECT ${sql.identifier(name)} FROM attachment_links WHERE id IN ${among(linkIds)})`
  return [mustHaveFewLinks(columnOf('attachment_id')), mustHaveFewFiles(columnOf('target_id'))]
}

/** Takes a link off a file that was read. Refuses when it is off already. */
export const deleteAttachmentLink = (
  ctx: SignedIn,
  file: Pick<AttachmentRow, 'id' | 'version'>,
  linkId: string,
): Statement[] => [
  ...mustKeepVersion(ctx, attachments, file),
  db
    .delete(attachmentLinks)
    .where(sql`${attachmentLinks.id} = ${linkId} AND ${attachmentLinks.attachmentId} = ${file.id}`),
  requireChangedOne(attachmentErrors.linkNotFound),
]

/** Refuses unless the caller still sees what it attaches to, and may annotate it. */
export function mustAttachTo(
  ctx: SignedIn,
  {
    kind,
    targetId,
    accountId,
  }: Pick<SeenTarget, 'targetId' | 'accountId'> & { kind: AttachmentLinkKind },
  unknownTarget: Refusal,
): Statement {
  const viewer = viewerOf(ctx)
  const isThere =
    kind === 'account'
      ? sql`TRUE`
      : sql`EXISTS (SELECT 1 FROM transactions t JOIN entries e ON e.transaction_id = t.id
          AND ${IS_OWN_LINE} AND e.account_id = accounts.id
        WHERE t.id = ${targetId} AND ${isNotPrivateTo(ctx)})`
  return premise(
    db.run(sql`INSERT INTO write_guard (premise)
    SELECT CASE WHEN accounts.id IS NULL THEN ${numberOf('gone')} ELSE ${numberOf('permission')} END
    FROM (SELECT 1) LEFT JOIN accounts ON accounts.id = ${accountId} AND ${accountIsSeenBy(viewer)} AND ${isThere}
    WHERE accounts.id IS NULL OR (${accessLevel(viewer)}) < ${sql.raw(String(MAY_ATTACH))}`),
    { gone: unknownTarget, permission: attachmentErrors.targetNotAllowed },
  )
}

/** On what account a link is, and what the caller may do there. */
export interface SeenLinkTarget {
  accountId: string
  /** The owner of the target. */
  ownerId: string
  rank: number
  isPrivate: 0 | 1
}

function targetOfLink(ctx: SignedIn, attachmentId: string, linkId: string): SQL {
  const viewer = viewerOf(ctx)
  return sql`SELECT accounts.id AS accountId, accounts.owner_id AS ownerId, (${accessLevel(viewer)}) AS rank,
      ifnull(t.private, 0) AS isPrivate
    FROM attachment_links l
      LEFT JOIN entries e ON l.kind = 'transaction' AND e.transaction_id = l.target_id AND ${IS_OWN_LINE}
      LEFT JOIN transactions t ON t.id = e.transaction_id
      JOIN accounts ON accounts.id = CASE l.kind WHEN 'account' THEN l.target_id ELSE e.account_id END
    WHERE l.id = ${linkId} AND l.attachment_id = ${attachmentId} AND ${accountIsSeenBy(viewer)}
      AND (t.id IS NULL OR ${isNotPrivateTo(ctx)})
    ORDER BY rank DESC, e.line LIMIT 1`
}

/** No row for a link to something that the caller does not see. */
export const linkById = (ctx: SignedIn, attachmentId: string, linkId: string) =>
  db.all<SeenLinkTarget>(targetOfLink(ctx, attachmentId, linkId))

/** Refuses unless the caller still sees a link and may take it off. The uploader of the file may take off every link. */
export function mustTakeOff(ctx: SignedIn, attachmentId: string, linkId: string): Statement {
  const isFileThat = (condition: SQL) =>
    sql`EXISTS (SELECT 1 FROM attachments a WHERE a.id = ${attachmentId} AND ${condition})`
  return premise(
    db.run(sql`INSERT INTO write_guard (premise)
    SELECT CASE WHEN found.rank IS NULL THEN ${numberOf('gone')} ELSE ${numberOf('permission')} END
    FROM (SELECT 1) LEFT JOIN (${targetOfLink(ctx, attachmentId, linkId)}) found ON TRUE
    WHERE NOT ${isFileThat(isUploader(ctx))} AND (found.rank IS NULL
      OR found.rank < ${sql.raw(String(MAY_TAKE_OFF))} AND NOT ${isFileThat(isMine(ctx))})`),
    { gone: attachmentErrors.linkNotFound, permission: attachmentErrors.notAllowed },
  )
}
