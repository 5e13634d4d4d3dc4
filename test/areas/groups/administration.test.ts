import { expect, it } from 'vitest'
import {
  getGroup,
  deleteAnyGroup,
  removeAnyGroupMember,
  getAnyGroup,
  listAllGroups,
  updateAnyGroup,
  addGroupMember,
} from '../../../src/areas/sharing/groups/groups.routes.ts'
import { createAccessToken } from '../../../src/areas/identity/access-tokens/access-tokens.routes.ts'
import { getAccountByID } from '../../../src/areas/money/accounts/accounts.routes.ts'
import { call, ok, rows } from '../../support/api.ts'
import { serviceWith } from '../../support/service.ts'
import { newAccount, newAdmin, newUser } from '../../support/world.ts'
import { storeShare } from '../../support/stored.ts'
import { refusal, tripsOf } from '../transactions/booking.ts'
import { newGroup, newHousehold, rolesIn } from './groups.ts'

it('administrators see all groups, the newest first, and who is in them', async () => {
  const as = await newAdmin()
  const { id, owner, admin, member, viewer } = await newHousehold()
  await storeShare((await newAccount(owner)).id, { groupId: id })
  const listed = await call(listAllGroups, { as, query: { limit: 1 } })
  expect([listed.status, tripsOf(listed)]).toEqual([200, 1])
  const { id: newer } = await newGroup(owner)
  const all: typeof listed.body.groups = []
  let cursor = ''
  // No further than these: other tests leave older groups in every state.
  do {
    const query = { limit: 2, ...(cursor === '' ? {} : { cursor }) }
    const page = await ok(listAllGroups, { as, query })
    expect(page.count).toBeGreaterThan(1)
    all.push(...page.groups)
    cursor = page.nextCursor ?? ''
  } while (cursor !== '' && !all.some((group) => group.id === id))
  const ids = all.map((group) => group.id)
  expect(ids).toEqual(ids.toSorted().toReversed())
  expect(ids).toContain(newer)
  const shown = await call(getAnyGroup, { as, id })
  expect(tripsOf(shown)).toBe(1)
  const told = { id, ownerId: owner.id, ownerEmail: owner.email, memberCount: 4, accountCount: 1 }
  expect(all.find((group) => group.id === id)).toMatchObject(told)
  expect(shown.body).toMatchObject({ ...told, suspendedAt: null, version: 1 })
  expect(shown.body.members.map(({ userId }) => userId)).toEqual(
    [owner, admin, member, viewer].map((user) => user.id),
  )
})

it('nobody else may do any of that', async () => {
  const { id, owner, viewer } = await newHousehold()
  for (const answer of [
    await call(listAllGroups, { as: owner }),
    await call(getAnyGroup, { as: owner, id }),
    await call(updateAnyGroup, { as: owner, id, json: { name: 'x' } }),
    await call(deleteAnyGroup, { as: owner, id }),
    await call(addGroupMember, { as: owner, id, json: { userId: viewer.id } }),
    await call(removeAnyGroupMember, { as: owner, path: { id, userId: viewer.id } }),
  ]) {
    expect(refusal(answer)).toEqual([403, 'auth.forbidden'])
  }
})

it('nor does an access token for some accounts, for which there are no groups', async () => {
  const admin = await newAdmin()
  const { id, owner, viewer } = await newHousehold()
  const { id: accountId } = await newAccount(admin)
  const scopes: ('allGroups.read' | 'allGroups.write')[] = ['allGroups.read', 'allGroups.write']
  const json = { name: 'Program', scopes, accountIds: [accountId] }
  const as = { accessToken: (await ok(createAccessToken, { as: admin, json })).token }
  for (const answer of [
    await call(listAllGroups, { as }),
    await call(getAnyGroup, { as, id }),
    await call(updateAnyGroup, { as, id, json: { name: 'x' } }),
    await call(deleteAnyGroup, { as, id }),
    await call(addGroupMember, { as, id, json: { userId: admin.id } }),
    await call(removeAnyGroupMember, { as, path: { id, userId: viewer.id } }),
  ]) {
    expect(refusal(answer)).toEqual([403, 'groups.tokenIsRestricted'])
  }
  expect((await ok(getGroup, { as: owner, id })).memberCount).toBe(4)
})

