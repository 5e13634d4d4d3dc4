import { z } from '@hono/zod-openapi'
import {
  count,
  id,
  idInput,
  nullableText,
  nextCursor,
  textField,
  presentStamps,
  stamps,
  integerField,
  yesInQuery,
} from '../../../http/fields.ts'
import { must } from '../../../http/issues.ts'
import { type Listed, pageQuery } from '../../../http/pagination.ts'
import { type AttachmentRow, linksOf, type UsageRow } from './attachments.queries.ts'
import { LINK_KINDS } from './attachments.rules.ts'

/** Of letters that end lines, turn the direction of what follows, or cannot be seen at all. */
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
    description: 'Its name, under which it is downloaded; folders in front are dropped.',
    example: 'bill.pdf',
  })

const words = (most: number, description: string, example: string) =>
  z
    .string()
    .trim()
    .max(most)
    .refine((text) => !CONTROLS.test(text), must('must not have control characters'))
    .openapi({ description, example })

const TITLE = [200, 'What it is.', 'Electricity, October'] as const
const NOTE = [2000, 'About it.', 'Paid in cash'] as const
export const titleInput = words(...TITLE)
export const noteInput = words(...NOTE)

export const linkKind = z
  .enum(LINK_KINDS)
  .openapi({ description: 'What kind of thing it is attached to.', example: 'transaction' })

export const targetId = idInput(
  'txn',
  'The transaction (of a transfer: either leg, or the transfer) or the account.',
)

export const ListAttachmentsQuery = z.strictObject({
  linkId: idInput('txn', 'Only what is attached to this transaction or account.').optional(),
  groupId: idInput('grp', 'Only what was uploaded for this group.').optional(),
  deleted: yesInQuery('What the caller uploaded and is in the trash, instead.', false).optional(),
  type: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .openapi({ description: 'A media type, or the part before its slash.', example: 'image' }),
  text: z.string().min(1).max(200).optional().openapi({
    description: 'In the file name, title or note; of Latin letters in any case.',
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
    fileName: textField('Its name.', 'bill.pdf'),
    contentType: textField('Its media type, as its bytes say.', 'application/pdf'),
    size: integerField('In bytes.', 48_213),
    sha256: textField('Hexadecimal.', '9f86d081884c7d659a2feaa0c55ad015…'),
    title: nullableText('What it is.', 'Electricity, October'),
    note: nullableText('About it.'),
    ownerId: id('usr', 'Who uploaded it.'),
    groupId: nullableText('The group that it was uploaded for.'),
    storageClassId: id('stc', 'Where it is kept.'),
    links: z
      .array(
        z.object({
          linkId: id('lnk', 'Id of the link.'),
          kind: linkKind,
          id: textField('The transaction or account.', 'txn_01k9v3q8m5t0w2x4y6z8a1b3d5'),
        }),
      )
      .openapi({ description: 'What it is attached to, as far as the caller sees that.' }),
    ...stamps,
  })
  .openapi('AttachmentResponse')

export const ListAttachmentsResponse = z
  .object({
    attachments: z.array(AttachmentResponse).openapi({ description: 'The newest first.' }),
    count,
    nextCursor,
  })
  .openapi('ListAttachmentsResponse')

export const AttachmentUsageResponse = z
  .object({
    usage: z
      .array(
        z.object({
          storageClassId: id('stc', 'The storage class.'),
          name: textField('Its name.', 'Standard'),
          groupId: nullableText('Of the group; null for the own files.'),
          bytes: integerField('Kept in it, the trash included.', 48_213),
          objects: integerField('How many files these are.', 1),
          quotaBytes: integerField(
            'How much may be kept; null for any amount.',
            1_073_741_824,
          ).nullable(),
        }),
      )
      .openapi({ description: 'By storage class: own files, and those of own groups.' }),
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

export const presentAttachments = ({
  rows,
  count,
  nextCursor,
}: Listed<AttachmentRow>): z.infer<typeof ListAttachmentsResponse> => ({
  attachments: rows.map(presentAttachment),
  count,
  nextCursor,
})

export const presentUsage = (usage: UsageRow[]): z.infer<typeof AttachmentUsageResponse> => ({
  usage,
})
