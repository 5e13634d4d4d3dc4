import { z } from '@hono/zod-openapi'
import {
  id,
  idInput,
  nullableText,
  textField,
  presentStamps,
  stamps,
  integerField,
  yesInQuery,
  countOfLog,
  instant,
  nextCursor,
  toInstant,
} from '../../../http/fields.ts'
import { must } from '../../../http/issues.ts'
import { pageQuery, pageResponse, presentPage, type Listed } from '../../../http/pagination.ts'
import { type AttachmentRow, linksOf, type UsageRow } from './attachments.queries.ts'
import { ATTACHMENT_LINK_KINDS, LONGEST_MINUTES } from './attachments.rules.ts'
import type { DownloadRow } from './downloads.queries.ts'
import type { DownloadLink } from './attachments.usecases.ts'

/** Characters that end lines, turn the direction of the text after them, or are invisible. */
// oxlint-disable-next-line no-control-regex -- they are what is refused
const UNSEEN = /[\0-\x1F\x7F-\x9F\u200B-\u200F\u2028-\u202E\u2060-\u2069\uFEFF\uFFFD]/
// oxlint-disable-next-line no-control-regex -- they are what is refused
const CONTROLS = /[\0-\x08\x0B-\x1F\x7F]/

/** Some clients send where the file was: that is nobody's business. */
export const fileNameInput = z
  .string()
  .max(1000)
  .transform((name) => (name.split(/[/\\]/).at(-1) ?? '').normalize('NFC').trim())
  .refine(
    (name) => name.length > 0 && name.length <= 255 && !UNSEEN.test(name) && !/^\.+$/.test(name),
    must('must be a file name of 1 to 255 visible characters'),
  )
  .openapi({
    type: 'string',
    description: 'File name for downloads. Leading folders are removed.',
    example: 'bill.pdf',
  })

const words = (most: number, description: string, example: string) =>
  z
    .string()
    .trim()
    .max(most)
    .refine((text) => !CONTROLS.test(text), must('must not have control characters'))
    .openapi({ description, example })

const TITLE = [200, 'Title of the file.', 'Electricity, October'] as const
const NOTE = [2000, 'Note about the file.', 'Paid in cash'] as const
const titleInput = words(...TITLE)
const noteInput = words(...NOTE)

const linkKind = z.enum(ATTACHMENT_LINK_KINDS).openapi({
  description: 'Kind of the resource that the file is attached to.',
  example: 'transaction',
})

const targetId = idInput(
  'txn',
  'Id of the transaction, transfer or account. For a transfer, the id of one side works, too.',
)

export const ListAttachmentsQuery = z.strictObject({
  linkId: idInput('txn', 'Only files attached to this transaction or account.').optional(),
  groupId: idInput('grp', 'Only files uploaded for this group.').optional(),
  deleted: yesInQuery('true to list the caller’s files in the trash instead.', false).optional(),
  type: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .openapi({ description: 'Media type, or the part before its slash.', example: 'image' }),
  text: z.string().min(1).max(200).optional().openapi({
    description: 'Text in the file name, title or note. The case of Latin letters is ignored.',
    example: 'bill',
  }),
  ...pageQuery(),
})

export const UpdateAttachmentRequest = z
  .strictObject({
    fileName: fileNameInput.optional(),
    title: titleInput.nullable().optional(),
    note: noteInput.nullable().optional(),
  })
  .openapi('UpdateAttachmentRequest')

export const AttachmentResponse = z
  .object({
    id: id('att', 'Id of the file.'),
    fileName: textField('File name.', 'bill.pdf'),
    contentType: textField('Media type, detected from the content.', 'application/pdf'),
    size: integerField('Size in bytes.', 48_213),
    sha256: textField('Hexadecimal SHA-256 of the content.', '9f86d081884c7d659a2feaa0c55ad015…'),
    title: nullableText('Title of the file.', 'Electricity, October'),
    note: nullableText('Note about the file.'),
    ownerId: id('usr', 'User who uploaded the file.'),
    groupId: nullableText('Group that the file was uploaded for.'),
    storageClassId: id('stc', 'Storage class of the file.'),
    links: z
      .array(
        z.object({
          linkId: id('lnk', 'Id of the link.'),
          kind: linkKind,
          id: textField('Id of the transaction or account.', 'txn_01k9v3q8m5t0w2x4y6z8a1b3d5'),
        }),
      )
      .openapi({ description: 'Links to transactions and accounts that the caller sees.' }),
    ...stamps,
  })
  .openapi('AttachmentResponse')

