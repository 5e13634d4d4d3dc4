import { answer } from '../../../../http/answer.ts'
import { pathId } from '../../../../http/fields.ts'
import { fileRequest, hasBody, uploadOf } from '../../../../http/files.ts'
import { paged } from '../../../../http/pagination.ts'
import { json, operation } from '../../../../http/route.ts'
import {
  ListRestoresQuery,
  RestoresResponse,
  presentRequestedRestore,
  presentRestore,
  presentRestores,
  RestoreBackupQuery,
  RestoreRequestedResponse,
  RestoreResponse,
} from './restoring.contract.ts'
import * as restoring from './restoring.usecases.ts'

export const restoreBackup = operation(
  'backups.write',
  {
    method: 'post',
    path: '/backup/restore',
    operationId: 'restoreBackup',
    summary: 'Restore a backup',
    tags: ['Backups'],
    request: { query: RestoreBackupQuery, ...fileRequest() },
    responses: { 202: json(RestoreRequestedResponse, 'The job that restores it') },
  },
  (c) =>
    answer(c, 202, presentRequestedRestore, (ctx) =>
      restoring.restoreBackup(ctx, {
        ...c.req.valid('query'),
        ...{ sent: uploadOf(c), hasBody: hasBody(c) },
      }),
    ),
)

export const listRestores = operation(
  'backups.read',
  {
    method: 'get',
    path: '/backup/restore',
    operationId: 'listRestores',
    summary: 'List own restores',
    tags: ['Backups'],
    request: { query: ListRestoresQuery },
    responses: { 200: json(RestoresResponse, 'One page of the list') },
  },
  (c) =>
    answer(c, 200, presentRestores, (ctx) =>
      paged(ctx, c.req.valid('query'), (page) => restoring.listRestores(ctx, page)),
    ),
)

export const getRestore = operation(
  'backups.read',
  {
    method: 'get',
    path: '/backup/restore/{id}',
    operationId: 'getRestore',
    summary: 'Get a restore',
    tags: ['Backups'],
    request: { params: pathId('rst', 'restore') },
    responses: { 200: json(RestoreResponse, 'The restore') },
  },
  (c) =>
    answer(c, 200, presentRestore, (ctx) => restoring.getRestore(ctx, c.req.valid('param').id)),
)
