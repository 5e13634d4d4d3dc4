import { answer } from '../../../http/answer.ts'
import { fileRequest, uploadOf } from '../../../http/files.ts'
import { defineRoute, json, newArea } from '../../../http/route.ts'
import { presentAttachment } from '../attachments.presenters.ts'
import { AttachmentResponse } from '../attachments.schemas.ts'
import { CreateAttachmentQuery } from './upload.schemas.ts'
import { uploadAttachment } from './upload.usecases.ts'

export const uploadRoutes = newArea()

export const createAttachment = defineRoute('attachments.write', {
  method: 'post',
  path: '/attachment',
  operationId: 'createAttachment',
  summary: 'Upload a file, attached to something if that is said',
  tags: ['Files'],
  request: { query: CreateAttachmentQuery, ...fileRequest() },
  responses: { 201: json(AttachmentResponse, 'The new file') },
})
uploadRoutes.openapi(createAttachment, (c) =>
  answer(c, 201, presentAttachment, (ctx) =>
    uploadAttachment(ctx, uploadOf(c), c.req.valid('query')),
  ),
)
