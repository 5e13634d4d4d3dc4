import type { z } from '@hono/zod-openapi'
import { createStorageClass } from '../../../src/areas/files/storage-classes/storage-classes.routes.ts'
import type {
  CreateStorageClassRequest,
  StorageClassResponse,
} from '../../../src/areas/files/storage-classes/storage-classes.contract.ts'
import { ok, type Principal, rows } from '../../support/api.ts'
import { someId } from '../../support/of-file.ts'

export const newName = (): string => `Class ${crypto.randomUUID()}`

export const wanted = (more: Partial<z.input<typeof CreateStorageClassRequest>> = {}) => ({
  name: newName(),
  prefix: 'archive/',
  maxObjectBytes: 1000,
  allowedTypes: ['application/pdf'],
  ...more,
})

export const newClass = (
  as: Principal,
  more: Partial<z.input<typeof CreateStorageClassRequest>> = {},
): Promise<z.infer<typeof StorageClassResponse>> =>
  ok(createStorageClass, { as, json: wanted(more) })

/** A file as it is stored, without its object. */
export async function storeFileRow(
  owner: { id: string },
  storageClassId: string,
  { size = 10, groupId = null as string | null } = {},
): Promise<string> {
  const id = someId('att')
  await rows(
    `INSERT INTO attachments (id, owner_id, group_id, storage_class_id, object_key, file_name, content_type,
      size, sha256, created_at, updated_at) VALUES (?1, ?2, ?3, ?4, ?1, 'a.pdf', 'application/pdf', ?5, '', 0, 0)`,
    id,
    owner.id,
    groupId,
    storageClassId,
    size,
  )
  return id
}

/** How many defaults there are: one, always. */
export const defaults = () =>
  rows<{ id: string }>('SELECT id FROM storage_classes WHERE is_default = 1')
