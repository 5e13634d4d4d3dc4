import { createMessageBatch } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { work } from '../../../src/areas/index.ts'
import {
  register,
  changeEmail,
  resendConfirmation,
} from '../../../src/areas/identity/auth/auth.routes.ts'
import {
  deleteOwnUser,
  getProfile,
} from '../../../src/areas/data-rights/own-user/own-user.routes.ts'
import {
  eraseUserJob,
  scheduleErasuresJob,
} from '../../../src/areas/data-rights/own-user/erasure/erasure.jobs.ts'
import {
  deleteUser,
  restoreUser,
} from '../../../src/areas/identity/user-administration/user-administration.routes.ts'
import { consume } from '../../../src/platform/work/tasks.ts'
import { again } from '../../support/again.ts'
import { call, ok, rows } from '../../support/api.ts'
import { contextWith, databaseWith, serviceWith } from '../../support/service.ts'
import { newAdmin, newUser, type TestUser } from '../../support/world.ts'
import { dump, mentioning, newOwner, type Owner } from './owners.fixtures.ts'
import { tie } from './households.fixtures.ts'
import { addTraces, makeDue, newInvite } from './user-traces.fixtures.ts'

const oneOwner = again(newOwner)
const owners = again(async () => ({ me: await newOwner(), other: await newOwner() }))

const wordsOf = (owner: Owner) => [
  owner.id,
  owner.email,
  owner.word,
  owner.one,
  owner.two,
  owner.trashed,
  owner.category,
  owner.child,
]

const erase = (user: TestUser, changed: Parameters<typeof contextWith>[0] = {}) =>
  eraseUserJob.run(contextWith(changed), { userId: user.id }, [])

/** Every table that refers to users or says whose its rows are: the test has to have a row of each. */
async function tablesOfUsers(): Promise<string[]> {
  const found = await rows<{ name: string }>(
    `SELECT name FROM sqlite_master WHERE type = 'table'
      AND (sql LIKE '%REFERENCES \`users\`%' OR sql LIKE '%REFERENCES users(%' OR sql LIKE '%\`owner_id\`%')
      AND name NOT IN ('log_commits', 'log_events')`,
  )
  expect(found.length).toBeGreaterThan(12)
  return found.map(({ name }) => name)
}

const joinBy = (inviteCode: string) =>
  call(register, {
    json: {
      email: `${crypto.randomUUID()}@coffer.test`,
      password: `a fine password ${crypto.randomUUID()}`,
      name: 'Grace',
      inviteCode,
    },
  })

const inviteRow = async (id: string) =>
  (
    await rows<{ issued_by: string | null; revoked_at: number | null; note: string }>(
      'SELECT * FROM invite_codes WHERE id = ?',
      id,
    )
  )[0]

/** Tasks of others go on meanwhile, so they are only counted. */
const lasting = ({ tasks = [], ...others }: ReturnType<typeof mentioning>) => ({
  ...others,
  tasks: tasks.length,
})

