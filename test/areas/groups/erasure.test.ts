import { expect, it } from 'vitest'
import { eraseUserJob } from '../../../src/areas/data-rights/own-user/erasure/erasure.jobs.ts'
import { rows } from '../../support/api.ts'
import { contextWith } from '../../support/service.ts'
import { newAccount, newUser, type TestUser } from '../../support/world.ts'
import { storeShare } from '../../support/stored.ts'
import { codeInto, join, newGroup, newHousehold, rolesIn } from './groups.ts'

async function erase({ id: userId }: TestUser) {
  await rows("UPDATE users SET status = 'deleted', deletion_due_at = 1 WHERE id = ?", userId)
  await eraseUserJob.run(contextWith(), { userId }, [])
}

it('erasing its owner hands a group over to the longest there of the highest role', async () => {
  const { id, owner, admin, member, viewer } = await newHousehold()
  const younger = await join(id, owner, 'admin')
  await rows('UPDATE group_members SET joined_at = 9e15 WHERE user_id = ?', younger.id)
  await erase(owner)
  expect(await rolesIn(id)).toEqual({
    [admin.id]: 'owner',
    [younger.id]: 'admin',
    [member.id]: 'member',
    [viewer.id]: 'viewer',
  })
  await erase(younger)
  await erase(admin)
  expect(await rolesIn(id)).toEqual({ [member.id]: 'owner', [viewer.id]: 'viewer' })
  await erase(member)
  expect(await rolesIn(id)).toEqual({ [viewer.id]: 'owner' })
  await erase(viewer)
  expect(await rows('SELECT id FROM groups WHERE id = ?', id)).toEqual([])
})

it('prefers who can sign in', async () => {
  const { id, owner, admin, member } = await newHousehold()
  await rows("UPDATE users SET status = 'disabled' WHERE id = ?", admin.id)
  await erase(owner)
  expect((await rolesIn(id))[member.id]).toBe('owner')
})

it('ends what the erased shared, sent and got, and nothing of the others', async () => {
  const { id, owner, member } = await newHousehold()
  const [mine, theirs] = [await newAccount(owner), await newAccount(member)]
  await storeShare(mine.id, { groupId: id })
  await storeShare(theirs.id, { groupId: id })
  await codeInto(id, owner)
  const alone = await newUser()
  const { id: own } = await newGroup(alone)
  await codeInto(own, alone)
  await rows(
    `INSERT INTO invite_codes (id, code_hash, max_uses, issued_by, group_id, group_role, created_at)
      VALUES (?1, ?1, 1, ?2, ?3, 'member', 0)`,
    `inv_${own}`,
    member.id,
    own,
  )
  await erase(owner)
  await erase(alone)
  const left = await rows('SELECT account_id FROM shares WHERE group_id = ?', id)
  expect(left).toEqual([{ account_id: theirs.id }])
  expect(await rows('SELECT id FROM group_invites WHERE invited_by = ?', owner.id)).toEqual([])
  expect(await rows('SELECT id FROM groups WHERE id = ?', own)).toEqual([])
  const codes = await rows('SELECT group_id FROM invite_codes WHERE id = ?', `inv_${own}`)
  expect(codes).toEqual([{ group_id: null }])
})
