import { answer } from '../../../http/answer.ts'
import { MessageResponse, pathId } from '../../../http/fields.ts'
import { paged } from '../../../http/pagination.ts'
import { json, jsonRequest, operation } from '../../../http/route.ts'
import {
  CreateStorageClassRequest,
  ListStorageClassesQuery,
  StorageClassesResponse,
  OwnStorageClassesResponse,
  presentClass,
  presentClasses,
  presentOwnClasses,
  StorageClassResponse,
  UpdateStorageClassRequest,
} from './storage-classes.contract.ts'
import * as storageClasses from './storage-classes.usecases.ts'

const params = pathId('stc', 'storage class')

export const listOwnStorageClasses = operation(
  'attachments.read',
  {
    method: 'get',
    path: '/storage-class',
    operationId: 'listOwnStorageClasses',
    summary: 'List storage classes for own files',
    tags: ['Files'],
    responses: { 200: json(OwnStorageClassesResponse, 'The storage classes') },
  },
  (c) => answer(c, 200, presentOwnClasses, storageClasses.listOwnStorageClasses),
)

export const listStorageClasses = operation(
  'storageClasses.read',
  {
    method: 'get',
    path: '/admin/storage-classes',
    operationId: 'listStorageClasses',
    summary: 'List storage classes',
    tags: ['Storage classes'],
    request: { query: ListStorageClassesQuery },
    responses: { 200: json(StorageClassesResponse, 'One page of the list') },
  },
  (c) =>
    answer(c, 200, presentClasses, (ctx) =>
      paged(ctx, c.req.valid('query'), (page) => storageClasses.listStorageClasses(ctx, page)),
    ),
)

export const createStorageClass = operation(
  'storageClasses.write',
  {
    method: 'post',
    path: '/admin/storage-classes',
    operationId: 'createStorageClass',
    summary: 'Create a storage class',
    tags: ['Storage classes'],
    request: jsonRequest(CreateStorageClassRequest),
    responses: { 201: json(StorageClassResponse, 'The new storage class') },
  },
  (c) =>
    answer(c, 201, presentClass, (ctx) =>
      storageClasses.createStorageClass(ctx, c.req.valid('json')),
    ),
)

export const getStorageClass = operation(
  'storageClasses.read',
  {
    method: 'get',
    path: '/admin/storage-classes/{id}',
    operationId: 'getStorageClass',
    summary: 'Get a storage class',
    tags: ['Storage classes'],
    request: { params },
    responses: { 200: json(StorageClassResponse, 'The storage class') },
  },
  (c) =>
    answer(c, 200, presentClass, (ctx) =>
      storageClasses.getStorageClass(ctx, c.req.valid('param').id),
    ),
)

export const updateStorageClass = operation(
  'storageClasses.write',
  {
    method: 'put',
    path: '/admin/storage-classes/{id}',
    operationId: 'updateStorageClass',
    summary: 'Update a storage class',
    tags: ['Storage classes'],
    versioned: true,
    request: { params, ...jsonRequest(UpdateStorageClassRequest) },
    responses: { 200: json(StorageClassResponse, 'The storage class as it is now') },
  },
  (c) =>
    answer(c, 200, presentClass, (ctx) =>
      storageClasses.updateStorageClass(ctx, c.req.valid('param').id, c.req.valid('json')),
    ),
)

export const deleteStorageClass = operation(
  'storageClasses.write',
  {
    method: 'delete',
    path: '/admin/storage-classes/{id}',
    operationId: 'deleteStorageClass',
    summary: 'Delete a storage class',
    tags: ['Storage classes'],
    versioned: true,
    request: { params },
    responses: { 200: json(MessageResponse, 'The storage class was deleted') },
  },
  (c) =>
    answer(
      c,
      200,
      () => ({ message: 'The storage class was deleted.' }),
      (ctx) => storageClasses.deleteStorageClass(ctx, c.req.valid('param').id),
    ),
)