describe('a user whose time has come', () => {
  it('is erased with all that it owns, and the rows of others stay to the byte', async () => {
    const { me, other } = await owners()
    await tie(me, await newUser(), await newUser())
    await addTraces(me)
    await makeDue(me)
    const before = lasting(mentioning(await dump(), wordsOf(other)))
    expect(Object.keys(before).length).toBeGreaterThan(8)
    const filled = Object.keys(mentioning(await dump(), wordsOf(me)))
    const missing = (await tablesOfUsers()).filter((table) => !filled.includes(table))
    expect(missing, 'Add a row of each table to test/areas/own-user/owners.fixtures.ts.').toEqual(
      [],
    )
    await erase(me)
    const after = await dump()
    // What it booked for others stays theirs, and names it by its id alone.
    const { transactions, attachment_links: links, ...rest } = mentioning(after, wordsOf(me))
    expect([transactions?.length, links?.length, rest]).toEqual([1, 1, {}])
    expect(lasting(mentioning(after, wordsOf(other)))).toEqual(before)
  })

  it('leaves no mail to it behind, sent or not', async () => {
    const { me, other } = await owners()
    for (const user of [me, other]) {
      await ok(deleteOwnUser, { as: user, json: { password: user.password } })
    }
    const mailsLike = (id: string) =>
      rows<{ id: string }>(
        `SELECT id FROM tasks WHERE kind = 'mail.send' AND payload ->> 'to' =
          (SELECT payload ->> 'to' FROM tasks WHERE id = ?)`,
        id,
      )
    const anyOf = async ({ id }: TestUser) =>
      (
        await rows<{ id: string }>(
          "SELECT id FROM tasks WHERE kind = 'mail.send' AND created_by = ?",
          id,
        )
      )[0]?.id ?? ''
    const [mine, theirs] = [await mailsLike(await anyOf(me)), await mailsLike(await anyOf(other))]
    // One is from the registration, when nobody was signed in yet, and one from a friend.
    expect([mine.length, theirs.length]).toEqual([3, 3])
    await makeDue(me)
    await erase(me)
    const left = await rows<{ id: string }>(
      'SELECT id FROM tasks WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id',
      JSON.stringify([...mine, ...theirs].map(({ id }) => id)),
    )
    expect(left).toEqual(theirs.toSorted((a, b) => (a.id < b.id ? -1 : 1)))
  })

  it('is erased once by two tasks at the same moment', async () => {
    const me = await oneOwner()
    await makeDue(me)
    await Promise.all([erase(me), erase(me)])
    expect(mentioning(await dump(), wordsOf(me))).toEqual({})
  })

  it('cannot come in any more from the first step on, and its address is free after the last', async () => {
    const me = await oneOwner()
    await makeDue(me)
    const stopped = databaseWith(async (trip, run) => {
      if (trip > 1) {
        throw new Error('killed')
      }
      return run()
    }).withSession('first-primary')
    await erase(me, { database: stopped }).catch(() => undefined)
    expect((await call(getProfile, { as: me })).status).toBe(401)
    const { email, password } = me
    const json = { email, password, name: 'Ada' }
    expect((await call(register, { json })).status).toBe(409)
    await erase(me)
    expect((await call(register, { json })).status).toBe(201)
  })

  it('is left alone once somebody undid it, between any two steps', async () => {
    const me = await oneOwner()
    await makeDue(me)
    const database = databaseWith(async (trip, run) => {
      if (trip === 4) {
        await rows("UPDATE users SET deletion_due_at = NULL, status = 'active' WHERE id = ?", me.id)
      }
      return run()
    }).withSession('first-primary')
    await erase(me, { database })
    const [user] = await rows<{ name: string; status: string }>(
      'SELECT name, status FROM users WHERE id = ?',
      me.id,
    )
    expect(user).toEqual({ name: me.word, status: 'active' })
    const left = await rows('SELECT 1 FROM accounts WHERE owner_id = ?', me.id)
    expect(left).toHaveLength(4)
    const logged = await rows<{ type: string }>(
      "SELECT type FROM log_entries WHERE resource_id = ? AND type LIKE 'user.eras%' ORDER BY number",
      me.id,
    )
    expect(logged.map(({ type }) => type)).toEqual(['user.erasureBegun', 'user.erasureStopped'])
  })

  it('is not brought back by whoever looked a moment before the first step', async () => {
    const admin = await newAdmin()
    const me = await newUser()
    await ok(deleteUser, { as: admin, id: me.id })
    const now = Date.now() + 60_000
    await rows('UPDATE users SET deletion_due_at = ? WHERE id = ?', now, me.id)
    const killed = databaseWith(async (trip, run) => {
      if (trip > 1) {
        throw new Error('killed')
      }
      return run()
    }).withSession('first-primary')
    const meanwhile = () => erase(me, { now, database: killed }).catch(() => undefined)
    const service = serviceWith({ meanwhile })
    const { status, error } = await service.call(restoreUser, { as: admin, id: me.id })
    expect([status, error]).toMatchObject([409, { code: 'request.conflict' }])
    await erase(me, { now })
    expect(await rows('SELECT 1 FROM users WHERE id = ?', me.id)).toEqual([])
  })

  it('is erased whatever addresses others have registered', async () => {
    const me = await newUser()
    const email = `${me.id}@erased.invalid`
    const json = { email, password: 'seven green bottles', name: 'In the way' }
    expect((await call(register, { json })).status).toBe(201)
    await makeDue(me)
    await erase(me)
    expect(await rows('SELECT 1 FROM users WHERE id = ?', me.id)).toEqual([])
  })

  it('takes no mail away from who has the address that it wanted', async () => {
    const [me, other] = [await newUser(), await newUser()]
    await ok(resendConfirmation, { as: other })
    const mailsOf = () =>
      rows<{ id: string }>(
        "SELECT id FROM tasks WHERE kind = 'mail.send' AND created_by = ? ORDER BY id",
        other.id,
      )
    const before = await mailsOf()
    const wanted = { email: other.email, password: me.password }
    await ok(changeEmail, { as: me, json: wanted })
    await makeDue(me)
    await erase(me)
    expect(before).toHaveLength(1)
    expect(await mailsOf()).toEqual(before)
    const payloads = await rows<{ payload: string }>(
      "SELECT payload FROM tasks WHERE kind = 'mail.send' AND payload ->> 'template' = 'emailChange'",
    )
    expect(JSON.stringify(payloads)).not.toContain(me.id)
  })

  it('is not erased a moment before', async () => {
    const me = await oneOwner()
    const now = Date.now()
    await rows('UPDATE users SET deletion_due_at = ? WHERE id = ?', now + 1, me.id)
    const before = mentioning(await dump(), wordsOf(me))
    await erase(me, { now })
    expect(mentioning(await dump(), wordsOf(me))).toEqual(before)
    await erase(me, { now: now + 1 })
    expect(mentioning(await dump(), wordsOf(me))).toEqual({})
  })

  it('that has very much is erased in several tasks, one after the other', async () => {
    const me = await newUser()
    await rows(
      `INSERT INTO sessions (id, user_id, created_at, last_used_at, idle_expires_at, absolute_expires_at)
        SELECT ?1 || value, ?1, 0, 0, 0, 0 FROM json_each(?2)`,
      me.id,
      JSON.stringify(Array.from({ length: 2001 }, (_, at) => at)),
    )
    await makeDue(me)
    await erase(me)
    expect(await rows('SELECT 1 FROM sessions WHERE user_id = ?', me.id)).toHaveLength(2)
    const [next] = await rows<{ payload: string; state: string }>(
      "SELECT * FROM tasks WHERE kind = 'user.erase' AND payload ->> 'userId' = ?",
      me.id,
    )
    expect(next?.state).toBe('queued')
    await erase(me)
    expect(await rows('SELECT 1 FROM users WHERE id = ?', me.id)).toEqual([])
  })

  it('leaves what it owned in the log alone, under its id', async () => {
    const me = await newUser()
    await makeDue(me)
    await erase(me)
    const logged = await rows<{ type: string }>(
      'SELECT type FROM log_entries WHERE owner_id = ? ORDER BY number',
      me.id,
    )
    expect(logged.map(({ type }) => type)).toEqual([
      'user.registered',
      'user.erasureBegun',
      'user.dataErased',
      'user.logRedacted',
      'user.erased',
    ])
  })
})

