import { answer, answerNothing } from '../../../../http/answer.ts'
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

export const createBackupUpload = operation(
  'backups.write',
  {
    method: 'post',
    path: '/backup/upload',
    operationId: 'createBackupUpload',
    summary: 'Start a backup upload',
    tags: ['Backups'],
    request: jsonRequest(CreateBackupUploadRequest),
    responses: { 201: json(BackupUploadResponse, 'The new upload') },
  },
  (c) =>
    answer(c, 201, presentUpload, (ctx) => uploads.createBackupUpload(ctx, c.req.valid('json'))),
)

export const putBackupUploadPart = operation(
  'backups.write',
  {
    method: 'put',
    path: '/backup/upload/{id}/part/{n}',
    operationId: 'putBackupUploadPart',
    summary: 'Upload a part of a backup',
    tags: ['Backups'],
    request: { params: BackupUploadPartParams, ...fileRequest() },
    responses: { 200: json(BackupUploadResponse, 'The upload with this part') },
  },
  (c) =>
    answer(c, 200, presentUpload, (ctx) => {
      const { id, n } = c.req.valid('param')
      return uploads.putBackupUploadPart(ctx, id, { number: n, ...uploadOf(c) })
    }),
)

export const deleteBackupUpload = operation(
  'backups.write',
  {
    method: 'delete',
    path: '/backup/upload/{id}',
    operationId: 'deleteBackupUpload',
    summary: 'Delete a backup upload',
    tags: ['Backups'],
    request: { params: pathId('upl', 'upload') },
    responses: { 204: { description: 'The upload and its parts were deleted' } },
  },
  (c) => answerNothing(c, (ctx) => uploads.deleteBackupUpload(ctx, c.req.valid('param').id)),
)
