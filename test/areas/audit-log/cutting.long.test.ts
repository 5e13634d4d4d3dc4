import { env } from 'cloudflare:workers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { work } from '../../../src/areas/index.ts'
import {
  downloadAuditLogExport,
  exportAuditLog,
} from '../../../src/areas/insight/audit-log/audit-log.routes.ts'
import { fetchRaw, ok, type Principal, rows } from '../../support/api.ts'
import { type Household, newHousehold } from '../../support/household.ts'
import { isAmong, SEED } from '../../support/rounds.ts'
import { send } from '../../support/sample-parts.ts'
import { storeShare } from '../../support/stored.ts'
import { newAdmin, newUser, type TestUser } from '../../support/world.ts'
import { accessTokensOf } from '../../support/holders.ts'
import { deliver } from '../queue-tasks/tasks.ts'
import {
  again,
  backToNow,
  firstCommit,
  keepSessions,
  loggedOf,
  monthsAgo,
  sealAndRead,
  storeAndCut,
  wholeList,
} from './old-log.ts'

// A household whose log is sixteen months long is asked about its past in every way, before and after the older part of
// the log is cut off.

interface People {
  owner: TestUser
  receiver: TestUser
  member: TestUser
  stranger: TestUser
  admin: TestUser
  masked: Principal
  restricted: Principal
}

let household: Household
let people: People
let transactions: string[]
let entries: string[]
let until: string
let closed: { lock: string; account: string; transaction: string }

const asking =
  (as: Principal) =>
  async (method: string, path: string, body?: object): Promise<{ id: string }> => {
    const response = await send(as, method, path, body)
    const text = await response.text()
    if (!response.ok) {
      throw new Error(`${method} ${path}: ${text}`)
    }
    return (text === '' ? {} : JSON.parse(text)) as { id: string }
  }

/** A month that was stated and locked. */
async function closeMonth(owner: TestUser): Promise<typeof closed> {
  const ask = asking(owner)
  const opening = { openingBalance: '100', openingDate: '2025-01-01' }
  const json = { name: 'Closed', type: 'checking', currency: 'EUR', ...opening }
  const { id: accountId } = await ask('POST', '/account', json)
  const expense = { kind: 'expense', accountId, date: '2025-01-15', amount: '10' }
  const { id: transaction } = await ask('POST', '/transaction', expense)
  const day = '2025-01-31'
  await ask('POST', '/balance-assertion', { accountId, date: day, amount: '90' })
  const lock = { through: day, kind: 'soft', reason: 'Year closed', accountId }
  return { lock: (await ask('POST', '/period-lock', lock)).id, account: accountId, transaction }
}

/** Days of use: something is booked, changed, erased and downloaded. */
async function use(owner: TestUser, [account = '']: string[], amount: string): Promise<void> {
  const ask = asking(owner)
  const booking = { kind: 'expense', accountId: account, date: '2026-02-01', amount }
  for (const isPrivate of [false, true]) {
    const { id } = await ask('POST', '/transaction', { ...booking, private: isPrivate })
    await ask('PATCH', `/transaction/${id}`, { amount: `${amount}1` })
  }
  const { id: gone } = await ask('POST', '/transaction', { ...booking, private: true })
  await ask('DELETE', `/transaction/${gone}`)
  await ask('DELETE', `/trash/transaction/${gone}`)
  await ask('PUT', `/account/${account}`, { note: `Note ${amount}` })
  await (await send(owner, 'GET', `/attachment/${household.bill}/download`)).arrayBuffer()
}

