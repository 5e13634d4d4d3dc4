import { pathId } from '../../../../http/fields.ts'
import { json, jsonRequest, operation } from '../../../../http/route.ts'
import { StartedJobResponse } from '../../../operations/jobs/jobs.public.ts'
import { CommitImportRequest, presentBegun } from './booking.contract.ts'
import * as booking from './commit.usecases.ts'
import type { Begun } from './commit.usecases.ts'

const importId = pathId('imp', 'import')

export const commitImport = operation({
  access: 'imports.write',
  on: 'POST /import/{id}/commit',
  summary: 'Book the rows of an import',
  request: { params: importId, ...jsonRequest(CommitImportRequest) },
  responses: {
    200: json(StartedJobResponse, 'The job that books the rows already, or has booked them'),
    202: json(StartedJobResponse, 'The job that books the rows'),
  },
  run: (ctx, { params, body }) => booking.commitImport(ctx, params.id, body),
  present: presentBegun,
  status: ({ isNew }: Begun) => (isNew ? 202 : 200),
})
