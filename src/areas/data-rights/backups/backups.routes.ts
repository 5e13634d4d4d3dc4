import { answer, answerNothing } from '../../../http/answer.ts'
import { pathId } from '../../../http/fields.ts'
import { answerFile, fileResponses } from '../../../http/files.ts'
import { paged } from '../../../http/pagination.ts'
import { json, operation } from '../../../http/route.ts'
import {
  BackupRequestedResponse,
  BackupResponse,
  ListBackupsQuery,
  BackupsResponse,
  presentBackup,
  presentBackups,
  presentRequested,
} from './backups.contract.ts'
import * as backups from './backups.usecases.ts'

const params = pathId('bak', 'backup')

export const listBackups = operation(
  'backups.read',
  {
    method: 'get',
    path: '/backup',
    operationId: 'listBackups',
    summary: 'List own backups',
    tags: ['Backups'],
    request: { query: ListBackupsQuery },
    responses: { 200: json(BackupsResponse, 'One page of the list') },
  },
  (c) =>
    answer(c, 200, presentBackups, (ctx) =>
      paged(ctx, c.req.valid('query'), (page) => backups.listBackups(ctx, page)),
    ),
)

export const createBackup = operation(
  'backups.write',
  {
    method: 'post',
    path: '/backup',
    operationId: 'createBackup',
    summary: 'Create a backup',
    tags: ['Backups'],
    responses: { 202: json(BackupRequestedResponse, 'The job that makes the file') },
  },
  (c) => answer(c, 202, presentRequested, backups.createBackup),
)

export const getBackup = operation(
  'backups.read',
  {
    method: 'get',
    path: '/backup/{id}',
    operationId: 'getBackup',
    summary: 'Get a backup',
    tags: ['Backups'],
    request: { params },
    responses: { 200: json(BackupResponse, 'The backup') },
  },
  (c) => answer(c, 200, presentBackup, (ctx) => backups.getBackup(ctx, c.req.valid('param').id)),
)

export const downloadBackup = operation(
  'backups.read',
  {
    method: 'get',
    path: '/backup/{id}/download',
    operationId: 'downloadBackup',
    summary: 'Download a backup',
    tags: ['Backups'],
    writes: true,
    request: { params },
    responses: fileResponses,
    errors: [409, 416],
  },
  (c) =>
    answerFile(c, (ctx) => backups.findArchive(ctx, c.req.valid('param').id), backups.openArchive),
)

export const deleteBackup = operation(
  'backups.write',
  {
    method: 'delete',
    path: '/backup/{id}',
    operationId: 'deleteBackup',
    summary: 'Delete a backup',
    tags: ['Backups'],
    versioned: true,
    request: { params },
    responses: { 204: { description: 'The backup was deleted' } },
  },
  (c) => answerNothing(c, (ctx) => backups.deleteBackup(ctx, c.req.valid('param').id)),
)
