import { expect, it } from 'vitest'
import {
  deleteStorageClass,
  getStorageClassUsage,
  setGroupStorageClass,
} from '../../../src/areas/files/storage-classes/storage-classes.routes.ts'
import { call, ok, rows } from '../../support/api.ts'
import { someId } from '../../support/of-file.ts'
import { serviceWith } from '../../support/service.ts'
import { newAdmin, newUser } from '../../support/world.ts'
import { storeGroup } from '../../support/stored.ts'
import { newClass, storeFileRow } from './shelves.ts'

const classOf = async (id: string) =>
  (
    await rows<{ storage_class_id: string | null }>(
      'SELECT storage_class_id FROM groups WHERE id = ?',
      id,
    )
  )[0]?.storage_class_id

it('tells who keeps how much in a class, the most first', async () => {
  const [admin, ada] = [await newAdmin(), await newUser()]
  const { id } = await newClass(admin, { quotaBytes: 5000 })
  const groupId = await storeGroup([[ada, 'owner']])
  await storeFileRow(ada, id, { size: 5 })
  await storeFileRow(admin, id, { size: 5 })
  await storeFileRow(ada, id, { size: 30, groupId })
  await storeFileRow(admin, id, { size: 20, groupId })
  await storeFileRow(ada, (await newClass(admin)).id, { size: 1000 })
  const people = [ada.id, admin.id]
    .toSorted()
    .map((user) => ({ kind: 'user', id: user, bytes: 5, objects: 1 }))
  const holders = [{ kind: 'group', id: groupId, bytes: 50, objects: 2 }, ...people]
  const totals = { storageClassId: id, quotaBytes: 5000, bytes: 60, objects: 4, count: 3 }
  expect(await ok(getStorageClassUsage, { as: admin, id })).toEqual({
    ...totals,
    holders,
    nextCursor: null,
  })
  const first = await ok(getStorageClassUsage, { as: admin, id, query: { limit: 2 } })
  expect(first).toMatchObject({ ...totals, holders: holders.slice(0, 2) })
  const query = { limit: 2, cursor: first.nextCursor ?? '' }
  expect(await ok(getStorageClassUsage, { as: admin, id, query })).toMatchObject({
    holders: holders.slice(2),
    nextCursor: null,
  })
  const elsewhere = { as: admin, id: (await newClass(admin)).id, query }
  expect((await call(getStorageClassUsage, elsewhere)).error.code).toBe('request.invalidCursor')
})

it('is nothing in a class without files', async () => {
  const admin = await newAdmin()
  const { id } = await newClass(admin)
  expect(await ok(getStorageClassUsage, { as: admin, id })).toMatchObject({
    ...{ quotaBytes: null, bytes: 0, objects: 0, holders: [], count: 0, nextCursor: null },
  })
  expect((await call(getStorageClassUsage, { as: admin, id: someId('stc') })).status).toBe(404)
})

it('sets and clears where new files of a group go', async () => {
  const admin = await newAdmin()
  const { id: storageClassId } = await newClass(admin)
  const groupId = await storeGroup([[await newUser(), 'owner']])
  const set = await ok(setGroupStorageClass, {
    as: admin,
    id: groupId,
    json: { storageClassId },
  })
  expect(set).toEqual({ groupId, storageClassId, message: expect.stringContaining('set') })
  expect(await classOf(groupId)).toBe(storageClassId)
  const cleared = await ok(setGroupStorageClass, {
    as: admin,
    id: groupId,
    json: { storageClassId: null },
  })
  expect(cleared).toEqual({ groupId, storageClassId: null, message: expect.any(String) })
  expect(await classOf(groupId)).toBe(null)
  const logged = await rows<{ changes: string; group_id: string }>(
    "SELECT content AS changes, group_id FROM log_entries WHERE resource_id = ? AND type = 'group.storageClassSet'",
    groupId,
  )
  expect(logged.map(({ changes }) => JSON.parse(changes))).toEqual([
    { before: { storageClassId: null }, after: { storageClassId } },
    { before: { storageClassId }, after: { storageClassId: null } },
  ])
  expect(logged.map((row) => row.group_id)).toEqual([groupId, groupId])
})

it('refuses unknown groups and classes, and other versions', async () => {
  const admin = await newAdmin()
  const groupId = await storeGroup()
  const set = (id: string, json: { storageClassId: string | null }, ifMatch?: string) =>
    call(setGroupStorageClass, {
      as: admin,
      id,
      json,
      ...(ifMatch ? { headers: { 'If-Match': ifMatch } } : {}),
    })
  const noGroup = await set(someId('grp'), { storageClassId: null })
  expect([noGroup.status, noGroup.error.code]).toEqual([404, 'storageClasses.groupNotFound'])
  const noClass = await set(groupId, { storageClassId: 'stc_none' })
  expect([noClass.status, noClass.error.code, noClass.error.field]).toEqual([
    400,
    'storageClasses.unknown',
    'storageClassId',
  ])
  const other = await set(groupId, { storageClassId: null }, '"7-abcdefghijklmnop"')
  expect(other.status).toBe(412)
  const raw = { body: '{}' }
  expect((await call(setGroupStorageClass, { as: admin, id: groupId, raw })).status).toBe(400)
})

it('does not assign a class that is deleted meanwhile, nor over another assignment', async () => {
  const admin = await newAdmin()
  const [{ id: storageClassId }, other] = [await newClass(admin), await newClass(admin)]
  const groupId = await storeGroup()
  const set = (meanwhile: () => Promise<unknown>) =>
    serviceWith({ meanwhile }).call(setGroupStorageClass, {
      as: admin,
      id: groupId,
      json: { storageClassId },
    })
  const raced = await set(() =>
    ok(setGroupStorageClass, { as: admin, id: groupId, json: { storageClassId: other.id } }),
  )
  expect(raced.status).toBe(409)
  const gone = await set(() => ok(deleteStorageClass, { as: admin, id: storageClassId }))
  expect([gone.status, gone.error.code, gone.error.field]).toEqual([
    400,
    'storageClasses.unknown',
    'storageClassId',
  ])
  expect(await classOf(groupId)).toBe(other.id)
})
