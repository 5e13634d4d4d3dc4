import { answer } from '../../http/answer.ts'
import { allOperations } from '../../http/registry.ts'
import { defineRoute, json, newArea } from '../../http/route.ts'
import { checkAccess } from '../../platform/database.ts'
import { presentReference } from './reference.presenters.ts'
import { APIReferenceResponse } from './reference.schemas.ts'

/** Mounted in development builds only. */
export const referenceRoutes = newArea()

export const getAPIReference = defineRoute('reference.read', {
  method: 'get',
  path: '/admin/api-reference',
  operationId: 'getAPIReference',
  summary: 'Every route with the permission that it needs; development builds only',
  tags: ['Administration'],
  responses: { 200: json(APIReferenceResponse, 'The routes') },
})
referenceRoutes.openapi(getAPIReference, (c) =>
  answer(c, 200, () => presentReference(allOperations()), checkAccess),
)
