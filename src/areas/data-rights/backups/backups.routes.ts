import { answerNothing } from '../../../http/answer.ts'
import { pathId } from '../../../http/fields.ts'
import { answerFile, fileRequest, fileResponses, hasBody, uploadOf } from '../../../http/files.ts'
import { paged } from '../../../http/pagination.ts'
import { json, operation } from '../../../http/route.ts'
import {
  BackupRequestedResponse,
  BackupResponse,
  BackupsResponse,
  ListBackupsQuery,
  presentBackup,
  presentBackups,
  presentRequested,
} from './backups.contract.ts'
import * as backups from './backups.usecases.ts'
import {
  BackupVerificationResponse,
  presentInspection,
  VerifyBackupQuery,
} from './verifying/verifying.contract.ts'
import * as verifying from './verifying/verifying.usecases.ts'

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
  present: presentRequested,
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