describe('an invite of an erased user', () => {
  it('is gone when nobody joined by it, and the others of the service stay', async () => {
    const me = await oneOwner()
    const [mine, operators] = [await newInvite(me), await newInvite(null)]
    await makeDue(me)
    await erase(me)
    expect(await inviteRow(mine.id)).toBeUndefined()
    expect(await inviteRow(operators.id)).toMatchObject({ revoked_at: null })
    expect((await joinBy(mine.code)).status).toBe(400)
    expect((await joinBy(operators.code)).status).toBe(201)
  })

  it('by which somebody joined stays, dead, and points to a row without a person in it', async () => {
    const me = await oneOwner()
    const { id, code } = await newInvite(me)
    const { body: friend } = await joinBy(code)
    await rows(
      'INSERT OR IGNORE INTO invite_redemptions (invite_id, user_id, redeemed_at) VALUES (?, ?, 1)',
      id,
      friend.user.id,
    )
    const before = mentioning(await dump(), [friend.user.id])
    await makeDue(me)
    await erase(me)
    expect(await inviteRow(id)).toMatchObject({
      issued_by: me.id,
      revoked_at: expect.any(Number),
      note: '',
    })
    expect((await joinBy(code)).status).toBe(400)
    const after = await dump()
    expect(mentioning(after, [friend.user.id])).toEqual(before)
    expect(mentioning(after, [me.email, me.word, me.one])).toEqual({})
    const [shell] = await rows('SELECT * FROM users WHERE id = ?', me.id)
    expect(shell).toMatchObject({
      email: `${me.id}@erased.invalid`,
      name: '',
      password_hash: null,
      status: 'deleted',
      deletion_due_at: null,
    })
    await erase(me)
    expect(await rows('SELECT * FROM users WHERE id = ?', me.id)).toEqual([shell])
  })

  it('that it joined by stays as it is, without it', async () => {
    const [me, other] = [await oneOwner(), await newUser()]
    const { id } = await newInvite(other)
    await rows('INSERT INTO invite_redemptions VALUES (?, ?, 1)', id, me.id)
    const before = await inviteRow(id)
    await makeDue(me)
    await erase(me)
    expect(await inviteRow(id)).toEqual(before)
    expect(await rows('SELECT 1 FROM invite_redemptions WHERE invite_id = ?', id)).toEqual([])
  })
})

