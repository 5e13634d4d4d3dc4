import { pathId } from '../../../../http/fields.ts'
import { paged } from '../../../../http/pagination.ts'
import { json, operation } from '../../../../http/route.ts'
import {
  presentStorageUsage,
  StorageClassUsageQuery,
  StorageClassUsageResponse,
} from './usage.contract.ts'
import * as usage from './usage.usecases.ts'

export const getStorageClassUsage = operation({
  access: 'storageClasses.read',
  on: 'GET /admin/storage-classes/{id}/usage',
  summary: 'Get the usage of a storage class',
  request: { params: pathId('stc', 'storage class'), query: StorageClassUsageQuery },
  responses: { 200: json(StorageClassUsageResponse, 'The totals, and one page of holders') },
  run: (ctx, { params, query }) => {
    const { id } = params
    return paged(ctx, { ...query, id }, (page) => usage.getStorageClassUsage(ctx, id, page))
  },
  present: presentStorageUsage,
})
