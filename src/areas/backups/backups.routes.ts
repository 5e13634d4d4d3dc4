import { answer, answerNothing } from '../../http/answer.ts'
import { pathId } from '../../http/fields.ts'
import { answerFile, fileResponses } from '../../http/files.ts'
import { paged } from '../../http/pagination.ts'
import { defineRoute, json, newArea } from '../../http/route.ts'
import { presentBackup, presentBackups, presentRequested } from './backups.presenters.ts'
import {
  BackupRequestedResponse,
  BackupResponse,
  ListBackupsQuery,
  ListBackupsResponse,
} from './backups.schemas.ts'
import {
  findArchive,
  findBackup,
  findBackups,
  openArchive,
  removeBackup,
  requestBackup,
} from './backups.usecases.ts'

export const backupRoutes = newArea()

const params = pathId('bak', 'backup')

export const listBackups = defineRoute('backups.read', {
  method: 'get',
  path: '/backup',
  operationId: 'listBackups',
  summary: 'Own backups, newest first',
  tags: ['Backups'],
  request: { query: ListBackupsQuery },
  responses: { 200: json(ListBackupsResponse, 'One page of them') },
})
backupRoutes.openapi(listBackups, (c) =>
  answer(c, 200, presentBackups, (ctx) =>
    paged(ctx, c.req.valid('query'), (page) => findBackups(ctx, page)),
  ),
)

export const postBackup = defineRoute('backups.write', {
  method: 'post',
  path: '/backup',
  operationId: 'createBackup',
  summary: 'Have everything that one owns, with files, made into an archive; one at a time',
  tags: ['Backups'],
  responses: { 202: json(BackupRequestedResponse, 'The job that makes it') },
})
backupRoutes.openapi(postBackup, (c) => answer(c, 202, presentRequested, requestBackup))

export const getBackup = defineRoute('backups.read', {
  method: 'get',
  path: '/backup/{id}',
  operationId: 'getBackup',
  summary: 'How far an own backup is, and what is in it',
  tags: ['Backups'],
  request: { params },
  responses: { 200: json(BackupResponse, 'The backup') },
  errors: [404],
})
backupRoutes.openapi(getBackup, (c) =>
  answer(c, 200, presentBackup, (ctx) => findBackup(ctx, c.req.valid('param').id)),
)

export const getBackupDownload = defineRoute('backups.read', {
  method: 'get',
  path: '/backup/{id}/download',
  operationId: 'downloadBackup',
  summary: 'The archive itself; that it was fetched is logged',
  tags: ['Backups'],
  request: { params },
  responses: fileResponses,
  errors: [404, 409, 416],
})
backupRoutes.openapi(getBackupDownload, (c) =>
  answerFile(c, (ctx) => findArchive(ctx, c.req.valid('param').id), openArchive),
)

export const deleteOwnBackup = defineRoute('backups.write', {
  method: 'delete',
  path: '/backup/{id}',
  operationId: 'deleteBackup',
  summary: 'Delete an own backup, also one that is being made',
  tags: ['Backups'],
  versioned: true,
  request: { params },
  responses: { 204: { description: 'It is gone' } },
  errors: [404],
})
backupRoutes.openapi(deleteOwnBackup, (c) =>
  answerNothing(c, (ctx) => removeBackup(ctx, c.req.valid('param').id)),
)