export const AttachmentsResponse = pageResponse(
  'attachments',
  AttachmentResponse,
  'One page of the list, newest first.',
).openapi('AttachmentsResponse')

export const AttachmentUsageResponse = z
  .object({
    usage: z
      .array(
        z.object({
          storageClassId: id('stc', 'Id of the storage class.'),
          name: textField('Name of the storage class.', 'Standard'),
          groupId: nullableText('Group that the files belong to; null for the caller’s own files.'),
          bytes: integerField('Number of stored bytes, including the trash.', 48_213),
          objects: integerField('Number of files.', 1),
          quotaBytes: integerField(
            'Maximum number of bytes; null for no limit.',
            1_073_741_824,
          ).nullable(),
        }),
      )
      .openapi({
        description: 'Usage by storage class, of the caller’s files and those of their groups.',
      }),
  })
  .openapi('AttachmentUsageResponse')

export const presentAttachment = (row: AttachmentRow): z.infer<typeof AttachmentResponse> => ({
  id: row.id,
  fileName: row.fileName,
  contentType: row.contentType,
  size: row.size,
  sha256: row.sha256,
  title: row.title,
  note: row.note,
  ownerId: row.ownerId,
  groupId: row.groupId,
  storageClassId: row.storageClassId,
  links: linksOf(row).map(({ linkId, kind, id }) => ({ linkId, kind, id })),
  ...presentStamps(row),
})

export const presentAttachments = presentPage('attachments', presentAttachment)

export const presentUsage = (usage: UsageRow[]): z.infer<typeof AttachmentUsageResponse> => ({
  usage,
})

export const DownloadLinkRequest = z
  .strictObject({
    minutes: z.number().int().min(1).max(LONGEST_MINUTES).default(15).openapi({
      description:
        'Maximum lifetime of the link. It ends earlier if the session or token that created it ends.',
      example: 15,
    }),
  })
  .openapi('DownloadLinkRequest')

export const DownloadLinkResponse = z
  .object({
    url: textField(
      'Path on this service. Anyone who has it can get the file.',
      '/download/WyJhdHRf…',
    ),
    expiresAt: instant('Time at which the link expires.'),
  })
  .openapi('DownloadLinkResponse')

export const linkPath = z.object({
  token: z
    .string()
    .max(2000)
    .openapi({ description: 'Token, as in `url`.', example: 'WyJhdHRf….k2J' }),
})

export const ListDownloadsQuery = z.strictObject({ ...pageQuery() })

export const DownloadsResponse = z
  .object({
    downloads: z
      .array(
        z.object({
          at: instant('Time of the download.'),
          kind: z
            .enum(['attachment', 'backup', 'export', 'auditLog', 'import'])
            .openapi({ description: 'Kind of the file.', example: 'attachment' }),
          resourceId: nullableText('Id of the file.', 'att_01k9v3q8m5t0w2x4y6z8a1b3c5'),
          fileName: nullableText('Name of the file, while the caller can see it.', 'bill.pdf'),
          bytes: integerField('Number of bytes that were requested.', 48_213),
        }),
      )
      .openapi({ description: 'One page of the list, latest first.' }),
    count: countOfLog,
    nextCursor,
  })
  .openapi('DownloadsResponse')

export const presentDownloadLink = ({
  token,
  expiresAt,
}: DownloadLink): z.infer<typeof DownloadLinkResponse> => ({
  url: `/download/${token}`,
  expiresAt: toInstant(expiresAt),
})

export const presentAttachmentDownloads = ({
  rows,
  count,
  nextCursor,
}: Listed<DownloadRow>): z.infer<typeof DownloadsResponse> => ({
  downloads: rows.map(({ at, kind, resourceId, fileName, bytes }) => ({
    at: toInstant(at),
    kind,
    resourceId,
    fileName,
    bytes,
  })),
  count,
  nextCursor,
})

export const LinkAttachmentRequest = z
  .strictObject({ kind: linkKind, id: targetId })
  .openapi('LinkAttachmentRequest')

export const CreateAttachmentQuery = z
  .strictObject({
    fileName: fileNameInput,
    title: titleInput.optional(),
    note: noteInput.optional(),
    groupId: idInput(
      'grp',
      'Group to upload for. Its members see the file, and its quota is used.',
    ).optional(),
    linkKind: linkKind.optional(),
    linkId: targetId.optional(),
  })
  .refine(({ linkKind: kind, linkId }) => (kind === undefined) === (linkId === undefined), {
    ...must('and linkKind must be sent together, or neither of them', 'combination'),
    path: ['linkId'],
  })
