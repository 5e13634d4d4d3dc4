import { expect, it } from 'vitest'
import { createInviteCode } from '../../../src/areas/identity/invites/invites.routes.ts'
import { updateAccount } from '../../../src/areas/money/accounts/accounts.routes.ts'
import { createGroup } from '../../../src/areas/sharing/groups/groups.routes.ts'
import { createGroupInvite } from '../../../src/areas/sharing/groups/invites/invites.routes.ts'
import { createShare, acceptShare } from '../../../src/areas/sharing/sharing/sharing.routes.ts'
import { createTransaction } from '../../../src/areas/money/transactions/transactions.routes.ts'
import { updateTransactions } from '../../../src/areas/money/transactions/bulk/bulk.routes.ts'
import {
  setUserRoles,
  updateUser,
  resetUserPassword,
} from '../../../src/areas/identity/user-administration/user-administration.routes.ts'
import { ok, rows } from '../../support/api.ts'
import { newAccount, newAdmin, newUser } from '../../support/world.ts'
import { newOwner } from '../own-user/owners.fixtures.ts'
import { redactAll } from './stepping.ts'

/** The events of the log that say one of these words. */
const sayingAnyOf = (words: string[]) =>
  rows<{ type: string }>(
    `SELECT l.type, l.owner_id, l.actor_id, l.content FROM log_entries l, json_each(?1) word
      WHERE instr(json_array(l.resource_id, l.content, l.facts, l.user_agent), word.value)`,
    JSON.stringify(words),
  )

it('has no word of an erased user left, whoever did it with whose things', async () => {
  const [me, admin, friend] = await Promise.all([newOwner(), newAdmin(), newUser()])
  const { word, email } = me
  const headers = { 'User-Agent': word }
  await ok(updateUser, { as: admin, id: me.id, json: { name: `By ${word}` } })
  await ok(setUserRoles, { as: admin, id: me.id, json: { roleIds: ['rol_user'] } })
  await ok(createInviteCode, { as: me, json: { note: word } })
  const group = await ok(createGroup, { as: me, json: { name: `Home ${word}` } })
  await ok(createGroupInvite, { as: me, id: group.id, json: { email: friend.email } })
  // What others do with what is theirs.
  const share = { resourceId: me.one, permission: 'manage' } as const
  const given = await ok(createShare, { as: me, json: { ...share, userId: friend.id } })
  await ok(acceptShare, { as: friend, id: given.id, json: {} })
  await ok(updateAccount, { as: friend, id: me.one, json: { note: `Too ${word}` } })
  const income = { kind: 'income', accountId: me.one, date: '2026-01-05', amount: '1' } as const
  const booked = await ok(createTransaction, { as: friend, json: { ...income, note: word } })
  const changes = { description: `Many ${word}` }
  await ok(updateTransactions, { as: friend, json: { ids: [booked.id], changes } })
  // What they do with what is of others.
  const [theirs, offered] = [await newAccount(friend), await newAccount(friend)]
  await ok(createShare, { as: friend, json: { resourceId: offered.id, email } })
  const shared = { resourceId: theirs.id, permission: 'manage', userId: me.id } as const
  const got = await ok(createShare, { as: friend, json: shared })
  await ok(acceptShare, { as: me, id: got.id, json: {} })
  const tea = { ...income, accountId: theirs.id, note: 'tea' }
  await ok(createTransaction, { as: me, json: tea, headers })
  await ok(resetUserPassword, { as: admin, id: me.id, json: { delivery: 'mail' } })
  await rows("UPDATE users SET status = 'deleted' WHERE id = ?", me.id)
  expect((await sayingAnyOf([word])).length).toBeGreaterThan(30)
  await redactAll(me.id)
  expect(await sayingAnyOf([word, email])).toEqual([])
  expect((await sayingAnyOf([theirs.id])).length).toBeGreaterThan(0)
})