beforeAll(async () => {
  monthsAgo(16)
  household = await newHousehold()
  // Its backup would be made in the middle of what is compared.
  await rows('DELETE FROM tasks')
  const owner = household.owner
  const [receiver, member, stranger, admin] = [
    await newUser(),
    await newUser(),
    await newUser(),
    await newAdmin(),
  ]
  await storeShare(household.shared[0] ?? '', { user: receiver })
  await rows(
    "INSERT INTO group_members (group_id, user_id, role, joined_at) VALUES (?, ?, 'member', 0)",
    household.group,
    member.id,
  )
  await keepSessions()
  await use(owner, household.shared, '11')
  closed = await closeMonth(owner)
  monthsAgo(15)
  await use(await again(owner), household.shared, '12')
  const late = { amount: '12', force: true }
  await asking(await again(owner))('PATCH', `/transaction/${closed.transaction}`, late)
  monthsAgo(3)
  await use(await again(owner), household.shared, '13')
  backToNow()
  await use(await again(owner), household.shared, '14')
  const [masked, restricted] = await accessTokensOf([
    { user: admin, scopes: ['allAuditLogs.read'] },
    { user: owner, scopes: ['auditLog.read', 'accountHistory.read', 'transactions.read'] },
  ])
  await rows(
    'UPDATE personal_access_tokens SET account_ids = ? WHERE user_id = ?',
    JSON.stringify(household.shared),
    owner.id,
  )
  people = {
    ...{ owner: await again(owner), receiver: await again(receiver), member: await again(member) },
    ...{ stranger: await again(stranger), admin: await again(admin) },
    ...{ masked: masked ?? owner, restricted: restricted ?? owner },
  }
  transactions = (
    await rows<{ id: string }>(
      "SELECT DISTINCT resource_id AS id FROM log_entries WHERE resource_type = 'transaction' AND owner_id = ?",
      owner.id,
    )
  ).map(({ id }) => id)
  // Some of all ages, also those that are not the first of their commits.
  entries = (
    await rows<{ id: string }>(
      "SELECT id FROM log_entries WHERE owner_id = ? AND (number % 7 = 0 OR id LIKE '%-2')",
      owner.id,
    )
  ).map(({ id }) => id)
  await sealAndRead()
  until = new Date().toISOString()
})

afterAll(backToNow)

type Asked = [who: keyof People, path: string]

/** Of what is asked for each of many ids, `npm test` asks one in three. */
const someOf = (all: Asked[]): Asked[] => all.filter((_, at) => isAmong(at, 3))

const listsOf = (): Asked[] => {
  const { owner } = people
  const [account = ''] = household.shared
  const everybody: (keyof People)[] = ['owner', 'receiver', 'member', 'stranger']
  const all = encodeURIComponent('2020-01-01T00:00:00.000Z')
  const to = encodeURIComponent(until)
  const admins: (keyof People)[] = ['admin', 'masked']
  return [
    ...everybody.flatMap((who): Asked[] => [
      [who, '/account-history'],
      [who, `/account-history?accountId=${account}`],
      [who, `/account-history?from=2026-01-01&to=2026-01-31`],
      [who, `/audit-log?until=${to}`],
      [who, `/audit-log?action=transaction.created&until=${to}`],
      [who, `/audit-log?resourceId=${account}`],
      [who, '/download'],
    ]),
    ['restricted', '/account-history'],
    ['restricted', `/audit-log?until=${to}`],
    ['owner', `/group/${household.group}/activity`],
    ['member', `/group/${household.group}/activity`],
    ...admins.flatMap((who): Asked[] => [
      [who, `/admin/audit-logs?since=${all}&until=${to}`],
      [who, `/admin/audit-logs?since=${all}&until=${to}&action=transaction.created`],
      [who, `/admin/audit-logs?ownerId=${owner.id}&until=${to}`],
      [who, `/admin/audit-logs?actorId=${owner.id}&until=${to}`],
      [who, `/admin/audit-logs?resourceId=${account}&until=${to}`],
      [who, `/admin/audit-logs?groupId=${household.group}&until=${to}`],
    ]),
    ...someOf(transactions.map((id) => ['owner', `/transaction/${id}/history`])),
  ]
}

const read = async (as: Principal, path: string) => {
  const response = await fetchRaw(path, { headers: { Authorization: `Bearer ${as.accessToken}` } })
  const { requestId: _, ...body } = (await response.json()) as Record<string, unknown>
  return { status: response.status, body }
}

const singlesOf = (): Asked[] =>
  someOf(
    entries.flatMap((id): Asked[] => [
      ['admin', `/admin/audit-logs/${id}`],
      ['masked', `/admin/audit-logs/${id}`],
      ['owner', `/account-history/${id}`],
      ['receiver', `/account-history/${id}`],
      ['member', `/account-history/${id}`],
    ]),
  )

