import { describe, expect, it } from 'vitest'
import {
  createGroup,
  deleteGroup,
  getGroup,
  listOwnGroups,
  updateGroup,
  listGroupMembers,
} from '../../../src/areas/sharing/groups/groups.routes.ts'
import { getAccountHistory } from '../../../src/areas/money/accounts/history/history.routes.ts'
import { listOwnAuditLog } from '../../../src/areas/insight/audit-log/audit-log.routes.ts'
import { call, ok, rows } from '../../support/api.ts'
import { serviceWith } from '../../support/service.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { storeShare } from '../../support/stored.ts'
import { giveToken } from '../access-tokens/tokens.ts'
import { refusal, tripsOf } from '../transactions/booking.ts'
import { codeInto, join, newGroup, newHousehold, rolesIn } from './groups.ts'

describe('a group', () => {
  it('is created, shown, listed and changed by whoever is its owner then', async () => {
    const me = await newUser({ baseCurrency: 'CHF' })
    const created = await call(createGroup, { as: me, json: { name: ' Home ' } })
    expect([created.status, tripsOf(created)]).toEqual([201, 2])
    const { id } = created.body
    expect(created.body).toMatchObject({
      name: 'Home',
      kind: 'household',
      baseCurrency: 'CHF',
      ownerId: me.id,
      memberCount: 1,
      role: 'owner',
      suspended: false,
      storageClassId: null,
      version: 1,
    })
    const shown = await call(getGroup, { as: me, id })
    expect([shown.body, tripsOf(shown)]).toEqual([created.body, 1])
    expect(await ok(listOwnGroups, { as: me })).toEqual({
      groups: [created.body],
      count: 1,
      nextCursor: null,
    })
    const json = { kind: 'trip', baseCurrency: 'JPY' } as const
    const changed = await call(updateGroup, { as: me, id, json })
    expect(changed.body).toMatchObject({ name: 'Home', ...json, version: 2 })
    expect([changed.status, tripsOf(changed)]).toEqual([200, 2])
    expect(await ok(getGroup, { as: me, id })).toEqual(changed.body)
  })

  it('is listed page by page, each once', async () => {
    const me = await newUser()
    const ids = [await newGroup(me), await newGroup(me), await newGroup(me)].map(({ id }) => id)
    const first = await ok(listOwnGroups, { as: me, query: { limit: 2 } })
    const query = { limit: 2, cursor: first.nextCursor ?? '' }
    const second = await ok(listOwnGroups, { as: me, query })
    const seen = [...first.groups, ...second.groups].map(({ id }) => id)
    expect([seen, first.count, second.nextCursor]).toEqual([ids.toSorted(), 3, null])
  })

  it('is not there for whoever is not in it', async () => {
    const [me, other] = [await newUser(), await newUser()]
    const { id } = await newGroup(other)
    for (const answer of [
      await call(getGroup, { as: me, id }),
      await call(updateGroup, { as: me, id, json: { name: 'x' } }),
      await call(deleteGroup, { as: me, id }),
      await call(listGroupMembers, { as: me, id }),
    ]) {
      expect(refusal(answer)).toEqual([404, 'groups.notFound'])
    }
    expect((await ok(listOwnGroups, { as: me })).count).toBe(0)
  })

  it('is not there for an access token for some accounts, which makes none either', async () => {
    const me = await newUser()
    const { id } = await newGroup(me)
    const account = await newAccount(me)
    await storeShare(account.id, { groupId: id })
    const token = await giveToken(me, ['groups.read', 'groups.write'], [account.id])
    expect(refusal(await call(getGroup, { as: token, id }))).toEqual([404, 'groups.notFound'])
    expect((await ok(listOwnGroups, { as: token })).count).toBe(0)
    const made = await call(createGroup, { as: token, json: { name: 'x' } })
    expect(refusal(made)).toEqual([403, 'groups.tokenIsRestricted'])
    const free = await giveToken(me, ['groups.read'])
    expect((await ok(getGroup, { as: free, id })).id).toBe(id)
  })

  it.each([
    ['no name', {}, 'name'],
    ['an empty name', { name: ' ' }, 'name'],
    ['a long name', { name: 'x'.repeat(101) }, 'name'],
    ['a kind that there is not', { name: 'x', kind: 'club' }, 'kind'],
    ['a currency that there is not', { name: 'x', baseCurrency: 'XXY' }, 'baseCurrency'],
    ['an unknown field', { name: 'x', ownerId: 'usr_x' }, 'ownerId'],
  ])('is refused with %s', async (_, json, field) => {
    const me = await newUser()
    const refused = await call(createGroup, { as: me, raw: { body: JSON.stringify(json) } })
    expect(refusal(refused)).toEqual([400, 'request.invalid', field])
  })

  it('is changed by its owner and its administrators, and deleted by its owner', async () => {
    const { id, owner, admin, member, viewer } = await newHousehold()
    for (const as of [member, viewer]) {
      const refused = await call(updateGroup, { as, id, json: { name: 'x' } })
      expect(refusal(refused)).toEqual([403, 'groups.roleTooLow'])
    }
    expect((await call(updateGroup, { as: admin, id, json: { name: 'Hut' } })).status).toBe(200)
    const { entries } = await ok(listOwnAuditLog, { as: owner, query: { resourceId: id } })
    expect(entries[0]).toMatchObject({ action: 'group.updated', actorId: admin.id })
    for (const as of [admin, member, viewer]) {
      expect(refusal(await call(deleteGroup, { as, id }))).toEqual([403, 'groups.roleTooLow'])
      expect((await ok(getGroup, { as, id })).name).toBe('Hut')
    }
    expect((await call(deleteGroup, { as: owner, id })).status).toBe(200)
    expect(refusal(await call(getGroup, { as: admin, id }))).toEqual([404, 'groups.notFound'])
  })

  it('is changed by nobody who read another version', async () => {
    const me = await newUser()
    const { id } = await newGroup(me)
    const edit = () => ok(updateGroup, { as: me, id, json: { name: 'y' } })
    const service = serviceWith({ meanwhile: edit })
    const raced = await service.call(updateGroup, { as: me, id, json: { name: 'x' } })
    expect(refusal(raced)).toEqual([409, 'request.conflict'])
    const headers = { 'If-Match': '"1-x"' }
    const late = await call(updateGroup, { as: me, id, json: { name: 'x' }, headers })
    expect(refusal(late)).toEqual([412, 'request.stale'])
    expect(refusal(await call(deleteGroup, { as: me, id, headers }))).toEqual([
      412,
      'request.stale',
    ])
  })

  it('is changed by nobody who lost the role meanwhile', async () => {
    const { id, admin } = await newHousehold()
    const demote = () =>
      rows("UPDATE group_members SET role = 'member' WHERE user_id = ?", admin.id)
    const demoted = await serviceWith({ meanwhile: demote }).call(updateGroup, {
      as: admin,
      id,
      json: { name: 'x' },
    })
    expect(refusal(demoted)).toEqual([403, 'groups.roleTooLow'])
    await rows("UPDATE group_members SET role = 'admin' WHERE user_id = ?", admin.id)
    const remove = () => rows('DELETE FROM group_members WHERE user_id = ?', admin.id)
    const removed = await serviceWith({ meanwhile: remove }).call(updateGroup, {
      as: admin,
      id,
      json: { name: 'x' },
    })
    expect(refusal(removed)).toEqual([404, 'groups.notFound'])
  })

  it('that is suspended is shown and left, and not changed', async () => {
    const { id, owner, admin } = await newHousehold()
    await rows('UPDATE groups SET suspended_at = 1 WHERE id = ?', id)
    expect((await ok(getGroup, { as: admin, id })).suspended).toBe(true)
    for (const answer of [
      await call(updateGroup, { as: owner, id, json: { name: 'x' } }),
      await call(deleteGroup, { as: owner, id }),
    ]) {
      expect(refusal(answer)).toEqual([409, 'groups.suspended'])
    }
    const { id: other } = await newGroup(owner)
    const suspend = () => rows('UPDATE groups SET suspended_at = 1 WHERE id = ?', other)
    const raced = await serviceWith({ meanwhile: suspend }).call(deleteGroup, {
      as: owner,
      id: other,
    })
    expect(refusal(raced)).toEqual([409, 'groups.suspended'])
  })

  it('is one of twenty that somebody owns at most', async () => {
    const me = await newUser()
    const create = () => call(createGroup, { as: me, json: { name: 'Home' } })
    const answers = await Promise.all(Array.from({ length: 22 }, create))
    expect(answers.filter(({ status }) => status === 201).length).toBe(20)
    expect(refusal(await create())).toEqual([409, 'groups.tooMany'])
  })
})