it('a suspended group shares nothing from that moment on, until it is taken back', async () => {
  const as = await newAdmin()
  const { id, owner, member } = await newHousehold()
  const account = await newAccount(owner)
  await storeShare(account.id, { groupId: id })
  const look = async () => (await call(getAccountByID, { as: member, id: account.id })).status
  expect(await look()).toBe(200)
  const suspended = await call(updateAnyGroup, { as, id, json: { suspended: true, name: 'Hut' } })
  expect([suspended.status, tripsOf(suspended)]).toEqual([200, 2])
  expect(suspended.body).toMatchObject({ name: 'Hut', suspendedAt: expect.any(String), version: 2 })
  expect(await look()).toBe(404)
  expect((await ok(getGroup, { as: member, id })).suspended).toBe(true)
  const again = await ok(updateAnyGroup, { as, id, json: { suspended: true } })
  expect(again.suspendedAt).toBe(suspended.body.suspendedAt)
  expect((await ok(updateAnyGroup, { as, id, json: { suspended: false } })).suspendedAt).toBe(null)
  expect(await look()).toBe(200)
})

it('administrators add and remove members, and leave each group its owner', async () => {
  const as = await newAdmin()
  const { id, owner, viewer } = await newHousehold()
  const guest = await newUser()
  const add = (userId: string) => call(addGroupMember, { as, id, json: { userId, role: 'viewer' } })
  const added = await add(guest.id)
  expect([added.status, tripsOf(added)]).toEqual([201, 2])
  expect(added.body).toMatchObject({ userId: guest.id, email: guest.email, role: 'viewer' })
  expect(refusal(await add(guest.id))).toEqual([409, 'groups.alreadyMember'])
  const unknown = [400, 'groups.unknownUser', 'userId']
  expect(refusal(await add('usr_nobody'))).toEqual(unknown)
  const late = await newUser()
  const disable = () => rows("UPDATE users SET status = 'disabled' WHERE id = ?", late.id)
  const json = { userId: late.id }
  const raced = await serviceWith({ meanwhile: disable }).call(addGroupMember, { as, id, json })
  expect(refusal(raced)).toEqual(unknown)
  const { id: other } = await newHousehold()
  const end = serviceWith({ meanwhile: () => ok(deleteAnyGroup, { as, id: other }) })
  const ended = await end.call(addGroupMember, { as, id: other, json: { userId: guest.id } })
  expect(refusal(ended)).toEqual([404, 'groups.notFound'])
  const account = await newAccount(viewer)
  await storeShare(account.id, { groupId: id })
  const remove = (userId: string) => call(removeAnyGroupMember, { as, path: { id, userId } })
  expect((await remove(viewer.id)).status).toBe(200)
  expect(await rows('SELECT id FROM shares WHERE group_id = ?', id)).toEqual([])
  expect(refusal(await remove(viewer.id))).toEqual([404, 'groups.memberNotFound'])
  expect(refusal(await remove(owner.id))).toEqual([409, 'groups.ownerStays'])
  expect((await rolesIn(id))[owner.id]).toBe('owner')
})

it('administrators delete groups, and what nobody has is not there', async () => {
  const as = await newAdmin()
  const { id, owner } = await newHousehold()
  await storeShare((await newAccount(owner)).id, { groupId: id })
  const headers = { 'If-Match': '"7-x"' }
  expect(refusal(await call(deleteAnyGroup, { as, id, headers }))).toEqual([412, 'request.stale'])
  const patched = await call(updateAnyGroup, { as, id, json: { name: 'x' }, headers })
  expect(refusal(patched)).toEqual([412, 'request.stale'])
  expect((await call(deleteAnyGroup, { as, id })).status).toBe(200)
  expect(await rolesIn(id)).toEqual({})
  for (const answer of [
    await call(getAnyGroup, { as, id }),
    await call(updateAnyGroup, { as, id, json: { name: 'x' } }),
    await call(deleteAnyGroup, { as, id }),
    await call(addGroupMember, { as, id, json: { userId: owner.id } }),
    await call(removeAnyGroupMember, { as, path: { id, userId: owner.id } }),
  ]) {
    expect(refusal(answer)).toEqual([404, 'groups.notFound'])
  }
})
