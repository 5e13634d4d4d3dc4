import { answer } from '../../../../http/answer.ts'
import { pathId } from '../../../../http/fields.ts'
import { json, jsonRequest, operation } from '../../../../http/route.ts'
import { presentRevert, RevertImportRequest, RevertedImportResponse } from './reverting.contract.ts'
import * as reverting from './reverting.usecases.ts'
import type { RevertResult } from './reverting.usecases.ts'

export const revertImport = operation(
  'imports.write',
  {
    method: 'post',
    path: '/import/{id}/revert',
    operationId: 'revertImport',
    summary: 'Revert an import',
    tags: ['Imports'],
    request: { params: pathId('imp', 'import'), ...jsonRequest(RevertImportRequest) },
    responses: {
      200: json(RevertedImportResponse, 'What would be taken back, in a dry run'),
      202: json(RevertedImportResponse, 'The job that takes the import back'),
    },
  },
  (c) =>
    answer(
      c,
      ({ job }: RevertResult) => (job === null ? 200 : 202),
      presentRevert,
      (ctx) => reverting.revertImport(ctx, c.req.valid('param').id, c.req.valid('json')),
    ),
)
