import { answer } from '../../../../http/answer.ts'
import { pathId } from '../../../../http/fields.ts'
import { paged } from '../../../../http/pagination.ts'
import { json, operation } from '../../../../http/route.ts'
import {
  presentStorageUsage,
  StorageClassUsageQuery,
  StorageClassUsageResponse,
} from './usage.contract.ts'
import * as usage from './usage.usecases.ts'

export const getStorageClassUsage = operation(
  'storageClasses.read',
  {
    method: 'get',
    path: '/admin/storage-classes/{id}/usage',
    operationId: 'getStorageClassUsage',
    summary: 'Get the usage of a storage class',
    tags: ['Storage classes'],
    request: { params: pathId('stc', 'storage class'), query: StorageClassUsageQuery },
    responses: { 200: json(StorageClassUsageResponse, 'The totals, and one page of holders') },
  },
  (c) =>
    answer(c, 200, presentStorageUsage, (ctx) => {
      const { id } = c.req.valid('param')
      return paged(ctx, { ...c.req.valid('query'), id }, (page) =>
        usage.getStorageClassUsage(ctx, id, page),
      )
    }),
)
