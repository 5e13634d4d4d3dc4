import { answer } from '../../../http/answer.ts'
import { allOperations } from '../../../http/registry.ts'
import { json, operation } from '../../../http/route.ts'
import { checkAccess } from '../../../platform/database.ts'
import { APIReferenceResponse, presentReference } from './reference.contract.ts'

export const getAPIReference = operation(
  'reference.read',
  {
    method: 'get',
    path: '/admin/api-reference',
    operationId: 'getAPIReference',
    summary: 'List routes with their permissions',
    tags: ['Administration'],
    responses: { 200: json(APIReferenceResponse, 'The routes') },
  },
  (c) => answer(c, 200, () => presentReference(allOperations()), checkAccess),
)
