import type { z } from '@hono/zod-openapi'
import { presentStamps } from '../../http/fields.ts'
import type { Listed } from '../../http/pagination.ts'
import { type AttachmentRow, linksOf, type UsageRow } from './attachments.queries.ts'
import type {
  AttachmentResponse,
  AttachmentUsageResponse,
  ListAttachmentsResponse,
} from './attachments.schemas.ts'

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