/** Those of which a page of so many is not all; of these, `npm test` asks one in two. */
const longerThan = (limit: number, lists: Lists): Asked[] =>
  listsOf()
    .filter(([who, path]) => (lists.get(`${who} ${path}`)?.rows.length ?? 0) > limit)
    .filter((_, at) => isAmong(at, 2))

const metrics: Asked[] = [
  ['admin', '/admin/download-metrics?limit=200'],
  ['admin', '/admin/growth-trends?days=365'],
]

type Lists = Map<string, Awaited<ReturnType<typeof wholeList>>>

async function allLists(limit: number, asked = listsOf()): Promise<Lists> {
  const lists: Lists = new Map()
  for (const [who, path] of asked) {
    const isThere = path.includes('/history') && (await read(people[who], path)).status === 404
    if (!isThere) {
      lists.set(`${who} ${path}`, await wholeList(people[who], path, limit))
    }
  }
  return lists
}

async function everything(limit: number) {
  const lists = await allLists(limit)
  const singles = new Map<string, unknown>()
  for (const [who, path] of [...singlesOf(), ...metrics]) {
    singles.set(`${who} ${path}`, await read(people[who], path))
  }
  return {
    ...{ lists, singles, backup: await loggedOf(people.owner) },
    forced: await asking(people.owner)('GET', `/period-lock/${closed.lock}?verify=true`),
    suspects: await asking(people.owner)('POST', '/balance-assertion/check', {
      accountId: closed.account,
    }),
  }
}

/** The log of administrators as an export has it. */
async function exported(): Promise<string> {
  const since = new Date(0).toISOString()
  const json = { format: 'ndjson', since, until } as const
  const { id, job } = await ok(exportAuditLog, { as: people.admin, json })
  await deliver(work, job.id, 0)
  const path = downloadAuditLogExport.path.replace('{id}', id)
  const response = await fetchRaw(path, {
    headers: { Authorization: `Bearer ${people.admin.accessToken}` },
  })
  return response.text()
}

/** Fewer than most lists have. */
const PAGE = 7

const told = (asked: string) => `${asked}, seed ${SEED}`

describe('what is cut off', () => {
  it('is answered from segments as it was from the tables', async () => {
    const file = await exported()
    const before = await everything(200)
    expect(file.split('\n').length).toBeGreaterThan(150)
    expect(await firstCommit()).toBe(1)
    await storeAndCut()
    expect(await firstCommit()).toBeGreaterThan(100)
    const [left] = await rows<{ events: number; first: number }>(
      `SELECT (SELECT min(number) FROM log_events) AS events,
        (SELECT first_event FROM log_commits ORDER BY number LIMIT 1) AS first`,
    )
    expect(left?.events).toBe(left?.first)
    const after = await everything(200)
    expect(after.singles).toEqual(before.singles)
    expect(after.backup).toEqual(before.backup)
    expect([after.forced, after.suspects]).toEqual([before.forced, before.suspects])
    const { id: actorId } = people.owner
    expect(after.forced).toMatchObject({ broken: [{ changes: [{ actorId }] }] })
    expect(after.suspects).toMatchObject({
      accounts: [{ suspects: [{ actorId, moved: '-2.00' }] }],
    })
    expect([...after.lists.keys()]).toEqual([...before.lists.keys()])
    for (const [asked, { rows: found, counts }] of after.lists) {
      const was = before.lists.get(asked)
      expect(found, told(asked)).toEqual(was?.rows)
      expect(counts.at(-1), told(asked)).toBe(was?.counts.at(-1))
    }
    const inPages = await allLists(PAGE, longerThan(PAGE, before.lists))
    expect(inPages.size).toBeGreaterThan(5)
    for (const [asked, { rows: found, counts }] of inPages) {
      const was = before.lists.get(asked)
      expect(found, told(asked)).toEqual(was?.rows)
      expect(counts.at(-1), told(asked)).toBe(was?.counts.at(-1))
    }
    expect(await exported()).toBe(file)
    expect(await env.FILES.list({ prefix: 'log/' })).toMatchObject({ objects: { length: 2 } })
  }, 300_000)
})
