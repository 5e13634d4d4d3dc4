import { answerNothing } from '../../../http/answer.ts'
import { pathId } from '../../../http/fields.ts'
import { answerFile, fileRequest, fileResponses, hasBody, uploadOf } from '../../../http/files.ts'
import { paged } from '../../../http/pagination.ts'
import { json, operation, jsonRequest } from '../../../http/route.ts'
import {
  BackupRequestedResponse,
  BackupResponse,
  BackupsResponse,
  ListBackupsQuery,
  presentBackup,
  presentBackups,
  presentRequestedBackup,
  BackupUploadPartParams,
  BackupUploadResponse,
  CreateBackupUploadRequest,
  presentUpload,
  BackupVerificationResponse,
  presentInspection,
  VerifyBackupQuery,
} from './backups.contract.ts'
import * as backups from './backups.usecases.ts'
import * as verifying from './verifying/verifying.usecases.ts'
import * as uploads from './uploads.usecases.ts'
import {
  ListRestoresQuery,
  RestoresResponse,
  presentRequestedRestore,
  presentRestore,
  presentRestores,
  RestoreBackupQuery,
  RestoreRequestedResponse,
  RestoreResponse,
} from './restoring/restoring.contract.ts'
import * as restoring from './restoring/restoring.usecases.ts'

const params = pathId('bak', 'backup')

export const listBackups = operation({
  access: 'backups.read',
  on: 'GET /backup',
  summary: 'List own backups',
  request: { query: ListBackupsQuery },
  responses: { 200: json(BackupsResponse, 'One page of the list') },
  run: (ctx, { query }) => paged(ctx, query, (page) => backups.listBackups(ctx, page)),
  present: presentBackups,
})

export const createBackup = operation({
  access: 'backups.write',
  on: 'POST /backup',
  summary: 'Create a backup',
  responses: { 202: json(BackupRequestedResponse, 'The job that makes the file') },
  run: (ctx) => backups.createBackup(ctx),
  present: presentRequestedBackup,
})

export const getBackup = operation({
  access: 'backups.read',
  on: 'GET /backup/{id}',
  summary: 'Get a backup',
  request: { params },
  responses: { 200: json(BackupResponse, 'The backup') },
  run: (ctx, { params }) => backups.getBackup(ctx, params.id),
  present: presentBackup,
})

export const downloadBackup = operation(
  {
    access: 'backups.read',
    on: 'GET /backup/{id}/download',
    summary: 'Download a backup',
    writes: true,
    request: { params },
    responses: fileResponses,
    errors: [409, 416],
  },
  (c) =>
    answerFile(c, (ctx) => backups.findArchive(ctx, c.req.valid('param').id), backups.openArchive),
)

export const deleteBackup = operation(
  {
    access: 'backups.write',
    on: 'DELETE /backup/{id}',
    summary: 'Delete a backup',
    versioned: true,
    request: { params },
    responses: { 204: { description: 'The backup was deleted' } },
  },
  (c) => answerNothing(c, (ctx) => backups.deleteBackup(ctx, c.req.valid('param').id)),
)

export const verifyBackup = operation({
  access: 'backups.write',
  on: 'POST /backup/verify',
  summary: 'Verify a backup',
  request: { query: VerifyBackupQuery, ...fileRequest() },
  responses: { 200: json(BackupVerificationResponse, 'What the archive was found to be') },
  run: (ctx, { query, c }) =>
    verifying.verifyBackup(ctx, {
      ...query,
      ...{ sent: uploadOf(c), hasBody: hasBody(c) },
    }),
  present: presentInspection,
})

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

export const restoreBackup = operation({
  access: 'backups.write',
  on: 'POST /backup/restore',
  summary: 'Restore a backup',
  request: { query: RestoreBackupQuery, ...fileRequest() },
  responses: { 202: json(RestoreRequestedResponse, 'The job that restores it') },
  run: (ctx, { query, c }) =>
    restoring.restoreBackup(ctx, {
      ...query,
      ...{ sent: uploadOf(c), hasBody: hasBody(c) },
    }),
  present: presentRequestedRestore,
})

export const listRestores = operation({
  access: 'backups.read',
  on: 'GET /backup/restore',
  summary: 'List own restores',
  request: { query: ListRestoresQuery },
  responses: { 200: json(RestoresResponse, 'One page of the list') },
  run: (ctx, { query }) => paged(ctx, query, (page) => restoring.listRestores(ctx, page)),
  present: presentRestores,
})

export const getRestore = operation({
  access: 'backups.read',
  on: 'GET /backup/restore/{id}',
  summary: 'Get a restore',
  request: { params: pathId('rst', 'restore') },
  responses: { 200: json(RestoreResponse, 'The restore') },
  run: (ctx, { params }) => restoring.getRestore(ctx, params.id),
  present: presentRestore,
})
