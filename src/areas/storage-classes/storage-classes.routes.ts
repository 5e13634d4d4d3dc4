import { answer } from '../../http/answer.ts'
import { MessageResponse, pathId } from '../../http/fields.ts'
import { paged } from '../../http/pagination.ts'
import { defineRoute, json, jsonRequest, newArea } from '../../http/route.ts'
import { presentClass, presentClasses, presentOwnClasses } from './storage-classes.presenters.ts'
import {
  CreateStorageClassRequest,
  ListStorageClassesQuery,
  ListStorageClassesResponse,
  OwnStorageClassesResponse,
  StorageClassResponse,
  UpdateStorageClassRequest,
} from './storage-classes.schemas.ts'
import {
  addClass,
  changeClass,
  findClass,
  findClasses,
  findClassesFor,
  removeClass,
} from './storage-classes.usecases.ts'

export const storageClassRoutes = newArea()

const params = pathId('stc', 'storage class')

export const getOwnClasses = defineRoute('attachments.read', {
  method: 'get',
  path: '/storage-class',
  operationId: 'listOwnStorageClasses',
  summary: 'Where own files go and those of own groups, and what may go there',
  tags: ['Files'],
  responses: { 200: json(OwnStorageClassesResponse, 'The storage classes') },
})
storageClassRoutes.openapi(getOwnClasses, (c) => answer(c, 200, presentOwnClasses, findClassesFor))

export const getStorageClasses = defineRoute('storageClasses.read', {
  method: 'get',
  path: '/admin/storage-classes',
  operationId: 'listStorageClasses',
  summary: 'All storage classes, by name',
  tags: ['Storage classes'],
  request: { query: ListStorageClassesQuery },
  responses: { 200: json(ListStorageClassesResponse, 'One page of them') },
})
storageClassRoutes.openapi(getStorageClasses, (c) =>
  answer(c, 200, presentClasses, (ctx) =>
    paged(ctx, c.req.valid('query'), (page) => findClasses(ctx, page)),
  ),
)

export const postStorageClass = defineRoute('storageClasses.write', {
  method: 'post',
  path: '/admin/storage-classes',
  operationId: 'createStorageClass',
  summary: 'Create a storage class; as the default it takes the place of the present one',
  tags: ['Storage classes'],
  request: jsonRequest(CreateStorageClassRequest),
  responses: { 201: json(StorageClassResponse, 'The new storage class') },
})
storageClassRoutes.openapi(postStorageClass, (c) =>
  answer(c, 201, presentClass, (ctx) => addClass(ctx, c.req.valid('json'))),
)

export const getStorageClass = defineRoute('storageClasses.read', {
  method: 'get',
  path: '/admin/storage-classes/{id}',
  operationId: 'getStorageClass',
  summary: 'One storage class',
  tags: ['Storage classes'],
  request: { params },
  responses: { 200: json(StorageClassResponse, 'The storage class') },
  errors: [404],
})
storageClassRoutes.openapi(getStorageClass, (c) =>
  answer(c, 200, presentClass, (ctx) => findClass(ctx, c.req.valid('param').id)),
)

export const putStorageClass = defineRoute('storageClasses.write', {
  method: 'put',
  path: '/admin/storage-classes/{id}',
  operationId: 'updateStorageClass',
  summary: 'Change what is sent of a storage class; files that are there stay as they are',
  tags: ['Storage classes'],
  versioned: true,
  request: { params, ...jsonRequest(UpdateStorageClassRequest) },
  responses: { 200: json(StorageClassResponse, 'The storage class as it is now') },
  errors: [404],
})
storageClassRoutes.openapi(putStorageClass, (c) =>
  answer(c, 200, presentClass, (ctx) =>
    changeClass(ctx, c.req.valid('param').id, c.req.valid('json')),
  ),
)

export const deleteStorageClass = defineRoute('storageClasses.write', {
  method: 'delete',
  path: '/admin/storage-classes/{id}',
  operationId: 'deleteStorageClass',
  summary: 'Delete a storage class without files and groups; the default one stays',
  tags: ['Storage classes'],
  versioned: true,
  request: { params },
  responses: { 200: json(MessageResponse, 'The storage class is gone') },
  errors: [404],
})
storageClassRoutes.openapi(deleteStorageClass, (c) =>
  answer(
    c,
    200,
    () => ({ message: 'The storage class was deleted.' }),
    (ctx) => removeClass(ctx, c.req.valid('param').id),
  ),
)
