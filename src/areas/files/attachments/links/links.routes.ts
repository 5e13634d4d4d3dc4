import { MessageResponse, pathId } from '../../../../http/fields.ts'
import { json, jsonRequest, operation } from '../../../../http/route.ts'
import { AttachmentResponse, presentAttachment } from '../attachments.contract.ts'
import { LinkAttachmentRequest } from './links.contract.ts'
import * as links from './links.usecases.ts'

const attachmentId = pathId('att', 'file')

export const linkAttachment = operation({
  access: 'attachments.write',
  on: 'POST /attachment/{id}/link',
  summary: 'Attach a file',
  request: { params: attachmentId, ...jsonRequest(LinkAttachmentRequest) },
  responses: { 201: json(AttachmentResponse, 'The file with its links') },
  run: (ctx, { params, body }) => links.linkAttachment(ctx, params.id, body),
  present: presentAttachment,
})

export const unlinkAttachment = operation({
  access: 'attachments.write',
  on: 'DELETE /attachment/{id}/link/{linkId}',
  summary: 'Detach a file',
  versioned: true,
  request: { params: attachmentId.extend({ linkId: pathId('lnk', 'link').shape.id }) },
  responses: { 200: json(MessageResponse, 'The file is detached') },
  run: (ctx, { params }) => links.unlinkAttachment(ctx, params.id, params.linkId),
  present: () => ({ message: 'The file is not attached to it any more.' }),
})
