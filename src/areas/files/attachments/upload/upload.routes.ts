import { answer } from '../../../../http/answer.ts'
import { fileRequest, uploadOf } from '../../../../http/files.ts'
import { json, operation } from '../../../../http/route.ts'
import { AttachmentResponse, presentAttachment } from '../attachments.contract.ts'
import { CreateAttachmentQuery } from './upload.contract.ts'
import * as upload from './upload.usecases.ts'

export const createAttachment = operation(
  'attachments.write',
  {
    method: 'post',
    path: '/attachment',
    operationId: 'createAttachment',
    summary: 'Upload a file',
    tags: ['Files'],
    request: { query: CreateAttachmentQuery, ...fileRequest() },
    responses: { 201: json(AttachmentResponse, 'The new file') },
  },
  (c) =>
    answer(c, 201, presentAttachment, (ctx) =>
      upload.createAttachment(ctx, uploadOf(c), c.req.valid('query')),
    ),
)
