import { expect, it } from 'vitest'
import { getAccountByID } from '../../../src/areas/money/accounts/accounts.routes.ts'
import {
  deleteAnyGroup,
  removeAnyGroupMember,
  updateAnyGroup,
  addGroupMember,
} from '../../../src/areas/sharing/groups/groups.routes.ts'
import {
  unshareResource,
  shareResource,
} from '../../../src/areas/sharing/sharing/sharing.routes.ts'
import type { Resource, SharedRight } from '../../../src/areas/sharing/sharing/sharing.rules.ts'
import type { Permission } from '../../../src/domain/permissions.ts'
import { call, ok, type Principal, rows } from '../../support/api.ts'
import { serviceWith } from '../../support/service.ts'
import { storeGroup, storeShare } from '../../support/stored.ts'
import { newAccount, newAdmin, newUser, type TestUser } from '../../support/world.ts'
import { giveToken } from '../access-tokens/tokens.ts'
import { file } from '../attachments/filing.ts'
import { newBudget } from '../budgets/budgets.fixtures.ts'
import { serviceWithMail } from '../auth/mails.ts'
import { giveRole, newHolder, newRole } from '../roles/holders.ts'
import { refusal } from '../transactions/booking.ts'

// Nobody administers somebody stronger, by sharing either.

const STRONGER = [403, 'sharing.strongerUser']

const target = (account: { id: string }, user: { id: string }) =>
  ({ resourceType: 'account', resourceId: account.id, userId: user.id }) as const

type Target = ReturnType<typeof target>

const share = (as: Principal, json: Target, permission: SharedRight = 'manage') =>
  call(shareResource, { as, json: { ...json, permission } })

const unshare = (as: Principal, json: Target) => call(unshareResource, { as, json })

const sharesOf = (account: { id: string }) =>
  rows('SELECT * FROM shares WHERE account_id = ?', account.id)

/** Somebody with these permissions and no others. */
async function newBare(permissions: Permission[]) {
  const [user, role] = [await newUser(), await newRole(permissions)]
  await rows('DELETE FROM user_roles WHERE user_id = ?', user.id)
  await giveRole(user.id, role.id)
  return user
}

it('the account of somebody stronger is shared with nobody, and its shares are left alone', async () => {
  const sharer = await newHolder(['allShares.write'])
  const friend = await newUser()
  for (const owner of [await newAdmin(), await newHolder(['roles.read'])]) {
    const account = await newAccount(owner)
    for (const receiver of [sharer, friend]) {
      expect(refusal(await share(sharer, target(account, receiver)))).toEqual(STRONGER)
    }
    expect(await sharesOf(account)).toEqual([])
    await storeShare(account.id, { user: friend }, 'view')
    expect(refusal(await unshare(sharer, target(account, friend)))).toEqual(STRONGER)
    expect(await sharesOf(account)).toHaveLength(1)
  }
})

it('nothing is shared for somebody stronger, nor taken from them', async () => {
  const [sharer, admin, owner] = [
    await newHolder(['allShares.write']),
    await newAdmin(),
    await newUser(),
  ]
  const account = await newAccount(owner)
  expect(refusal(await share(sharer, target(account, admin)))).toEqual(STRONGER)
  await storeShare(account.id, { user: admin }, 'view')
  expect(refusal(await unshare(sharer, target(account, admin)))).toEqual(STRONGER)
  expect(await sharesOf(account)).toHaveLength(1)
})

it('whoever is permitted as much as both shares, and ends it', async () => {
  const [sharer, owner, friend] = [
    await newHolder(['allShares.write']),
    await newUser(),
    await newUser(),
  ]
  const account = await newAccount(owner)
  expect((await share(sharer, target(account, friend))).status).toBe(200)
  expect((await unshare(sharer, target(account, friend))).status).toBe(200)
})

it.each<[SharedRight, Permission[]]>([
  ['view', ['accounts.read']],
  ['annotate', ['accounts.read', 'transactions.read']],
  ['write', ['accounts.read', 'transactions.read']],
  ['manage', ['accounts.read', 'transactions.read', 'transactions.write']],
])('%s is shared by nobody who is permitted less, with themselves either', async (right, held) => {
  const sharer = await newBare(['allShares.write', ...held])
  const owner = await newUser()
  const account = await newAccount(owner)
  await rows('DELETE FROM user_roles WHERE user_id = ?', owner.id)
  for (const receiver of [sharer, await newBare([])]) {
    expect(refusal(await share(sharer, target(account, receiver), right))).toEqual([
      403,
      'sharing.rightNotHeld',
      'permission',
    ])
  }
  expect(await sharesOf(account)).toEqual([])
})

it('an access token shares no further than its scopes', async () => {
  const [admin, owner] = [await newAdmin(), await newUser()]
  const account = await newAccount(owner)
  const token = await giveToken(admin, ['allShares.write'])
  expect(refusal(await share(token, target(account, admin)))).toEqual(STRONGER)
})

