import { describe, expect, it } from 'vitest'
import { eraseUserJob } from '../../../src/areas/data-rights/own-user/erasure/erasure.jobs.ts'
import { allOperations } from '../../../src/http/registry.ts'
import type { Context } from '../../../src/platform/context.ts'
import { fetchRaw, rows } from '../../support/api.ts'
import { contextWith, databaseWith, filesWith } from '../../support/service.ts'
import { newAccount, newAdmin, newUser, type TestUser } from '../../support/world.ts'
import { book } from '../transactions/booking.ts'
import { matched } from '../transactions/matched-parts.fixtures.ts'
import { newOwner, type Owner } from './owners.fixtures.ts'
import { bucketDump, tie, type Ties } from './households.fixtures.ts'
import { addTraces, makeDue } from './user-traces.fixtures.ts'
import { emptyColumns, fill } from './user-texts.fixtures.ts'

// What is left of somebody who was erased: looked for in everything that there is.

interface Household {
  me: Owner
  other: TestUser
  third: TestUser
  admin: TestUser
  ties: Ties
}

/** A row of a bank in a part of a split. */
async function addMatch(me: Owner): Promise<void> {
  const account = await newAccount(me)
  const whole = await book(me, account, { splits: [{ amount: '5' }, { amount: '7.30' }] })
  const said = { kind: 'income' as const, amount: '7.30', payeeRaw: me.word }
  const row = await book(me, { id: me.one }, said)
  await matched(me, whole, whole.splits[1], row)
}

async function newHousehold(): Promise<Household> {
  const [me, other, third, admin] = [
    await newOwner(),
    await newUser({ name: 'Grace' }),
    await newUser(),
    await newAdmin(),
  ]
  const ties = await tie(me, other, third)
  await addMatch(me)
  await addTraces(me)
  await fill(me)
  await makeDue(me)
  return { me, other, third, admin, ties }
}

const run = (me: Owner, changed: Partial<Context> = {}) =>
  eraseUserJob.run(contextWith(changed), { userId: me.id }, [])

/** Ends the run at its `at`th step: instead of it, or with its answer lost. */
const killing = (at: number, isDone: boolean) => {
  const seen = { killed: false }
  const around = async <Answer>(step: number, go: () => Promise<Answer>): Promise<Answer> => {
    if (step < at) {
      return go()
    }
    seen.killed = true
    await (isDone ? go() : undefined)
    throw new Error('killed')
  }
  return { around, seen }
}

/** As each run goes on with what is left, the next step is the next run's to be killed at. */
async function eraseKilledAtEachTrip(me: Owner): Promise<number> {
  for (let at = 1; ; at++) {
    for (const isDone of [false, true]) {
      const { around, seen } = killing(at, isDone)
      const database = databaseWith(around).withSession('first-primary')
      await Promise.resolve(run(me, { database })).catch(() => undefined)
      if (!seen.killed) {
        return at
      }
    }
    expect(at).toBeLessThan(200)
  }
}

/**
 * The trips that it takes until the last object is gone: begin, and for each kind a look, a commit and a look. Uploads are among
 * them, as their parts have objects.
 */
const TRIPS_WITH_OBJECTS = 1 + 3 * 5

/** Gives how often it was killed: for each kind with objects, before its call and right after it. */
async function killAtEachCall(me: Owner): Promise<number> {
  let kills = 0
  for (const at of [1, 2, 1, 2, 1]) {
    for (const isDone of [false, true]) {
      const { around, seen } = killing(at, isDone)
      const database = databaseWith(killing(TRIPS_WITH_OBJECTS, false).around)
      const changed = {
        files: filesWith(around),
        database: database.withSession('first-primary'),
      }
      await Promise.resolve(run(me, changed)).catch(() => undefined)
      kills += seen.killed ? 1 : 0
    }
  }
  return kills
}

