import { describe, expect, it } from 'vitest'
import { getAccountHistory } from '../../../src/areas/money/accounts/history/history.routes.ts'
import { listOwnAuditLog } from '../../../src/areas/insight/audit-log/audit-log.routes.ts'
import {
  getGroup,
  removeGroupMember,
  listGroupMembers,
  leaveGroup,
  transferGroupOwner,
  updateGroupMember,
} from '../../../src/areas/sharing/groups/groups.routes.ts'
import { call, ok, type Principal, rows } from '../../support/api.ts'
import { serviceWith } from '../../support/service.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { storeShare } from '../../support/stored.ts'
import { refusal, tripsOf } from '../transactions/booking.ts'
import { type Given, join, newGroup, newHousehold, rolesIn } from './groups.ts'

const setRole = (as: Principal, id: string, userId: string, role: Given, headers = {}) =>
  call(updateGroupMember, { as, path: { id, userId }, json: { role }, headers })

const remove = (as: Principal, id: string, userId: string, headers = {}) =>
  call(removeGroupMember, { as, path: { id, userId }, headers })

const leave = (as: Principal, id: string) => call(leaveGroup, { as, id })

const transfer = (as: Principal, id: string, userId: string) =>
  call(transferGroupOwner, { as, id, json: { userId } })

const TOO_LOW = [403, 'groups.roleTooLow']

describe('members of a group', () => {
  it('are seen by each of them, the longest there first', async () => {
    const { id, owner, admin, member, viewer } = await newHousehold()
    const listed = await call(listGroupMembers, { as: viewer, id })
    expect(tripsOf(listed)).toBe(1)
    const { members, count } = listed.body
    expect(members.map(({ userId, role }) => [userId, role])).toEqual([
      [owner.id, 'owner'],
      [admin.id, 'admin'],
      [member.id, 'member'],
      [viewer.id, 'viewer'],
    ])
    expect([count, members[0]?.name, members[0]?.email]).toEqual([4, 'Owner', owner.email])
    const first = await ok(listGroupMembers, { as: owner, id, query: { limit: 3 } })
    const query = { limit: 3, cursor: first.nextCursor ?? '' }
    const second = await ok(listGroupMembers, { as: owner, id, query })
    expect([...first.members, ...second.members]).toEqual(members)
  })

  it('are given roles by whoever has a higher one, administrators by the owner alone', async () => {
    const { id, owner, admin, member, viewer } = await newHousehold()
    const other = await join(id, owner, 'admin')
    for (const [as, userId, role] of [
      [viewer, member.id, 'viewer'],
      [member, viewer.id, 'viewer'],
      [member, member.id, 'admin'],
      [admin, member.id, 'admin'],
      [admin, other.id, 'member'],
      [admin, admin.id, 'member'],
      [admin, owner.id, 'member'],
    ] as const) {
      expect(refusal(await setRole(as, id, userId, role))).toEqual(TOO_LOW)
    }
    const lowered = await setRole(admin, id, member.id, 'viewer')
    expect([lowered.status, tripsOf(lowered)]).toEqual([200, 2])
    expect(lowered.body).toMatchObject({ userId: member.id, role: 'viewer', version: 2 })
    expect((await setRole(admin, id, viewer.id, 'member')).status).toBe(200)
    expect((await setRole(owner, id, viewer.id, 'admin')).status).toBe(200)
    expect((await setRole(owner, id, admin.id, 'member')).status).toBe(200)
    expect(refusal(await setRole(owner, id, owner.id, 'admin'))).toEqual([409, 'groups.ownerStays'])
    expect(await rolesIn(id)).toEqual({
      [owner.id]: 'owner',
      [admin.id]: 'member',
      [other.id]: 'admin',
      [member.id]: 'viewer',
      [viewer.id]: 'admin',
    })
  })

  it('are removed by whoever has a higher role, with what they shared', async () => {
    const { id, owner, admin, member, viewer } = await newHousehold()
    const [mine, theirs] = [await newAccount(owner), await newAccount(member)]
    await storeShare(mine.id, { groupId: id })
    await storeShare(theirs.id, { groupId: id })
    for (const [as, userId] of [
      [member, viewer.id],
      [viewer, member.id],
      [admin, owner.id],
      [admin, admin.id],
    ] as const) {
      expect(refusal(await remove(as, id, userId))).toEqual(TOO_LOW)
    }
    expect(refusal(await remove(owner, id, owner.id))).toEqual([409, 'groups.ownerStays'])
    const gone = await remove(admin, id, member.id)
    expect([gone.status, tripsOf(gone)]).toEqual([200, 2])
    expect(refusal(await call(getGroup, { as: member, id }))).toEqual([404, 'groups.notFound'])
    const left = await rows('SELECT account_id FROM shares WHERE group_id = ?', id)
    expect(left).toEqual([{ account_id: mine.id }])
    const { entries } = await ok(listOwnAuditLog, { as: member })
    expect(entries.slice(0, 2)).toMatchObject([
      {
        ...{ action: 'account.unshared', accountId: theirs.id, groupId: id, actorId: admin.id },
        changes: expect.arrayContaining([{ field: 'permission', before: 'view', after: null }]),
      },
      {
        ...{ action: 'groupMember.removed', resourceId: member.id, groupId: id },
        changes: [{ field: 'role', before: 'member', after: null }],
      },
    ])
    expect(refusal(await remove(owner, id, member.id))).toEqual([404, 'groups.memberNotFound'])
    const stranger = await newUser()
    const unknown = await setRole(owner, id, stranger.id, 'viewer')
    expect(refusal(unknown)).toEqual([404, 'groups.memberNotFound'])
    expect(refusal(await remove(stranger, id, viewer.id))).toEqual([404, 'groups.notFound'])
    expect((await remove(owner, id, admin.id)).status).toBe(200)
  })

  it('are changed by nobody who saw another version of them', async () => {
    const { id, owner, member } = await newHousehold()
    const raise = () => setRole(owner, id, member.id, 'admin')
    const raced = await serviceWith({ meanwhile: raise }).call(removeGroupMember, {
      as: owner,
      path: { id, userId: member.id },
    })
    expect(refusal(raced)).toEqual([409, 'request.conflict'])
    const headers = { 'If-Match': '"1-x"' }
    expect(refusal(await setRole(owner, id, member.id, 'viewer', headers))).toEqual([
      412,
      'request.stale',
    ])
    expect(refusal(await remove(owner, id, member.id, headers))).toEqual([412, 'request.stale'])
  })

  it('leave by themselves with what they shared, also a suspended group', async () => {
    const { id, owner, member, viewer } = await newHousehold()
    const account = await newAccount(member)
    await storeShare(account.id, { groupId: id })
    const left = await leave(member, id)
    expect([left.status, tripsOf(left)]).toEqual([200, 2])
    const query = { accountId: account.id }
    const [ended] = await ok(getAccountHistory, { as: member, query })
    expect(ended).toMatchObject({ type: 'unshared', actorId: member.id })
    expect(await rows('SELECT id FROM shares WHERE group_id = ?', id)).toEqual([])
    expect(refusal(await leave(member, id))).toEqual([404, 'groups.notFound'])
    await rows('UPDATE groups SET suspended_at = 1 WHERE id = ?', id)
    expect((await leave(viewer, id)).status).toBe(200)
    expect(refusal(await leave(owner, id))).toEqual([409, 'groups.ownerStays'])
  })
})

