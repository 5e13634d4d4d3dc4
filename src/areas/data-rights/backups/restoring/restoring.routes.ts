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
