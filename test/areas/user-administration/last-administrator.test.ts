import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { PERMISSION_KEYS } from '../../../src/domain/permissions.ts'
import {
  deleteUser,
  setUserRoles,
  updateUser,
} from '../../../src/areas/identity/user-administration/user-administration.routes.ts'
import { call, type Principal, rows } from '../../support/api.ts'
import { serviceWith } from '../../support/service.ts'
import { newAdmin, type TestUser } from '../../support/world.ts'
import { newHolder } from '../roles/holders.ts'
import { statusOf } from './people.ts'

// The files of a project run one after the other on one database, so that while this one runs its
// administrators can be the only ones: those of other tests are put aside, and come back at the end.

const inOffice = () =>
  rows<{ id: string }>(
    `SELECT u.id FROM users u JOIN user_roles ur ON ur.user_id = u.id AND ur.role_id = 'rol_admin'
      WHERE u.status = 'active' AND u.deletion_due_at IS NULL ORDER BY u.id`,
  )

/** Makes administrators who are the only ones there are. */
async function onlyAdmins(count: number): Promise<TestUser[]> {
  const admins = await Promise.all(Array.from({ length: count }, newAdmin))
  await rows(
    "DELETE FROM user_roles WHERE role_id = 'rol_admin' AND user_id NOT IN (SELECT value FROM json_each(?))",
    JSON.stringify(admins.map(({ id }) => id)),
  )
  expect(await inOffice()).toHaveLength(count)
  return admins
}

const demote = (as: Principal, { id }: TestUser) =>
  call(setUserRoles, { as, id, json: { roleIds: ['rol_user'] } })
const disable = (as: Principal, { id }: TestUser) =>
  call(updateUser, { as, id, json: { status: 'disabled' } })
const remove = (as: Principal, { id }: TestUser) => call(deleteUser, { as, id })

const counted = (answers: { status: number; error: { code?: string } | undefined }[]) => {
  const kinds = answers.map(({ status, error }) => error?.code ?? `${status}`)
  return Object.fromEntries(
    Object.entries(Object.groupBy(kinds, (kind) => kind)).map(([kind, all]) => [kind, all?.length]),
  )
}

let aside: string[] = []
/** Somebody who may do everything without being administrator: as strong as one, so that only the rule stops it. */
let boss: TestUser

beforeAll(async () => {
  aside = (await inOffice()).map(({ id }) => id)
})
beforeEach(async () => {
  boss = await newHolder(PERMISSION_KEYS)
})
afterAll(() =>
  rows(
    `INSERT INTO user_roles (user_id, role_id) SELECT value, 'rol_admin' FROM json_each(?) WHERE TRUE
      ON CONFLICT DO NOTHING`,
    JSON.stringify(aside),
  ),
)

describe('the last administrator', () => {
  it.each([
    ['demoted', demote],
    ['disabled', disable],
    ['deleted', remove],
  ])('is not %s, while the one before is', async (_, act) => {
    const [first, last] = (await onlyAdmins(2)) as [TestUser, TestUser]
    expect((await act(boss, first)).status).toBe(200)
    const { status, error } = await act(boss, last)
    expect([status, error.code]).toEqual([409, 'users.lastAdministrator'])
    expect(await inOffice()).toEqual([{ id: last.id }])
    expect(await statusOf(last)).toBe(200)
  })

  it('does not demote itself', async () => {
    const [last] = (await onlyAdmins(1)) as [TestUser]
    const { status, error } = await demote(last, last)
    expect([status, error.code]).toEqual([409, 'users.lastAdministrator'])
    await expect(inOffice()).resolves.toHaveLength(1)
  })

  it.each([
    ['is disabled', "UPDATE users SET status = 'disabled' WHERE id = ?"],
    ['waits to be erased', 'UPDATE users SET deletion_due_at = 9e12 WHERE id = ?'],
  ])('is the one that is left when the other %s', async (_, sql) => {
    const [out, last] = (await onlyAdmins(2)) as [TestUser, TestUser]
    await rows(sql, out.id)
    for (const act of [demote, disable, remove]) {
      expect((await act(boss, last)).error.code).toBe('users.lastAdministrator')
      // Who is out of office already is nobody's last administrator.
      expect([200, 409]).toContain((await act(boss, out)).status)
    }
    expect(await inOffice()).toEqual([{ id: last.id }])
  })

  it('changes in everything else', async () => {
    const [last] = (await onlyAdmins(1)) as [TestUser]
    const renamed = await call(updateUser, { as: last, id: last.id, json: { name: 'Still here' } })
    expect(renamed.status).toBe(200)
    const json = { roleIds: ['rol_admin'] }
    expect((await call(setUserRoles, { as: last, id: last.id, json })).status).toBe(200)
  })

  it('is who is left when the other goes before a demotion is stored', async () => {
    const [first, second] = (await onlyAdmins(2)) as [TestUser, TestUser]
    const asked = { as: boss, id: first.id, json: { roleIds: [] } }
    const service = serviceWith({ meanwhile: () => disable(boss, second) })
    const { status, error } = await service.call(setUserRoles, asked)
    expect([status, error]).toMatchObject([409, { code: 'users.lastAdministrator' }])
  })
})

