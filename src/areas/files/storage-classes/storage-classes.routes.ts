import { MessageResponse, pathId } from '../../../http/fields.ts'
import { paged } from '../../../http/pagination.ts'
import { json, jsonRequest, operation } from '../../../http/route.ts'
import {
  CreateStorageClassRequest,
  ListStorageClassesQuery,
  OwnStorageClassesResponse,
  presentClass,
  presentClasses,
  presentOwnClasses,
  StorageClassesResponse,
  StorageClassResponse,
  UpdateStorageClassRequest,
  presentStorageUsage,
  StorageClassUsageQuery,
  StorageClassUsageResponse,
  GroupStorageClassResponse,
  presentAssignment,
  SetGroupStorageClassRequest,
} from './storage-classes.contract.ts'
import * as storageClasses from './storage-classes.usecases.ts'

const params = pathId('stc', 'storage class')

export const listOwnStorageClasses = operation({
  access: 'attachments.read',
  on: 'GET /storage-class',
  summary: 'List storage classes for own files',
  tag: 'Files',
  responses: { 200: json(OwnStorageClassesResponse, 'The storage classes') },
  run: (ctx) => storageClasses.listOwnStorageClasses(ctx),
  present: presentOwnClasses,
})

export const listStorageClasses = operation({
  access: 'storageClasses.read',
  on: 'GET /admin/storage-classes',
  summary: 'List storage classes',
  request: { query: ListStorageClassesQuery },
  responses: { 200: json(StorageClassesResponse, 'One page of the list') },
  run: (ctx, { query }) =>
    paged(ctx, query, (page) => storageClasses.listStorageClasses(ctx, page)),
  present: presentClasses,
})

export const createStorageClass = operation({
  access: 'storageClasses.write',
  on: 'POST /admin/storage-classes',
  summary: 'Create a storage class',
  request: jsonRequest(CreateStorageClassRequest),
  responses: { 201: json(StorageClassResponse, 'The new storage class') },
  run: (ctx, { body }) => storageClasses.createStorageClass(ctx, body),
  present: presentClass,
})

export const getStorageClass = operation({
  access: 'storageClasses.read',
  on: 'GET /admin/storage-classes/{id}',
  summary: 'Get a storage class',
  request: { params },
  responses: { 200: json(StorageClassResponse, 'The storage class') },
  run: (ctx, { params }) => storageClasses.getStorageClass(ctx, params.id),
  present: presentClass,
})

export const updateStorageClass = operation({
  access: 'storageClasses.write',
  on: 'PUT /admin/storage-classes/{id}',
  summary: 'Update a storage class',
  versioned: true,
  request: { params, ...jsonRequest(UpdateStorageClassRequest) },
  responses: { 200: json(StorageClassResponse, 'The storage class as it is now') },
  run: (ctx, { params, body }) => storageClasses.updateStorageClass(ctx, params.id, body),
  present: presentClass,
})

export const deleteStorageClass = operation({
  access: 'storageClasses.write',
  on: 'DELETE /admin/storage-classes/{id}',
  summary: 'Delete a storage class',
  versioned: true,
  request: { params },
  responses: { 200: json(MessageResponse, 'The storage class was deleted') },
  run: (ctx, { params }) => storageClasses.deleteStorageClass(ctx, params.id),
  present: () => ({ message: 'The storage class was deleted.' }),
})

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
    storageClasses.setGroupStorageClass(ctx, params.id, body.storageClassId),
  present: presentAssignment,
})

export const getStorageClassUsage = operation({
  access: 'storageClasses.read',
  on: 'GET /admin/storage-classes/{id}/usage',
  summary: 'Get the usage of a storage class',
  request: { params: pathId('stc', 'storage class'), query: StorageClassUsageQuery },
  responses: { 200: json(StorageClassUsageResponse, 'The totals, and one page of holders') },
  run: (ctx, { params, query }) => {
    const { id } = params
    return paged(ctx, { ...query, id }, (page) =>
      storageClasses.getStorageClassUsage(ctx, id, page),
    )
  },
  present: presentStorageUsage,
})
