import { afterEach, describe, expect, it } from 'vitest'
import {
  deleteStorageClass,
  listOwnStorageClasses,
  getStorageClass,
  listStorageClasses,
  createStorageClass,
  updateStorageClass,
} from '../../../src/areas/files/storage-classes/storage-classes.routes.ts'
import { call, ok, rows } from '../../support/api.ts'
import { serviceWith } from '../../support/service.ts'
import { newAccount, newAdmin, newUser } from '../../support/world.ts'
import { storeGroup } from '../../support/stored.ts'
import { giveToken } from '../access-tokens/tokens.ts'
import { defaults, newClass, newName, storeFileRow, wanted } from './shelves.ts'

const MIB = 1024 * 1024

/** All tests share the default class: what one of them made the default is it no longer for the next. */
afterEach(async () => {
  await rows('UPDATE storage_classes SET is_default = 0 WHERE is_default = 1')
  await rows("UPDATE storage_classes SET is_default = 1 WHERE id = 'stc_standard'")
})

describe('a new class', () => {
  it('has what was asked for, and the defaults of the rest', async () => {
    const admin = await newAdmin()
    const json = wanted({ name: `  ${newName()} ` })
    const { status, body, headers } = await call(createStorageClass, { as: admin, json })
    expect(status).toBe(201)
    expect(body).toEqual({
      ...json,
      name: json.name.trim(),
      id: expect.stringMatching(/^stc_/),
      r2StorageClass: 'Standard',
      quotaBytes: null,
      retentionDays: null,
      isDefault: false,
      version: 1,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    })
    const shown = await call(getStorageClass, { as: admin, id: body.id })
    expect(shown.body).toEqual(body)
    expect(shown.headers.get('ETag')).toBe(headers.get('ETag'))
  })

  it('takes all that can be said of it, each media type once', async () => {
    const allowedTypes = [' Image/PNG', 'image/png', 'application/vnd.ms-excel']
    const all = {
      ...{
        r2StorageClass: 'InfrequentAccess' as const,
        prefix: 'cold/2026_x/',
        quotaBytes: 2 ** 50,
      },
      ...{ maxObjectBytes: 100 * MIB, retentionDays: 36_500, allowedTypes },
    }
    const found = await newClass(await newAdmin(), all)
    expect(found).toMatchObject({
      ...all,
      allowedTypes: ['image/png', 'application/vnd.ms-excel'],
    })
  })

  it('is made once however often the same request comes', async () => {
    const admin = await newAdmin()
    const json = wanted()
    const headers = { 'Idempotency-Key': crypto.randomUUID() }
    const [one, two] = [
      await call(createStorageClass, { as: admin, json, headers }),
      await call(createStorageClass, { as: admin, json, headers }),
    ]
    expect(two.body).toEqual(one.body)
  })

  it.each([
    [{ name: ' \u3000' }, 'name'],
    [{ name: 'x'.repeat(65) }, 'name'],
    [{ r2StorageClass: 'Glacier' }, 'r2StorageClass'],
    [{ prefix: '' }, 'prefix'],
    [{ prefix: 'archive' }, 'prefix'],
    [{ prefix: '/archive/' }, 'prefix'],
    [{ prefix: 'a//b/' }, 'prefix'],
    [{ prefix: '../' }, 'prefix'],
    [{ prefix: 'Archive/' }, 'prefix'],
    [{ prefix: 'é/' }, 'prefix'],
    [{ prefix: `${'x'.repeat(64)}/` }, 'prefix'],
    [{ quotaBytes: 0 }, 'quotaBytes'],
    [{ quotaBytes: 2 ** 50 + 1 }, 'quotaBytes'],
    [{ maxObjectBytes: 0 }, 'maxObjectBytes'],
    [{ maxObjectBytes: 1.5 }, 'maxObjectBytes'],
    [{ maxObjectBytes: 100 * MIB + 1 }, 'maxObjectBytes'],
    [{ maxObjectBytes: '1' }, 'maxObjectBytes'],
    [{ allowedTypes: [] }, 'allowedTypes'],
    [{ allowedTypes: ['pdf'] }, 'allowedTypes.0'],
    [{ allowedTypes: ['image/*'] }, 'allowedTypes.0'],
    [{ allowedTypes: ['text/plain; charset=utf-8'] }, 'allowedTypes.0'],
    [{ allowedTypes: Array.from({ length: 101 }, (_, at) => `text/x${at}`) }, 'allowedTypes'],
    [{ retentionDays: 0 }, 'retentionDays'],
    [{ isDefault: 'yes' }, 'isDefault'],
    [{ objectKey: 'x' }, 'objectKey'],
  ])('is refused with %j', async (wrong, field) => {
    const raw = { body: JSON.stringify({ ...wanted(), ...wrong }) }
    const { status, error } = await call(createStorageClass, { as: await newAdmin(), raw })
    expect([status, error.field]).toEqual([400, field])
  })

  it.each([
    ['as another', (name: string) => name],
    ['in other case', (name: string) => name.toUpperCase()],
    ['in full width', (name: string) => name.replace('C', 'Ｃ')],
  ])('is refused under the same name %s', async (_, spelt) => {
    const admin = await newAdmin()
    const { name } = await newClass(admin)
    const { status, error } = await call(createStorageClass, {
      as: admin,
      json: wanted({ name: spelt(name) }),
    })
    expect([status, error.code, error.field]).toEqual([409, 'storageClasses.nameTaken', 'name'])
  })
})