describe('of 20 administrators', () => {
  it('one is left when each demotes each other in parallel', async () => {
    const admins = await onlyAdmins(20)
    const answers = await Promise.all(
      admins.flatMap((as) =>
        admins.filter((other) => other !== as).map((other) => demote(as, other)),
      ),
    )
    // Demoting somebody a second time changes nothing, and is no failure.
    const done = answers.filter(({ status }) => status === 200)
    expect(done.length).toBeGreaterThanOrEqual(19)
    const refused = answers.map(({ status }) => status).filter((status) => status !== 200)
    expect(refused.filter((status) => status !== 403 && status !== 409)).toEqual([])
    expect(await inOffice()).toHaveLength(1)
  })

  it('one is left when each demotes the next, over and over', async () => {
    let left = await onlyAdmins(20)
    while (left.length > 1) {
      const round = left
      await Promise.all(round.map((as, at) => demote(as, round[(at + 1) % round.length] ?? as)))
      const ids = (await inOffice()).map(({ id }) => id)
      expect(ids.length).toBeGreaterThanOrEqual(1)
      expect(ids.length).toBeLessThan(round.length)
      left = round.filter(({ id }) => ids.includes(id))
    }
    expect(left).toHaveLength(1)
  })

  it('one is left when all demote themselves in parallel', async () => {
    const admins = await onlyAdmins(20)
    const answers = await Promise.all(admins.map((admin) => demote(admin, admin)))
    expect(counted(answers)).toEqual({ 200: 19, 'users.lastAdministrator': 1 })
    expect(await inOffice()).toHaveLength(1)
  })

  it('one is left when all are demoted, disabled or deleted in parallel', async () => {
    const admins = await onlyAdmins(20)
    const acts = [demote, disable, remove]
    const answers = await Promise.all(
      admins.map((admin, at) => (acts[at % acts.length] ?? demote)(boss, admin)),
    )
    expect(counted(answers)).toEqual({ 200: 19, 'users.lastAdministrator': 1 })
    expect(await inOffice()).toHaveLength(1)
  })
})

describe('an administrator', () => {
  it('neither disables nor deletes itself, and changes nothing by trying', async () => {
    const [me] = (await onlyAdmins(2)) as [TestUser]
    for (const act of [disable, remove]) {
      const { status, error } = await act(me, me)
      expect([status, error.code]).toEqual([409, 'users.ownUser'])
    }
    expect(await inOffice()).toHaveLength(2)
    expect(await statusOf(me)).toBe(200)
  })

  it('demotes itself while another one is left', async () => {
    const [me, other] = (await onlyAdmins(2)) as [TestUser, TestUser]
    expect((await demote(me, me)).status).toBe(200)
    expect((await demote(me, other)).status).toBe(403)
    expect(await inOffice()).toEqual([{ id: other.id }])
  })
})
