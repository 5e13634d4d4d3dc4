import { answer } from '../../../http/answer.ts'
import { pathId } from '../../../http/fields.ts'
import { paged } from '../../../http/pagination.ts'
import { defineRoute, json, newArea } from '../../../http/route.ts'
import { presentUsage } from './usage.presenters.ts'
import { StorageClassUsageQuery, StorageClassUsageResponse } from './usage.schemas.ts'
import { findUsage } from './usage.usecases.ts'

export const storageClassUsageRoutes = newArea()

export const getStorageClassUsage = defineRoute('storageClasses.read', {
  method: 'get',
  path: '/admin/storage-classes/{id}/usage',
  operationId: 'getStorageClassUsage',
  summary: 'Bytes and files that groups and people keep in a storage class',
  tags: ['Storage classes'],
  request: { params: pathId('stc', 'storage class'), query: StorageClassUsageQuery },
  responses: { 200: json(StorageClassUsageResponse, 'The sums, and one page of who keeps what') },
  errors: [404],
})
storageClassUsageRoutes.openapi(getStorageClassUsage, (c) =>
  answer(c, 200, presentUsage, (ctx) => {
    const { id } = c.req.valid('param')
    return paged(ctx, { ...c.req.valid('query'), id }, (page) => findUsage(ctx, id, page))
  }),
)
