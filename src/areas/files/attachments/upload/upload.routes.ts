import { fileRequest, uploadOf } from '../../../../http/files.ts'
import { json, operation } from '../../../../http/route.ts'
import { AttachmentResponse, presentAttachment } from '../attachments.contract.ts'
import { CreateAttachmentQuery } from './upload.contract.ts'
import * as upload from './upload.usecases.ts'

export const createAttachment = operation({
  access: 'attachments.write',
  on: 'POST /attachment',
  summary: 'Upload a file',
  request: { query: CreateAttachmentQuery, ...fileRequest() },
  responses: { 201: json(AttachmentResponse, 'The new file') },
  run: (ctx, { query, c }) => upload.createAttachment(ctx, uploadOf(c), query),
  present: presentAttachment,
})
