import { answer } from '../../../http/answer.ts'
import { pathId } from '../../../http/fields.ts'
import { defineRoute, json, jsonRequest, newArea } from '../../../http/route.ts'
import { presentAssignment } from './assignment.presenters.ts'
import { GroupStorageClassResponse, SetGroupStorageClassRequest } from './assignment.schemas.ts'
import { setClassOf } from './assignment.usecases.ts'

export const storageAssignmentRoutes = newArea()

export const putGroupStorageClass = defineRoute('storageClasses.write', {
  method: 'put',
  path: '/admin/groups/{id}/storage-class',
  operationId: 'setGroupStorageClass',
  summary: 'Set or clear where new files of a group go',
  tags: ['Storage classes'],
  versioned: true,
  // The interface names the scheme differently here; it is the same token.
  documentedSecurity: [{ Bearer: [] }],
  request: { params: pathId('grp', 'group'), ...jsonRequest(SetGroupStorageClassRequest) },
  responses: { 200: json(GroupStorageClassResponse, 'Where its new files go now') },
  errors: [404],
})
storageAssignmentRoutes.openapi(putGroupStorageClass, (c) =>
  answer(c, 200, presentAssignment, (ctx) =>
    setClassOf(ctx, c.req.valid('param').id, c.req.valid('json').storageClassId),
  ),
)
