import { pathId } from '../../../../http/fields.ts'
import { json, jsonRequest, operation } from '../../../../http/route.ts'
import {
  GroupStorageClassResponse,
  presentAssignment,
  SetGroupStorageClassRequest,
} from './assignment.contract.ts'
import * as assignment from './assignment.usecases.ts'

export const setGroupStorageClass = operation({
  access: 'storageClasses.write',
  on: 'PUT /admin/groups/{id}/storage-class',
  summary: 'Set the storage class of a group',
  versioned: true,
  // The interface names the scheme differently here; it is the same token.
  documentedSecurity: [{ Bearer: [] }],
  request: { params: pathId('grp', 'group'), ...jsonRequest(SetGroupStorageClassRequest) },
  responses: { 200: json(GroupStorageClassResponse, 'The storage class of new files') },
  run: (ctx, { params, body }) =>
    assignment.setGroupStorageClass(ctx, params.id, body.storageClassId),
  present: presentAssignment,
})
