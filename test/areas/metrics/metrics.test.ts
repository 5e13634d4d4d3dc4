import { expect, it } from 'vitest'
import {
  getActiveUsers,
  getMetrics,
  getStorageMetrics,
} from '../../../src/areas/operations/metrics/metrics.routes.ts'
import { createTransfer } from '../../../src/areas/money/transfers/transfers.routes.ts'
import { call, ok, rows } from '../../support/api.ts'
import { newAccount, newAdmin, newUser } from '../../support/world.ts'
import { storeGroup } from '../../support/stored.ts'
import { newKind, storeTask } from '../queue-tasks/tasks.ts'
import { newClass, storeFileRow } from '../storage-classes/shelves.ts'
import { logActivity } from './log.ts'

const HOUR = 60 * 60 * 1000
const DAY = 24 * HOUR

it('counts users, rows, files and tasks, what went on and what went wrong', async () => {
  const admin = await newAdmin()
  const before = await ok(getMetrics, { as: admin })
  const [ada, ben, gone] = [await newUser(), await newUser(), await newUser()]
  await rows("UPDATE users SET status = 'disabled' WHERE id = ?", ben.id)
  await rows("UPDATE users SET status = 'deleted', deletion_due_at = NULL WHERE id = ?", gone.id)
  const [one, two] = [await newAccount(ada), await newAccount(ada)]
  const json = { fromAccountId: one.id, toAccountId: two.id, date: '2026-01-01', amount: '1' }
  await ok(createTransfer, { as: ada, json })
  await storeGroup([[ada, 'owner']])
  await storeFileRow(ada, 'stc_standard', { size: 7 })
  const code = `test.${crypto.randomUUID()}`
  const dead = await storeTask({ kind: newKind() })
  const long = await storeTask({ kind: newKind() })
  await rows("UPDATE tasks SET state = 'dead', error = ? WHERE id IN (?, ?)", code, dead, long)
  await rows('UPDATE tasks SET finished_at = ? WHERE id = ?', Date.now(), dead)
  await rows('UPDATE tasks SET finished_at = 1 WHERE id = ?', long)
  const [{ logged } = { logged: 0 }] = await rows<{ logged: number }>(
    'SELECT count(*) AS logged FROM log_commits',
  )
  const after = await ok(getMetrics, { as: admin })
  expect(after).toMatchObject({
    users: {
      total: before.users.total + 2,
      active: before.users.active + 1,
      disabled: before.users.disabled + 1,
      deleted: before.users.deleted,
    },
    rows: {
      accounts: before.rows.accounts + 2,
      bookings: before.rows.bookings + 2,
      groups: before.rows.groups + 1,
      auditLog: logged,
    },
    storage: { bytes: before.storage.bytes + 7, objects: before.storage.objects + 1 },
    jobs: { dead: before.jobs.dead + 2 },
    errors: { tasks: before.errors.tasks + 2, tasksLastDay: before.errors.tasksLastDay + 1 },
  })
  expect(after.errors.codes).toContainEqual({ code, tasks: 2 })
  const { activity } = after
  expect(activity.usersLastDay).toBe(before.activity.usersLastDay + 3)
  expect(activity.changesLastDay).toBeGreaterThan(before.activity.changesLastDay)
  expect(activity.changesLastWeek).toBeGreaterThanOrEqual(activity.changesLastDay)
  await rows('DELETE FROM tasks WHERE id IN (?, ?)', dead, long)
})

it('counts people who changed something, each once, in a day, a week and a month', async () => {
  const admin = await newAdmin()
  const [now, before] = [Date.now(), await ok(getActiveUsers, { as: admin })]
  const ids = ['day', 'week', 'month', 'never'].map((name) => ({
    id: `usr_${name}${crypto.randomUUID()}`,
  }))
  const [day, week, month, never] = ids
  for (const [user, at] of [
    [day, now - DAY + HOUR],
    [day, now - HOUR],
    [day, now - 20 * DAY],
    [week, now - DAY - HOUR],
    [month, now - 7 * DAY - HOUR],
    [never, now - 30 * DAY - HOUR],
  ] as const) {
    await logActivity(user ?? { id: '' }, at)
  }
  const after = await ok(getActiveUsers, { as: admin })
  expect(after).toEqual({
    at: expect.any(String),
    daily: before.daily + 1,
    weekly: before.weekly + 2,
    monthly: before.monthly + 3,
  })
})

it('sums up what is kept, by class and by group', async () => {
  const [admin, ada] = [await newAdmin(), await newUser()]
  const before = await ok(getStorageMetrics, { as: admin })
  const { id: storageClassId, name } = await newClass(admin)
  const groupId = await storeGroup()
  await storeFileRow(ada, storageClassId, { size: 2 ** 40, groupId })
  await storeFileRow(ada, storageClassId, { size: 2 ** 40, groupId })
  await storeFileRow(ada, 'stc_standard', { size: 2 ** 40, groupId })
  await storeFileRow(ada, storageClassId, { size: 5 })
  const after = await ok(getStorageMetrics, { as: admin, query: { limit: 2 } })
  const bytes = 3 * 2 ** 40
  expect(after.totals).toEqual({
    bytes: before.totals.bytes + bytes + 5,
    objects: before.totals.objects + 4,
  })
  expect(after.people).toEqual({
    bytes: before.people.bytes + 5,
    objects: before.people.objects + 1,
  })
  expect(after.classes).toContainEqual({
    ...{ storageClassId, name, holders: 2, bytes: 2 ** 41 + 5, objects: 3 },
  })
  expect(after.groups).toEqual([
    { groupId, storageClassId, bytes: 2 ** 41, objects: 2 },
    { groupId, storageClassId: 'stc_standard', bytes: 2 ** 40, objects: 1 },
  ])
  const empty = await newClass(admin)
  const { classes } = await ok(getStorageMetrics, { as: admin })
  expect(classes).toContainEqual({
    ...{ storageClassId: empty.id, name: empty.name, holders: 0, bytes: 0, objects: 0 },
  })
  await rows('DELETE FROM attachments WHERE owner_id = ?', ada.id)
})

it('is for whoever may see metrics', async () => {
  const user = await newUser()
  for (const route of [getMetrics, getStorageMetrics, getActiveUsers]) {
    expect((await call(route, { as: user })).status).toBe(403)
  }
})
