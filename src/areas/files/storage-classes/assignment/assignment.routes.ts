import { answer } from '../../../../http/answer.ts'
import { pathId } from '../../../../http/fields.ts'
import { json, jsonRequest, operation } from '../../../../http/route.ts'
import {
  GroupStorageClassResponse,
  presentAssignment,
  SetGroupStorageClassRequest,
} from './assignment.contract.ts'
import * as assignment from './assignment.usecases.ts'

export const setGroupStorageClass = operation(
  'storageClasses.write',
  {
    method: 'put',
    path: '/admin/groups/{id}/storage-class',
    operationId: 'setGroupStorageClass',
    summary: 'Set the storage class of a group',
    tags: ['Storage classes'],
    versioned: true,
    // The interface names the scheme differently here; it is the same token.
    documentedSecurity: [{ Bearer: [] }],
    request: { params: pathId('grp', 'group'), ...jsonRequest(SetGroupStorageClassRequest) },
    responses: { 200: json(GroupStorageClassResponse, 'The storage class of new files') },
  },
  (c) =>
    answer(c, 200, presentAssignment, (ctx) =>
      assignment.setGroupStorageClass(
        ctx,
        c.req.valid('param').id,
        c.req.valid('json').storageClassId,
      ),
    ),
)