describe('deleting a group', () => {
  it('ends its shares, invitations and memberships, and gives files and accounts back', async () => {
    const { id, owner, member } = await newHousehold()
    const account = await newAccount(member)
    await storeShare(account.id, { groupId: id })
    await codeInto(id, owner)
    await rows(
      `INSERT INTO attachments (id, owner_id, group_id, storage_class_id, object_key, file_name, content_type,
          size, sha256, created_at, updated_at)
        VALUES (?1, ?2, ?3, 'stc_standard', ?1, 'x', 'text/plain', 3, '', 0, 0)`,
      `att_${id}`,
      member.id,
      id,
    )
    await rows(
      `INSERT INTO invite_codes (id, code_hash, max_uses, issued_by, group_id, group_role, created_at)
        VALUES (?1, ?1, 1, ?2, ?3, 'member', 0)`,
      `inv_${id}`,
      owner.id,
      id,
    )
    const gone = await call(deleteGroup, { as: owner, id })
    expect([gone.status, tripsOf(gone)]).toEqual([200, 2])
    for (const table of [
      'shares',
      'group_invites',
      'group_members',
      'attachments',
      'invite_codes',
    ]) {
      expect(await rows(`SELECT * FROM ${table} WHERE group_id = ?`, id), table).toEqual([])
    }
    expect(await rows('SELECT owner_id FROM attachments WHERE id = ?', `att_${id}`)).toHaveLength(1)
    const usage = 'SELECT holder_id FROM storage_usage WHERE holder_id IN (?, ?)'
    expect(await rows(usage, id, member.id)).toEqual([{ holder_id: member.id }])
    const told = await rows(
      `SELECT type, resource_type AS resourceType, owner_id AS ownerId, account_id AS accountId,
        content->>'$.before.name' AS name, content->>'$.before.permission' AS permission
        FROM log_entries WHERE commit_id = (SELECT commit_id FROM log_entries WHERE type = 'group.deleted'
          AND resource_id = ?1) AND group_id = ?1 ORDER BY number`,
      id,
    )
    expect(told).toEqual([
      {
        ...{ type: 'group.deleted', resourceType: 'group', ownerId: owner.id, accountId: null },
        ...{ name: 'Home', permission: null },
      },
      {
        ...{ type: 'account.unshared', resourceType: 'share', ownerId: member.id },
        ...{ accountId: account.id, name: null, permission: 'view' },
      },
    ])
    const history = await ok(getAccountHistory, {
      as: member,
      query: { accountId: account.id },
    })
    expect(history[0]).toMatchObject({ type: 'unshared', actorId: owner.id })
  })

  it('is stopped by an account that is shared meanwhile, which the log would not name', async () => {
    const { id, owner, member } = await newHousehold()
    const account = await newAccount(member)
    const service = serviceWith({ meanwhile: () => storeShare(account.id, { groupId: id }) })
    const raced = await service.call(deleteGroup, { as: owner, id })
    expect(refusal(raced)).toEqual([409, 'groups.sharedMeanwhile'])
    expect(Object.keys(await rolesIn(id))).toHaveLength(4)
  })

  it('is undone for nobody by joining at the same moment', async () => {
    const owner = await newUser()
    const { id } = await newGroup(owner)
    const raced = await serviceWith({ meanwhile: () => join(id, owner) }).call(deleteGroup, {
      as: owner,
      id,
    })
    expect(raced.status).toBe(200)
    expect(await rolesIn(id)).toEqual({})
  })
})