describe('the list', () => {
  it('goes by name, page by page, and counts all', async () => {
    const admin = await newAdmin()
    const made = [await newClass(admin), await newClass(admin), await newClass(admin)]
    const found: string[] = []
    let cursor: string | undefined
    do {
      const query = { limit: 2, ...(cursor ? { cursor } : {}) }
      const page: { storageClasses: { id: string }[]; count: number; nextCursor: string | null } =
        await ok(listStorageClasses, { as: admin, query })
      found.push(...page.storageClasses.map(({ id }) => id))
      cursor = page.nextCursor ?? undefined
      expect(page.count).toBeGreaterThan(3)
    } while (cursor)
    const names = made.toSorted((a, b) => (a.name < b.name ? -1 : 1)).map(({ id }) => id)
    expect(found.filter((id) => names.includes(id))).toEqual(names)
    expect(new Set(found).size).toBe(found.length)
    expect(found).toContain('stc_standard')
  })

  it('of one’s own has the default, and those of the groups that one may put files into', async () => {
    const [admin, ada] = [await newAdmin(), await newUser()]
    const classes = await Promise.all([1, 2, 3, 4].map(() => newClass(admin)))
    const [member, viewer, suspended, other] = classes.map(({ id }) => id)
    await storeGroup([[ada, 'member']], member)
    await storeGroup([[ada, 'viewer']], viewer)
    const rested = await storeGroup([[ada, 'owner']], suspended)
    await rows('UPDATE groups SET suspended_at = 1 WHERE id = ?', rested)
    await storeGroup([[admin, 'owner']], other)
    await storeGroup([[ada, 'owner']])
    const ids = async (as: { accessToken: string }) =>
      (await ok(listOwnStorageClasses, { as })).storageClasses.map(({ id }) => id).toSorted()
    expect(await ids(ada)).toEqual([member, 'stc_standard'].toSorted())
    expect(await ids(await newUser())).toEqual(['stc_standard'])
    const { id } = await newAccount(ada)
    expect(await ids(await giveToken(ada, ['read'], [id]))).toEqual(['stc_standard'])
    expect(await ids(await giveToken(ada, ['read']))).toContain(member)
  })
})

describe('a change', () => {
  it('is of what is sent, and is in the log with both images', async () => {
    const admin = await newAdmin()
    const before = await newClass(admin, { quotaBytes: 5000, retentionDays: 10 })
    const json = { quotaBytes: null, r2StorageClass: 'InfrequentAccess' as const }
    const after = await ok(updateStorageClass, { as: admin, id: before.id, json })
    expect(after).toEqual({ ...before, ...json, version: 2, updatedAt: expect.any(String) })
    expect(await ok(getStorageClass, { as: admin, id: before.id })).toEqual(after)
    const [logged] = await rows<{ changes: string }>(
      "SELECT content AS changes FROM log_entries WHERE resource_id = ? AND type = 'storageClass.updated'",
      before.id,
    )
    expect(JSON.parse(logged?.changes ?? '')).toEqual({
      before: { quotaBytes: 5000, r2StorageClass: 'Standard' },
      after: json,
    })
  })

  it('is refused when the version is another one, then or by the time of the commit', async () => {
    const admin = await newAdmin()
    const { id } = await newClass(admin)
    const etag = (await call(getStorageClass, { as: admin, id })).headers.get('ETag') ?? ''
    const change = (prefix: string) =>
      call(updateStorageClass, { as: admin, id, json: { prefix }, headers: { 'If-Match': etag } })
    const slow = serviceWith({ meanwhile: () => change('first/') })
    const late = await slow.call(updateStorageClass, { as: admin, id, json: { prefix: 'late/' } })
    expect(late.status).toBe(409)
    expect((await change('second/')).status).toBe(412)
    expect((await ok(getStorageClass, { as: admin, id })).prefix).toBe('first/')
  })

  it('to a name that another has is refused, to another spelling of the own is not', async () => {
    const admin = await newAdmin()
    const [one, two] = [await newClass(admin), await newClass(admin)]
    const taken = await call(updateStorageClass, {
      as: admin,
      id: one.id,
      json: { name: two.name },
    })
    expect([taken.status, taken.error.code]).toEqual([409, 'storageClasses.nameTaken'])
    const name = one.name.toUpperCase()
    expect((await ok(updateStorageClass, { as: admin, id: one.id, json: { name } })).name).toBe(
      name,
    )
  })
})

