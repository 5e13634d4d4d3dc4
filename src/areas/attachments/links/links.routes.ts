import { answer } from '../../../http/answer.ts'
import { MessageResponse, pathId } from '../../../http/fields.ts'
import { defineRoute, json, jsonRequest, newArea } from '../../../http/route.ts'
import { presentAttachment } from '../attachments.presenters.ts'
import { AttachmentResponse } from '../attachments.schemas.ts'
import { LinkAttachmentRequest } from './links.schemas.ts'
import { linkAttachment, unlinkAttachment } from './links.usecases.ts'

export const attachmentLinkRoutes = newArea()

const attachmentId = pathId('att', 'file')

export const postAttachmentLink = defineRoute('attachments.write', {
  method: 'post',
  path: '/attachment/{id}/link',
  operationId: 'linkAttachment',
  summary: 'Attach a file to a transaction or account: who sees that sees the file',
  tags: ['Files'],
  request: { params: attachmentId, ...jsonRequest(LinkAttachmentRequest) },
  responses: { 201: json(AttachmentResponse, 'The file with its links') },
  errors: [404],
})
attachmentLinkRoutes.openapi(postAttachmentLink, (c) =>
  answer(c, 201, presentAttachment, (ctx) =>
    linkAttachment(ctx, c.req.valid('param').id, c.req.valid('json')),
  ),
)

export const deleteAttachmentLink = defineRoute('attachments.write', {
  method: 'delete',
  path: '/attachment/{id}/link/{linkId}',
  operationId: 'unlinkAttachment',
  summary: 'Take a file off what it is attached to; the file stays',
  tags: ['Files'],
  versioned: true,
  request: { params: attachmentId.extend({ linkId: pathId('lnk', 'link').shape.id }) },
  responses: { 200: json(MessageResponse, 'It is off') },
  errors: [404],
})
attachmentLinkRoutes.openapi(deleteAttachmentLink, (c) =>
  answer(
    c,
    200,
    () => ({ message: 'The file is not attached to it any more.' }),
    (ctx) => unlinkAttachment(ctx, c.req.valid('param').id, c.req.valid('param').linkId),
  ),
)