describe('every night', () => {
  const tasksOf = ({ id }: TestUser) =>
    rows<{ id: string; state: string; attempts: number }>(
      "SELECT * FROM tasks WHERE kind = 'user.erase' AND payload ->> 'userId' = ?",
      id,
    )

  const schedule = (now = Date.now()) => scheduleErasuresJob.run(contextWith({ now }), {}, [])

  it('a task is stored for everybody whose time has come, one a day, however that came', async () => {
    const [asked, removed, later, staying] = [
      await newUser(),
      await newUser(),
      await newUser(),
      await newUser(),
    ]
    await makeDue(asked)
    await makeDue(removed)
    await rows("UPDATE users SET status = 'deleted' WHERE id = ?", removed.id)
    await rows('UPDATE users SET deletion_due_at = 9e12 WHERE id = ?', later.id)
    await Promise.all([schedule(), schedule()])
    const counts = await Promise.all(
      [asked, removed, later, staying].map(async (user) => (await tasksOf(user)).length),
    )
    expect(counts).toEqual([1, 1, 0, 0])
    const told = await rows<{ resource_id: string }>(
      "SELECT DISTINCT resource_id FROM log_entries WHERE type = 'user.erasureScheduled'",
    )
    const ids = told.map(({ resource_id: id }) => id)
    expect(ids).toEqual(expect.arrayContaining([asked.id, removed.id]))
    expect([later.id, staying.id].filter((id) => ids.includes(id))).toEqual([])
  })

  it('is on the schedule, and its task erases within one sweep', async () => {
    expect(work.schedule['17 3 * * *']).toContain(scheduleErasuresJob.kind)
    const me = await oneOwner()
    await makeDue(me)
    await schedule()
    const [task] = await tasksOf(me)
    const batch = createMessageBatch('coffer-tasks', [
      { id: 'x', timestamp: new Date(), attempts: 1, body: task?.id ?? '' },
    ])
    await consume(work, batch, env)
    const [done] = await tasksOf(me)
    expect(done).toMatchObject({ state: 'succeeded', attempts: 1 })
    const { tasks: _tasks, ...rest } = mentioning(await dump(), wordsOf(me))
    expect(rest).toEqual({})
  })
})