describe('the default', () => {
  it('moves to the class that is made or changed to be it, in one commit', async () => {
    const admin = await newAdmin()
    const made = await newClass(admin, { isDefault: true })
    expect(await defaults()).toEqual([{ id: made.id }])
    const { id } = await newClass(admin)
    const moved = await ok(updateStorageClass, { as: admin, id, json: { isDefault: true } })
    expect(moved.isDefault).toBe(true)
    expect(await defaults()).toEqual([{ id }])
    expect(await ok(getStorageClass, { as: admin, id: made.id })).toMatchObject({
      isDefault: false,
      version: 2,
    })
    const told = await rows(
      `SELECT type, resource_id, content->'$.after.isDefault' AS isDefault FROM log_entries WHERE commit_id =
          (SELECT commit_id FROM log_entries WHERE resource_id = ? AND type = 'storageClass.updated')
        ORDER BY number`,
      id,
    )
    expect(told).toEqual([
      { type: 'storageClass.updated', resource_id: made.id, isDefault: 'false' },
      { type: 'storageClass.updated', resource_id: id, isDefault: 'true' },
    ])
    const { storageClasses } = await ok(listOwnStorageClasses, { as: await newUser() })
    expect(storageClasses.map((one) => one.id)).toEqual([id])
  })

  it('is neither unset nor deleted', async () => {
    const admin = await newAdmin()
    const { id } = await newClass(admin, { isDefault: true })
    const unset = await call(updateStorageClass, { as: admin, id, json: { isDefault: false } })
    expect([unset.status, unset.error.code, unset.error.field]).toEqual([
      409,
      'storageClasses.defaultStays',
      'isDefault',
    ])
    const deleted = await call(deleteStorageClass, { as: admin, id })
    expect([deleted.status, deleted.error.code]).toEqual([409, 'storageClasses.defaultStays'])
    expect(await defaults()).toEqual([{ id }])
  })

  it('is one, whoever wants to be it at the same time', async () => {
    const admin = await newAdmin()
    const [one, two] = [await newClass(admin), await newClass(admin)]
    const become = (id: string, service = serviceWith({})) =>
      service.call(updateStorageClass, { as: admin, id, json: { isDefault: true } })
    const slow = serviceWith({ meanwhile: () => become(one.id) })
    const late = await become(two.id, slow)
    expect([late.status, late.error.code]).toEqual([409, 'storageClasses.changedMeanwhile'])
    expect(await defaults()).toEqual([{ id: one.id }])
  })

  it('stays a class that was made it while it was being deleted', async () => {
    const admin = await newAdmin()
    const { id } = await newClass(admin)
    const meanwhile = () => ok(updateStorageClass, { as: admin, id, json: { isDefault: true } })
    const late = await serviceWith({ meanwhile }).call(deleteStorageClass, { as: admin, id })
    expect(late.status).toBe(409)
    expect(await defaults()).toEqual([{ id }])
  })
})

describe('deleting', () => {
  it('takes a class that nothing uses', async () => {
    const admin = await newAdmin()
    const { id } = await newClass(admin)
    await ok(deleteStorageClass, { as: admin, id })
    expect((await call(getStorageClass, { as: admin, id })).status).toBe(404)
    expect((await call(deleteStorageClass, { as: admin, id })).status).toBe(404)
    expect((await call(updateStorageClass, { as: admin, id, json: {} })).status).toBe(404)
  })

  it.each([
    ['a file', (as: { id: string }, id: string) => storeFileRow(as, id)],
    ['a group', (as: { id: string }, id: string) => storeGroup([[as, 'owner']], id)],
  ])('leaves a class that %s uses, also when that comes meanwhile', async (_, use) => {
    const admin = await newAdmin()
    const [{ id }, late] = [await newClass(admin), await newClass(admin)]
    await use(admin, id)
    const used = await call(deleteStorageClass, { as: admin, id })
    expect([used.status, used.error.code]).toEqual([409, 'storageClasses.inUse'])
    const slow = serviceWith({ meanwhile: () => use(admin, late.id) })
    const raced = await slow.call(deleteStorageClass, { as: admin, id: late.id })
    expect([raced.status, raced.error.code]).toEqual([409, 'storageClasses.inUse'])
  })
})
