import { and, eq, gt, isNull, sql } from 'drizzle-orm'
import { attachmentLinks, attachments } from '../../../../drizzle/schema/files.ts'
import { countOf, hashText, textUpTo } from '../../../domain/stored-values.ts'
import { takenAs } from '../../../http/stored-fields.ts'
import { presentStamps } from '../../../http/fields.ts'
import type { ArchivedRow, ArchivedTable } from '../../../platform/owned-data/archived-tables.ts'
import { byId, stored } from '../../../platform/owned-data/exports.ts'
import { type OwnedData, ownRows } from '../../../platform/owned-data/owned-data.ts'
import type { PageRequest } from '../../../platform/database/paging.ts'
import { db, pageUpToBytes } from '../../../platform/database/statements.ts'
import { UpdateAttachmentRequest } from './attachments.contract.ts'
import { archivePathOf, MOST_FILES_OF_ONE, MOST_ATTACHMENT_LINKS } from './attachments.rules.ts'
import { mustBeFewLinks } from './links/links.queries.ts'
import { storeArchivedFile } from './upload.usecases.ts'
import { mustBeWithinAllQuotas } from './upload.queries.ts'

/** With what each is linked to, as JSON. A page ends early where there is much of that. */
const pageOfAttachments = (ownerId: string, { after, limit }: PageRequest) =>
  pageUpToBytes(
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
        links:
          sql<string>`(SELECT json_group_array(json_object('kind', l.kind, 'id', l.target_id) ORDER BY l.kind, l.target_id)
          FROM attachment_links l WHERE l.attachment_id = attachments.id)`.as('links'),
      })
      .from(attachments)
      .where(
        and(
          eq(attachments.ownerId, ownerId),
          isNull(attachments.deletedAt),
          gt(attachments.id, after?.[0] ?? ''),
        ),
      )
      .orderBy(attachments.id)
      .limit(limit + 1),
  )

type StoredFile = Awaited<ReturnType<typeof pageOfAttachments>>[number]

const presentFile = (file: StoredFile) => ({
  id: file.id,
  path: archivePathOf(file),
  fileName: file.fileName,
  contentType: file.contentType,
  size: file.size,
  sha256: file.sha256,
  title: file.title,
  note: file.note,
  groupId: file.groupId,
  links: JSON.parse(file.links) as { kind: string; id: string }[],
  ...presentStamps(file),
})

/** The greatest length of each half of a media type, by RFC 6838. */
const MOST_OF_TYPE = 127

/** Files that the owner uploaded, without those of the trash. Restored, they are the owner's alone. */
const archivedFiles: ArchivedTable = {
  table: attachments,
  prefixes: ['att'],
  owner: [attachments.ownerId],
  order: [attachments.id],
  where: isNull(attachments.deletedAt),
  holds: {
    ...takenAs(UpdateAttachmentRequest, ['fileName', 'title', 'note']),
    contentType: textUpTo(MOST_OF_TYPE),
    size: countOf,
    sha256: hashText,
  },
  leftOut: [
    attachments.groupId,
    attachments.storageClassId,
    attachments.objectKey,
    attachments.deletedAt,
  ],
  file: {
    pathOf: (row) => archivePathOf({ id: String(row['id']), fileName: String(row['file_name']) }),
    store: storeArchivedFile,
    premises: ({ caller }) => [mustBeWithinAllQuotas(caller.userId)],
  },
}

export const attachmentData: OwnedData = {
  area: 'attachments',
  tables: [attachments, attachmentLinks],
  erase: [
    // Files that the user uploaded, also into a group and onto what others own, and those in the trash.
    ownRows('files', attachments, {
      referredToBy: [attachmentLinks.attachmentId],
      wipedWith: ['files'],
    }),
  ],
  archived: [
    archivedFiles,
    {
      table: attachmentLinks,
      prefixes: ['lnk'],
      of: { column: attachmentLinks.attachmentId, parent: archivedFiles },
      // The owner of the transaction or account, not of the file.
      owner: [attachmentLinks.ownerId],
      order: [attachmentLinks.id],
      // The plus keeps SQLite from looking for them by their owner, of whom there may be many.
      where: sql`+${attachmentLinks.ownerId} = ${attachments.ownerId}`,
      users: [attachmentLinks.createdBy],
      names: [[attachmentLinks.targetId, ['accounts', 'transactions']]],
      most: [
        { rows: MOST_ATTACHMENT_LINKS, per: [attachmentLinks.attachmentId] },
        ...(['account', 'transaction'] as const).map((kind) => ({
          rows: MOST_FILES_OF_ONE[kind],
          per: [attachmentLinks.targetId],
          counts: (row: ArchivedRow) =>
            String(row['target_id']).startsWith('acc_') === (kind === 'account'),
        })),
      ],
      // Together with links of other owners, which no archive has.
      follow: mustBeFewLinks,
      merge: { with: [attachmentLinks.attachmentId, attachmentLinks.targetId] },
    },
  ],
  exports: [
    stored('attachments', pageOfAttachments, presentFile, byId, (file) => ({
      path: archivePathOf(file),
      objectKey: file.objectKey,
    })),
  ],
}