describe('a group always has an owner', () => {
  it('who hands it over to a member, and stays as an administrator', async () => {
    const { id, owner, admin, viewer } = await newHousehold()
    expect(refusal(await transfer(admin, id, admin.id))).toEqual(TOO_LOW)
    const given = await transfer(owner, id, viewer.id)
    expect([given.status, tripsOf(given)]).toEqual([200, 2])
    expect(given.body).toMatchObject({ ownerId: viewer.id, role: 'admin' })
    expect(given.body).toEqual(await ok(getGroup, { as: owner, id }))
    const [told] = (await ok(listOwnAuditLog, { as: owner })).entries
    expect(told).toMatchObject({
      ...{ action: 'group.ownerChanged', resourceId: id },
      changes: [{ field: 'ownerId', before: owner.id, after: viewer.id }],
    })
    expect((await ok(getGroup, { as: viewer, id })).role).toBe('owner')
    expect((await leave(owner, id)).status).toBe(200)
  })

  it('and is handed over to nobody else', async () => {
    const { id, owner, member } = await newHousehold()
    const stranger = await newUser()
    const unknown = [400, 'groups.unknownMember', 'userId']
    expect(refusal(await transfer(owner, id, stranger.id))).toEqual(unknown)
    expect(refusal(await transfer(owner, id, owner.id))).toEqual(unknown)
    expect(refusal(await transfer(stranger, id, stranger.id))).toEqual([404, 'groups.notFound'])
    const disable = () => rows("UPDATE users SET status = 'disabled' WHERE id = ?", member.id)
    const service = serviceWith({ meanwhile: disable })
    const json = { userId: member.id }
    expect(refusal(await service.call(transferGroupOwner, { as: owner, id, json }))).toEqual(
      unknown,
    )
    expect(refusal(await transfer(owner, id, member.id))).toEqual(unknown)
  })

  it('whatever happens at the same moment', async () => {
    const { id, owner, admin, member } = await newHousehold()
    // The heir leaves before it inherits, or is handed what it is about to leave.
    const raced = await serviceWith({ meanwhile: () => leave(admin, id) }).call(
      transferGroupOwner,
      {
        as: owner,
        id,
        json: { userId: admin.id },
      },
    )
    expect(refusal(raced)).toEqual([400, 'groups.unknownMember', 'userId'])
    const meanwhile = () => transfer(owner, id, member.id)
    const late = await serviceWith({ meanwhile }).call(leaveGroup, { as: member, id })
    expect(refusal(late)).toEqual([409, 'request.conflict'])
    // Two who were both handed it, and one who removes the owner of a moment later.
    const back = () => transfer(member, id, owner.id)
    const removed = await serviceWith({ meanwhile: back }).call(removeGroupMember, {
      as: member,
      path: { id, userId: owner.id },
    })
    expect(refusal(removed)).toEqual(TOO_LOW)
    expect(Object.values(await rolesIn(id)).filter((role) => role === 'owner')).toHaveLength(1)
  })

  it('when everybody does everything at once', async () => {
    const owner = await newUser()
    const { id } = await newGroup(owner)
    const people = [owner, ...(await Promise.all([1, 2, 3].map(() => join(id, owner, 'admin'))))]
    for (let round = 0; round < 4; round++) {
      await Promise.all(
        people.flatMap((as, at) => {
          const next = people[(at + 1) % people.length]?.id ?? ''
          return [
            transfer(as, id, next),
            remove(as, id, next),
            leave(as, id),
            setRole(as, id, next, 'admin'),
          ]
        }),
      )
      const owners = Object.values(await rolesIn(id)).filter((role) => role === 'owner')
      expect(owners).toHaveLength(1)
    }
  })
})
