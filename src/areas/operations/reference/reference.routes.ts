import { allOperations } from '../../../http/registry.ts'
import { json, operation } from '../../../http/route.ts'
import { checkAccess } from '../../../platform/database/database.ts'
import { APIReferenceResponse, presentReference } from './reference.contract.ts'

export const getAPIReference = operation({
  access: 'reference.read',
  on: 'GET /admin/api-reference',
  summary: 'List routes with their permissions',
  responses: { 200: json(APIReferenceResponse, 'The routes') },
  run: (ctx) => checkAccess(ctx),
  present: () => presentReference(allOperations()),
})
