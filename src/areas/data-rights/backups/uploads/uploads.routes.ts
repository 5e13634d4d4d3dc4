import { answerNothing } from '../../../../http/answer.ts'
import { pathId } from '../../../../http/fields.ts'
import { fileRequest, uploadOf } from '../../../../http/files.ts'
import { json, jsonRequest, operation } from '../../../../http/route.ts'
import {
  BackupUploadPartParams,
  BackupUploadResponse,
  CreateBackupUploadRequest,
  presentUpload,
} from './uploads.contract.ts'
import * as uploads from './uploads.usecases.ts'

export const createBackupUpload = operation({
  access: 'backups.write',
  on: 'POST /backup/upload',
  summary: 'Start a backup upload',
  request: jsonRequest(CreateBackupUploadRequest),
  responses: { 201: json(BackupUploadResponse, 'The new upload') },
  run: (ctx, { body }) => uploads.createBackupUpload(ctx, body),
  present: presentUpload,
})

export const putBackupUploadPart = operation({
  access: 'backups.write',
  on: 'PUT /backup/upload/{id}/part/{n}',
  summary: 'Upload a part of a backup',
  request: { params: BackupUploadPartParams, ...fileRequest() },
  responses: { 200: json(BackupUploadResponse, 'The upload with this part') },
  run: (ctx, { params, c }) => {
    const { id, n } = params
    return uploads.putBackupUploadPart(ctx, id, { number: n, ...uploadOf(c) })
  },
  present: presentUpload,
})

export const deleteBackupUpload = operation(
  {
    access: 'backups.write',
    on: 'DELETE /backup/upload/{id}',
    summary: 'Delete a backup upload',
    request: { params: pathId('upl', 'upload') },
    responses: { 204: { description: 'The upload and its parts were deleted' } },
  },
  (c) => answerNothing(c, (ctx) => uploads.deleteBackupUpload(ctx, c.req.valid('param').id)),
)
