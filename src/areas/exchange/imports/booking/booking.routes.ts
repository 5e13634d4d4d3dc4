import { answer } from '../../../../http/answer.ts'
import { pathId } from '../../../../http/fields.ts'
import { json, jsonRequest, operation } from '../../../../http/route.ts'
import { StartedJobResponse } from '../../../operations/jobs/jobs.public.ts'
import { CommitImportRequest, presentBegun } from './booking.contract.ts'
import * as booking from './commit.usecases.ts'
import type { Begun } from './commit.usecases.ts'

const importId = pathId('imp', 'import')

export const commitImport = operation(
  'imports.write',
  {
    method: 'post',
    path: '/import/{id}/commit',
    operationId: 'commitImport',
    summary: 'Book the rows of an import',
    tags: ['Imports'],
    request: { params: importId, ...jsonRequest(CommitImportRequest) },
    responses: {
      200: json(StartedJobResponse, 'The job that books the rows already, or has booked them'),
      202: json(StartedJobResponse, 'The job that books the rows'),
    },
  },
  (c) =>
    answer(
      c,
      ({ isNew }: Begun) => (isNew ? 202 : 200),
      presentBegun,
      (ctx) => booking.commitImport(ctx, c.req.valid('param').id, c.req.valid('json')),
    ),
)