/** Everything that a user can get: each list, and what is behind the ids of the household. */
async function allGets(as: TestUser, { me, ties, other }: Household): Promise<Map<string, string>> {
  const behind: Record<string, string[]> = {
    account: [ties.account, me.one],
    transaction: [ties.booked],
    group: [ties.groupId, ties.loneGroupId],
    attachment: [ties.file],
    admin: [me.id, other.id, ties.groupId],
    tag: [],
  }
  const paths = allOperations()
    .filter(({ method, access }) => method === 'get' && access !== 'public')
    .flatMap(({ path }) => {
      const ids = behind[path.split('/')[1] ?? ''] ?? []
      const parameters = path.match(/\{\w+\}/g) ?? []
      return parameters.length === 0
        ? [path]
        : parameters.length === 1
          ? ids.map((id) => path.replace(/\{\w+\}/, id))
          : []
    })
  const answers = new Map<string, string>()
  for (const path of paths) {
    const response = await fetchRaw(path, {
      headers: { Authorization: `Bearer ${as.accessToken}` },
    })
    answers.set(path, `${response.status} ${await response.text()}`)
  }
  return answers
}

const hits = (texts: Iterable<[string, string]>, { word, email }: Owner) =>
  [...texts]
    .filter(([, text]) => text.includes(word) || text.includes(email))
    .map(([where]) => where)

async function tables(): Promise<[string, string][]> {
  const names = await rows<{ name: string }>(
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT GLOB '_cf_*'",
  )
  return Promise.all(
    names.map(
      async ({ name }) =>
        [name, JSON.stringify(await rows(`SELECT * FROM "${name}"`))] as [string, string],
    ),
  )
}

/** What the money of somebody is, row by row. */
const moneyOf = async ({ id }: TestUser) =>
  JSON.stringify(
    await Promise.all(
      ['account_balances', 'account_periods', 'flow_periods', 'entries', 'valuations'].map(
        (table) =>
          rows(
            `SELECT * FROM ${table} WHERE account_id IN (SELECT a.id FROM accounts a WHERE a.owner_id = ?)`,
            id,
          ),
      ),
    ),
  )

describe('of a user who was erased, killed at every step on the way', () => {
  it('nothing is left in answers, tables and files, and the money of others is as it was', async () => {
    const home = await newHousehold()
    const { me, other, third, admin, ties } = home
    expect(
      await emptyColumns(me),
      'Add a row with the word in each column to test/areas/own-user/owners.fixtures.ts.',
    ).toEqual([])
    const [money, seen] = [await moneyOf(other), await allGets(other, home)]
    expect(hits(await allGets(admin, home), me)).toContain('/admin/users')
    expect(hits(seen, me)).toContain(`/account/${me.one}`)
    expect(hits(await bucketDump(), me)).toHaveLength(8)

    expect(await killAtEachCall(me)).toBeGreaterThan(4)
    expect(await eraseKilledAtEachTrip(me)).toBeGreaterThan(20)

    const [dump, bucket] = [await tables(), await bucketDump()]
    expect(hits(dump, me), 'tables').toEqual([])
    expect(hits(bucket, me), 'objects').toEqual([])
    expect(bucket.filter(([, text]) => text.includes(me.id))).toEqual([])
    const after = await allGets(other, home)
    expect(hits(after, me)).toEqual([])
    expect(hits(await allGets(admin, home), me)).toEqual([])
    const pseudonyms = dump.filter(([, text]) => text.includes(me.id)).map(([name]) => name)
    expect(pseudonyms.toSorted()).toEqual([
      'attachment_links',
      'log_commits',
      'log_events',
      'transactions',
    ])

    expect(await moneyOf(other)).toBe(money)
    // The user's files leave what they were attached to.
    const told = (answers: Map<string, string>, path: string) =>
      answers.get(path)?.replace(/"attachmentCount":\d+/, '')
    for (const path of [`/account/${ties.account}`, `/transaction/${ties.booked}`]) {
      expect(told(after, path), path).toBe(told(seen, path))
    }
    const members = await rows(
      'SELECT group_id, user_id, role FROM group_members WHERE group_id IN (?, ?) ORDER BY joined_at',
      ties.groupId,
      ties.loneGroupId,
    )
    expect(members).toEqual([
      { group_id: ties.groupId, user_id: third.id, role: 'viewer' },
      { group_id: ties.groupId, user_id: other.id, role: 'owner' },
    ])
  })
})
