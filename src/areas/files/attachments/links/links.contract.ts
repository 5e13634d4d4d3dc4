import { z } from '@hono/zod-openapi'
import { linkKind, targetId } from '../attachments.contract.ts'

export const LinkAttachmentRequest = z
  .strictObject({ kind: linkKind, id: targetId })
  .openapi('LinkAttachmentRequest')
