import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, expect, inject, it } from 'vitest'
import { databaseFile } from '../../src/hosts/node/data-folder.ts'
import { limit } from '../support/rounds.ts'
import { type NodeProcess, runNode, temporaryFolder } from '../support/running.ts'
import { daysOf, textOf } from '../domain/schedules/expander.fixtures.ts'

// The release for Node is off for forty days, in which summer time begins, and books what was due meanwhile.

const root = temporaryFolder()
let service: NodeProcess | undefined
afterAll(async () => {
  await service?.stop()
  root.remove()
})

/** Starts the service, with its clock at noon of a day, in UTC. */
async function startOn(day: string): Promise<void> {
  await service?.stop()
  const clock = `const now = Date.now, later = Date.parse('${day}T12:00:00Z') - now(); Date.now = () => now() + later`
  service = await runNode(inject('nodeRelease'), root.path, {
    ...{ REGISTRATION: 'open', PASSWORD_COST: '1', USER_LIMIT_DATABASE_MS: '1000000' },
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(clock)}`,
  })
}

async function ask<Body>(path: string, token = '', json?: object): Promise<Body> {
  const response = await fetch(`${service?.url}${path}`, {
    method: json ? 'POST' : 'GET',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
    ...(json ? { body: JSON.stringify(json) } : {}),
  })
  const body = await response.text()
  expect(response.ok, `${path} ${response.status} ${body}`).toBe(true)
  return JSON.parse(body) as Body
}

interface Entered {
  accessToken: string
}

const PASSWORD = 'only for this one test'
const enter = (email: string) => ask<Entered>('/auth/v2/login', '', { email, password: PASSWORD })

const register = (name: string, timeZone: string) =>
  ask<Entered>('/auth/register', '', {
    ...{ email: `${name}@coffer.test`, password: PASSWORD, name, timeZone },
  })

/** The zones of the owners, with the last day that has begun there. */
const OWNERS = [
  ['Europe/Berlin', '2026-04-01'],
  ['America/Havana', '2026-04-01'],
  ['Pacific/Pago_Pago', '2026-04-01'],
  ['Pacific/Kiritimati', '2026-04-02'],
] as const

const FROM = '2026-02-21'
const WEEKLY = ['02-23', '03-02', '03-09', '03-16', '03-23', '03-30'].map((day) => `2026-${day}`)
const MONTHLY = ['2026-02-28', '2026-03-31']
const dailyTo = (last: string) =>
  Array.from({ length: daysOf(last) - daysOf(FROM) + 1 }, (_, at) => textOf(daysOf(FROM) + at))

/** Items by their amounts, so that rows tell of which they are. */
const ITEMS = [
  ['1.00', 'post', { unit: 'day', anchor: FROM }],
  ['2.00', 'post', { unit: 'week', anchor: '2026-02-23' }],
  ['3.00', 'post', { unit: 'month', anchor: '2026-01-31' }],
  ['4.00', 'ask', { unit: 'day', anchor: FROM }],
  ['5.00', 'expect', { unit: 'week', anchor: '2026-02-23' }],
] as const

async function newOwner(name: string, timeZone: string): Promise<{ name: string; id: string }> {
  const { accessToken } = await register(name, timeZone)
  const account = { name, type: 'checking', currency: 'EUR', openingDate: '2026-01-01' }
  const { id } = await ask<{ id: string }>('/account', accessToken, account)
  for (const [amount, mode, schedule] of ITEMS) {
    const transaction = { kind: 'expense', accountId: id, amount }
    const item = { name: amount, mode, schedule, transaction, from: FROM }
    await ask('/recurring', accessToken, item)
  }
  return { name, id }
}

const stored = <Row>(sql: string): Row[] => {
  const database = new DatabaseSync(databaseFile(root.path), { readOnly: true })
  const rows = database.prepare(sql).all() as Row[]
  database.close()
  return rows
}

const countOf = (condition: string) =>
  stored<{ count: number }>(`SELECT count(*) AS count FROM ${condition}`)[0]?.count ?? 0

it('books all that was due, once and each on its day, while it serves others', async () => {
  await startOn('2026-02-20')
  const owners = []
  for (const [at, [zone, last]] of OWNERS.entries()) {
    owners.push({ ...(await newOwner(`owner-${at}`, zone)), last })
  }
  await register('other', 'Europe/Berlin')
  expect(countOf('transactions WHERE recurring_id IS NOT NULL')).toBe(0)
  await startOn('2026-04-01')
  const begun = performance.now()
  const booked = owners.reduce((sum, { last }) => sum + dailyTo(last).length + 8, 0)
  const times: number[] = []
  const { accessToken: other } = await enter('other@coffer.test')
  const isOver = () =>
    countOf('transactions WHERE recurring_id IS NOT NULL') >= booked &&
    countOf("tasks WHERE kind LIKE 'recurring.%' AND state <> 'succeeded'") === 0
  while (!isOver() && performance.now() - begun < 120_000) {
    const sent = performance.now()
    await ask('/account', other)
    times.push(performance.now() - sent)
    await pause(5)
  }
  expect(Math.max(...times), `of ${times.length} requests`).toBeLessThan(limit(500))
  for (const { name, id, last } of owners) {
    const { accessToken: token } = await enter(`${name}@coffer.test`)
    const { transactions } = await ask<{ transactions: { date: string; amount: string }[] }>(
      `/transaction?accountId=${id}&sort=date&limit=200`,
      token,
    )
    const datesOf = (wanted: string) =>
      transactions.filter(({ amount }) => amount === wanted).map(({ date }) => date)
    expect(datesOf('1.00')).toEqual(dailyTo(last))
    expect(datesOf('2.00')).toEqual(WEEKLY)
    expect(datesOf('3.00')).toEqual(MONTHLY)
    expect(transactions).toHaveLength(dailyTo(last).length + WEEKLY.length + MONTHLY.length)
  }
  const told = (kind: string) => countOf(`notifications WHERE kind = '${kind}'`)
  // Nobody has read any, so those of an item are one, which tells of its last day.
  expect(told('recurring.waits')).toBe(owners.length)
  const lastDays = owners.map(({ last }) => dailyTo(last).at(-1)).toSorted()
  const waiting = stored<{ day: string }>(
    "SELECT facts ->> 'nominalDate' AS day FROM notifications WHERE kind = 'recurring.waits' ORDER BY day",
  )
  expect(waiting.map(({ day }) => day)).toEqual(lastDays)
  expect(told('recurring.due')).toBe(owners.length)
  expect(told('recurring.missed')).toBe(0)
}, 240_000)