it('nothing is shared once the owner becomes stronger, or the administrator weaker, on the way', async () => {
  const owner = await newUser()
  const account = await newAccount(owner)
  const role = await newRole(['roles.read'])
  const sharer = await newHolder(['allShares.write'])
  const bare = await newBare(['allShares.write', 'accounts.read', 'transactions.read'])
  const poor = await newUser()
  const theirs = await newAccount(poor)
  await rows('DELETE FROM user_roles WHERE user_id = ?', poor.id)
  const raced = (
    as: Principal,
    of: { id: string },
    user: { id: string },
    meanwhile: () => Promise<unknown>,
  ) =>
    serviceWith({ meanwhile }).call(shareResource, {
      as,
      json: { ...target(of, user), permission: 'view' },
    })
  const stronger = await raced(sharer, account, sharer, () => giveRole(owner.id, role.id))
  expect(refusal(stronger)).toEqual([403, 'auth.notHeld'])
  const weaker = await raced(bare, theirs, bare, () =>
    rows(
      `DELETE FROM role_permissions WHERE permission = 'transactions.read'
        AND role_id IN (SELECT role_id FROM user_roles WHERE user_id = ?)`,
      bare.id,
    ),
  )
  expect(refusal(weaker)).toEqual([403, 'auth.notHeld'])
  expect([await sharesOf(account), await sharesOf(theirs)]).toEqual([[], []])
})

it('the owner is told by mail, which names nobody', async () => {
  const [admin, owner, friend] = [await newAdmin(), await newUser(), await newUser()]
  const account = await newAccount(owner)
  const service = serviceWithMail()
  const json = { ...target(account, friend), permission: 'view' }
  expect((await service.call(shareResource, { as: admin, json })).status).toBe(200)
  const letters = await service.letters()
  expect(letters).toMatchObject([
    { to: owner.email, subject: 'An administrator shared one of your accounts on Coffer' },
  ])
  expect(letters[0]?.text).not.toContain(friend.email)
})

it('nobody comes into a group with somebody stronger in it through an administrator of groups', async () => {
  const [keeper, admin, member] = [
    await newHolder(['allGroups.write']),
    await newAdmin(),
    await newUser(),
  ]
  const account = await newAccount(admin)
  const id = await storeGroup([
    [member, 'owner'],
    [admin, 'member'],
  ])
  await storeShare(account.id, { groupId: id }, 'view')
  const add = (groupId: string, service = serviceWith({})) =>
    service.call(addGroupMember, { as: keeper, id: groupId, json: { userId: keeper.id } })
  expect(refusal(await add(id))).toEqual([403, 'groups.strongerMember'])
  expect((await call(getAccountByID, { as: keeper, id: account.id })).status).toBe(404)
  const other = await storeGroup([[member, 'owner']])
  const join = () =>
    rows(
      "INSERT INTO group_members (group_id, user_id, role, joined_at) VALUES (?, ?, 'member', 1)",
      other,
      admin.id,
    )
  const raced = await add(other, serviceWith({ meanwhile: join }))
  expect(refusal(raced)).toEqual([403, 'groups.strongerMember'])
  await rows('DELETE FROM group_members WHERE user_id = ?', admin.id)
  expect((await add(other)).status).toBe(201)
  await ok(addGroupMember, { as: admin, id, json: { userId: keeper.id } })
})

it('nobody ends what somebody stronger shares with a group through the group', async () => {
  const [keeper, admin, member] = [
    await newHolder(['allGroups.write']),
    await newAdmin(),
    await newUser(),
  ]
  const account = await newAccount(admin)
  const id = await storeGroup([
    [member, 'owner'],
    [admin, 'member'],
  ])
  await storeShare(account.id, { groupId: id }, 'view')
  const changes = [
    (as: Principal, service = serviceWith({})) =>
      service.call(updateAnyGroup, { as, id, json: { suspended: true } }),
    (as: Principal, service = serviceWith({})) =>
      service.call(removeAnyGroupMember, { as, path: { id, userId: admin.id } }),
    (as: Principal, service = serviceWith({})) => service.call(deleteAnyGroup, { as, id }),
  ]
  const STRONGER_MEMBER = [403, 'groups.strongerMember']
  for (const change of changes) {
    expect(refusal(await change(keeper))).toEqual(STRONGER_MEMBER)
  }
  const demote = () =>
    rows("DELETE FROM user_roles WHERE role_id = 'rol_admin' AND user_id = ?", admin.id)
  const promote = () =>
    rows("INSERT INTO user_roles (user_id, role_id) VALUES (?, 'rol_admin')", admin.id)
  for (const change of changes) {
    await demote()
    const raced = await change(keeper, serviceWith({ meanwhile: promote }))
    expect(refusal(raced)).toEqual(STRONGER_MEMBER)
  }
  expect((await call(getAccountByID, { as: member, id: account.id })).status).toBe(200)
  for (const change of changes) {
    expect((await change(await newAdmin())).status).toBeLessThan(300)
  }
})

it.each<[Resource['kind'], SharedRight, Permission[], (as: TestUser) => Promise<{ id: string }>]>([
  ['budget', 'view', [], (as) => newBudget(as, { mode: 'limit' })],
  ['budget', 'manage', ['budgets.read'], (as) => newBudget(as, { mode: 'limit' })],
  ['attachment', 'view', ['budgets.read'], (as) => file(as)],
])(
  'a %s is not shared with %s by whoever is permitted less',
  async (resourceType, permission, held, make) => {
    const sharer = await newBare(['allShares.write', ...held])
    const owner = await newUser()
    const { id: resourceId } = await make(owner)
    await rows('DELETE FROM user_roles WHERE user_id = ?', owner.id)
    const json = { resourceType, resourceId, userId: sharer.id, permission }
    expect(refusal(await call(shareResource, { as: sharer, json }))).toEqual([
      403,
      'sharing.rightNotHeld',
      'permission',
    ])
  },
)
