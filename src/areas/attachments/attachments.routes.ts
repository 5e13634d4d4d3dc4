import { answer } from '../../http/answer.ts'
import { MessageResponse, pathId } from '../../http/fields.ts'
import { paged } from '../../http/pagination.ts'
import { defineRoute, json, jsonRequest, newArea } from '../../http/route.ts'
import { presentAttachment, presentAttachments, presentUsage } from './attachments.presenters.ts'
import {
  AttachmentResponse,
  AttachmentUsageResponse,
  ListAttachmentsQuery,
  ListAttachmentsResponse,
  UpdateAttachmentRequest,
} from './attachments.schemas.ts'
import {
  changeAttachment,
  findAttachment,
  findAttachments,
  findUsage,
  removeAttachment,
  restoreAttachment,
} from './attachments.usecases.ts'

export const attachmentRoutes = newArea()

const attachmentId = pathId('att', 'file')

export const listAttachments = defineRoute('attachments.read', {
  method: 'get',
  path: '/attachment',
  operationId: 'listAttachments',
  summary: 'Files: own ones, those of own groups, and those on what the caller sees',
  tags: ['Files'],
  request: { query: ListAttachmentsQuery },
  responses: { 200: json(ListAttachmentsResponse, 'One page of them') },
})
attachmentRoutes.openapi(listAttachments, (c) =>
  answer(c, 200, presentAttachments, (ctx) => {
    const query = c.req.valid('query')
    return paged(ctx, query, (page) => findAttachments(ctx, query, page))
  }),
)

export const getAttachmentUsage = defineRoute('attachments.read', {
  method: 'get',
  path: '/attachment/usage',
  operationId: 'getAttachmentUsage',
  summary: 'How much the caller and its groups keep, and may keep, in each storage class',
  tags: ['Files'],
  responses: { 200: json(AttachmentUsageResponse, 'By storage class') },
})
attachmentRoutes.openapi(getAttachmentUsage, (c) => answer(c, 200, presentUsage, findUsage))

export const getAttachment = defineRoute('attachments.read', {
  method: 'get',
  path: '/attachment/{id}',
  operationId: 'getAttachment',
  summary: 'What is known of a file',
  tags: ['Files'],
  request: { params: attachmentId },
  responses: { 200: json(AttachmentResponse, 'The file') },
  errors: [404],
})
attachmentRoutes.openapi(getAttachment, (c) =>
  answer(c, 200, presentAttachment, (ctx) => findAttachment(ctx, c.req.valid('param').id)),
)

export const updateAttachment = defineRoute('attachments.write', {
  method: 'patch',
  path: '/attachment/{id}',
  operationId: 'updateAttachment',
  summary: 'Change name, title or note: what is sent',
  tags: ['Files'],
  versioned: true,
  request: { params: attachmentId, ...jsonRequest(UpdateAttachmentRequest) },
  responses: { 200: json(AttachmentResponse, 'The file as it is now') },
  errors: [404],
})
attachmentRoutes.openapi(updateAttachment, (c) =>
  answer(c, 200, presentAttachment, (ctx) =>
    changeAttachment(ctx, c.req.valid('param').id, c.req.valid('json')),
  ),
)

export const deleteAttachment = defineRoute('attachments.write', {
  method: 'delete',
  path: '/attachment/{id}',
  operationId: 'deleteAttachment',
  summary: 'Put a file into the trash, from where it can be restored for 30 days',
  tags: ['Files'],
  versioned: true,
  request: { params: attachmentId },
  responses: { 200: json(MessageResponse, 'It is in the trash') },
  errors: [404],
})
attachmentRoutes.openapi(deleteAttachment, (c) =>
  answer(
    c,
    200,
    () => ({ message: 'The file is in the trash.' }),
    (ctx) => removeAttachment(ctx, c.req.valid('param').id),
  ),
)

export const postRestoreAttachment = defineRoute('attachments.write', {
  method: 'post',
  path: '/attachment/{id}/restore',
  operationId: 'restoreAttachment',
  summary: 'Bring a file back from the trash that the caller uploaded',
  tags: ['Files'],
  request: { params: attachmentId },
  responses: { 200: json(AttachmentResponse, 'The file') },
  errors: [404],
})
attachmentRoutes.openapi(postRestoreAttachment, (c) =>
  answer(c, 200, presentAttachment, (ctx) => restoreAttachment(ctx, c.req.valid('param').id)),
)
