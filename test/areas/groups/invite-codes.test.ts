import { expect, it } from 'vitest'
import { register } from '../../../src/areas/identity/auth/auth.routes.ts'
import {
  deleteGroup,
  listGroupActivity,
  removeGroupMember,
} from '../../../src/areas/sharing/groups/groups.routes.ts'
import {
  createInviteCode,
  getInviteCode,
  updateInviteCode,
} from '../../../src/areas/identity/invites/invites.routes.ts'
import { call, ok, type Principal, rows } from '../../support/api.ts'
import { serviceWith } from '../../support/service.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { giveToken } from '../access-tokens/tokens.ts'
import { refusal, tripsOf } from '../transactions/booking.ts'
import { type Given, newGroup, newHousehold, rolesIn } from './groups.ts'

const issue = (as: Principal, groupId: string, groupRole?: Given) =>
  call(createInviteCode, { as, json: { groupId, maxUses: 9, ...(groupRole ? { groupRole } : {}) } })

async function registerBy(inviteCode: string) {
  const email = `joins-${crypto.randomUUID()}@coffer.test`
  const json = { email, password: 'fifteen characters or more', name: 'Grace', inviteCode }
  const registered = await call(register, { json })
  expect([registered.status, tripsOf(registered)]).toEqual([201, 2])
  return registered.body.user.id
}

const NOT_OPEN = [403, 'inviteCodes.groupNotOpen', 'groupId']

it('whoever registers with a code for a group is in it from the same moment on', async () => {
  const { id, owner, admin } = await newHousehold()
  const issued = await issue(admin, id, 'viewer')
  expect(issued.body).toMatchObject({ groupId: id, groupRole: 'viewer' })
  const shown = await ok(getInviteCode, { as: admin, id: issued.body.id })
  expect(shown).toMatchObject({ groupId: id, groupRole: 'viewer' })
  const first = await registerBy(issued.body.code)
  const second = await registerBy((await issue(owner, id, 'admin')).body.code)
  const third = await registerBy((await issue(owner, id)).body.code)
  const { [first]: one, [second]: two, [third]: three } = await rolesIn(id)
  expect([one, two, three]).toEqual(['viewer', 'admin', 'member'])
})

it('the group and whoever joins by a code are told of it, as of any joining', async () => {
  const { id, owner, viewer } = await newHousehold()
  const issued = (await issue(owner, id)).body
  const guest = await registerBy(issued.code)
  const { activity } = await ok(listGroupActivity, { as: viewer, id })
  expect(activity[0]).toMatchObject({ action: 'groupMember.joined', actorId: guest })
  const told = await rows(
    "SELECT owner_id, actor_id, resource_id, group_id, content FROM log_entries WHERE type = 'groupMember.joined' AND resource_id = ?",
    guest,
  )
  expect(told).toEqual([
    {
      owner_id: guest,
      actor_id: guest,
      resource_id: guest,
      group_id: id,
      content: JSON.stringify({ after: { role: 'member', inviteId: issued.id } }),
    },
  ])
})

it('nobody is told of a joining that a suspended group refuses', async () => {
  const { id, owner } = await newHousehold()
  const { code } = (await issue(owner, id)).body
  await rows('UPDATE groups SET suspended_at = 1 WHERE id = ?', id)
  const guest = await registerBy(code)
  const joined = "SELECT 1 FROM log_entries WHERE type = 'groupMember.joined' AND resource_id = ?"
  expect(await rows(joined, guest)).toEqual([])
})

it('a registration fails as a whole where the group closes meanwhile, and can be repeated', async () => {
  const { id, owner } = await newHousehold()
  const { code } = (await issue(owner, id)).body
  const email = `joins-${crypto.randomUUID()}@coffer.test`
  const json = { email, password: 'fifteen characters or more', name: 'Grace', inviteCode: code }
  const suspend = () => rows('UPDATE groups SET suspended_at = 1 WHERE id = ?', id)
  const raced = await serviceWith({ meanwhile: suspend }).call(register, { json })
  expect(refusal(raced)).toEqual([409, 'request.conflict'])
  expect((await call(register, { json })).status).toBe(201)
  expect(Object.keys(await rolesIn(id))).toHaveLength(4)
})

it('a code is issued only into a group into which its issuer may invite, with that role', async () => {
  const { id, admin, member, viewer } = await newHousehold()
  const stranger = await newUser()
  for (const [as, role] of [
    [admin, 'admin'],
    [member, 'viewer'],
    [viewer, 'viewer'],
    [stranger, 'viewer'],
  ] as const) {
    expect(refusal(await issue(as, id, role))).toEqual(NOT_OPEN)
  }
  expect(refusal(await issue(admin, 'grp_nothing'))).toEqual(NOT_OPEN)
  const { id: accountId } = await newAccount(admin)
  const token = await giveToken(admin, ['inviteCodes.write'], [accountId])
  expect(refusal(await issue(token, id))).toEqual(NOT_OPEN)
  const alone = await call(createInviteCode, { as: admin, json: { groupRole: 'viewer' } })
  expect(refusal(alone)).toEqual([400, 'inviteCodes.roleNeedsGroup', 'groupRole'])
  const demote = () => rows("UPDATE group_members SET role = 'viewer' WHERE user_id = ?", admin.id)
  const raced = await serviceWith({ meanwhile: demote }).call(createInviteCode, {
    as: admin,
    json: { groupId: id },
  })
  expect(refusal(raced)).toEqual(NOT_OPEN)
})

it('a code still registers, but into nothing, when its issuer is out, or the group suspended or gone', async () => {
  const { id, owner, admin } = await newHousehold()
  const { code, id: codeId } = (await issue(admin, id)).body
  const by = (await issue(owner, id)).body.code
  await rows('UPDATE groups SET suspended_at = 1 WHERE id = ?', id)
  const early = await registerBy(by)
  await rows('UPDATE groups SET suspended_at = NULL WHERE id = ?', id)
  await ok(removeGroupMember, { as: owner, path: { id, userId: admin.id } })
  const changed = await call(updateInviteCode, { as: admin, id: codeId, json: { maxUses: 10 } })
  expect(refusal(changed)).toEqual(NOT_OPEN)
  const late = await registerBy(code)
  const roles = await rolesIn(id)
  expect([roles[early], roles[late]]).toEqual([undefined, undefined])
  await ok(deleteGroup, { as: owner, id })
  const last = await registerBy(by)
  expect(await rows('SELECT 1 FROM group_members WHERE user_id = ?', last)).toEqual([])
  expect(await ok(getInviteCode, { as: admin, id: codeId })).toMatchObject({ groupId: null })
})

it('a code lets nobody more into a group that is full', async () => {
  const owner = await newUser()
  const { id } = await newGroup(owner)
  const { code } = (await issue(owner, id)).body
  await rows(
    `INSERT INTO users (id, email, email_key, name, base_currency, locale, time_zone, created_at, updated_at)
      SELECT ?1 || value, ?1 || value, ?1 || value, '', 'EUR', 'en', 'UTC', 0, 0 FROM json_each(?2)`,
    id,
    JSON.stringify(Array.from({ length: 49 }, (_, at) => at)),
  )
  await rows(
    "INSERT INTO group_members SELECT ?1, u.id, 'viewer', 0, 1 FROM users u WHERE u.id GLOB ?1 || '*'",
    id,
  )
  const guest = await registerBy(code)
  expect((await rolesIn(id))[guest]).toBeUndefined()
})
