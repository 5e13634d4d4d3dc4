import { answer } from '../../../../http/answer.ts'
import { MessageResponse, pathId } from '../../../../http/fields.ts'
import { json, jsonRequest, operation } from '../../../../http/route.ts'
import { AttachmentResponse, presentAttachment } from '../attachments.contract.ts'
import { LinkAttachmentRequest } from './links.contract.ts'
import * as links from './links.usecases.ts'

const attachmentId = pathId('att', 'file')

export const linkAttachment = operation(
  'attachments.write',
  {
    method: 'post',
    path: '/attachment/{id}/link',
    operationId: 'linkAttachment',
    summary: 'Attach a file',
    tags: ['Files'],
    request: { params: attachmentId, ...jsonRequest(LinkAttachmentRequest) },
    responses: { 201: json(AttachmentResponse, 'The file with its links') },
  },
  (c) =>
    answer(c, 201, presentAttachment, (ctx) =>
      links.linkAttachment(ctx, c.req.valid('param').id, c.req.valid('json')),
    ),
)

export const unlinkAttachment = operation(
  'attachments.write',
  {
    method: 'delete',
    path: '/attachment/{id}/link/{linkId}',
    operationId: 'unlinkAttachment',
    summary: 'Detach a file',
    tags: ['Files'],
    versioned: true,
    request: { params: attachmentId.extend({ linkId: pathId('lnk', 'link').shape.id }) },
    responses: { 200: json(MessageResponse, 'The file is detached') },
  },
  (c) =>
    answer(
      c,
      200,
      () => ({ message: 'The file is not attached to it any more.' }),
      (ctx) => links.unlinkAttachment(ctx, c.req.valid('param').id, c.req.valid('param').linkId),
    ),
)
