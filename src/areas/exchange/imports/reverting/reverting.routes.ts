import { pathId } from '../../../../http/fields.ts'
import { json, jsonRequest, operation } from '../../../../http/route.ts'
import { presentRevert, RevertImportRequest, RevertedImportResponse } from './reverting.contract.ts'
import * as reverting from './reverting.usecases.ts'
import type { RevertResult } from './reverting.usecases.ts'

export const revertImport = operation({
  access: 'imports.write',
  on: 'POST /import/{id}/revert',
  summary: 'Revert an import',
  request: { params: pathId('imp', 'import'), ...jsonRequest(RevertImportRequest) },
  responses: {
    200: json(RevertedImportResponse, 'What would be taken back, in a dry run'),
    202: json(RevertedImportResponse, 'The job that takes the import back'),
  },
  run: (ctx, { params, body }) => reverting.revertImport(ctx, params.id, body),
  present: presentRevert,
  status: ({ job }: RevertResult) => (job === null ? 200 : 202),
})
