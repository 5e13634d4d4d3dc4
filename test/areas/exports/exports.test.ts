import { createHash } from 'node:crypto'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { work } from '../../../src/areas/index.ts'
import { makeDataExportJob } from '../../../src/areas/data-rights/exports/exports.jobs.ts'
import {
  createExport,
  deleteExport,
  downloadExport,
  getExport,
  listExportFormats,
  listExports,
} from '../../../src/areas/data-rights/exports/exports.routes.ts'
import { expireArchivesJob } from '../../../src/areas/data-rights/backups/backups.jobs.ts'
import { getUserAccounts } from '../../../src/areas/money/accounts/accounts.routes.ts'
import { listCategories } from '../../../src/areas/money/categories/categories.routes.ts'
import { listPayees } from '../../../src/areas/money/payees/payees.routes.ts'
import { createTag, listTags } from '../../../src/areas/money/tags/tags.routes.ts'
import {
  createTransaction,
  listTransactions,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import { again } from '../../support/again.ts'
import { call, ok, rows } from '../../support/api.ts'
import { contextWith, databaseWith, filesWith } from '../../support/service.ts'
import { storeShare } from '../../support/stored.ts'
import { uploaded } from '../imports/importing.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { giveToken } from '../access-tokens/tokens.ts'
import { keysInBucket } from '../backups/archives.ts'
import { deliver } from '../queue-tasks/tasks.ts'
import { today } from '../recurring/recurring.fixtures.ts'
import {
  askExport,
  exported,
  fetchExport,
  makeExport,
  newHousehold,
  newTraveller,
  tableOf,
} from './exports.fixtures.ts'

const household = again(newHousehold)

afterEach(() => void vi.useRealTimers())
const traveller = again(newTraveller)

const DAY = 24 * 60 * 60 * 1000

const ALL_FORMATS = [
  ...(['csv', 'csvExcel', 'json', 'ndjson', 'qif', 'ofx', 'hledger', 'ledger'] as const),
  'beancount' as const,
]

describe('formats', () => {
  it('are listed with what they hold and what they lose', async () => {
    const me = await newUser()
    const { formats, count } = await ok(listExportFormats, { as: me })
    expect(formats.map(({ format }) => format)).toEqual(ALL_FORMATS)
    expect(count).toBe(9)
    expect(formats.find(({ format }) => format === 'csvExcel')).toMatchObject({
      contentType: 'text/csv',
      extension: 'csv',
      what: ['transactions'],
      options: ['locale', 'keepDigits'],
    })
    expect(formats.every(({ lossy }) => lossy.includes('files'))).toBe(true)
    const keeping = formats.filter(({ lossy }) => !lossy.includes('metadata'))
    expect(keeping.map(({ format }) => format)).toEqual(['csv', 'csvExcel', 'json', 'ndjson'])
  })
})

describe('json', () => {
  it('names the accounts of its transactions, also for an import, where they are not exported', async () => {
    const { me } = await household()
    const { accounts } = await ok(getUserAccounts, { as: me })
    const names = accounts.map(({ id, name, currency }) => ({ id, name, currency }))
    const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1)
    const text = await exported(me, { format: 'json' })
    expect(JSON.parse(text).accounts).toEqual(names.toSorted(byId))
    const [first] = (await exported(me, { format: 'ndjson' })).split('\n').slice(1)
    expect(JSON.parse(first ?? '')).toEqual({ type: 'accounts', ...names.toSorted(byId)[0] })
    const there = await uploaded(await newUser(), text)
    expect(there['accounts']).toEqual(
      expect.arrayContaining(
        names.map(({ name, currency }) => expect.objectContaining({ name, currency })),
      ),
    )
  })

  it('has what the lists of the API tell, field for field', async () => {
    const { me } = await household()
    const what = ['accounts', 'categories', 'payees', 'tags', 'transactions'] as const
    const scope = { what: [...what] }
    const found = JSON.parse(await exported(me, { format: 'json', scope }))
    const query = { limit: 200 }
    const { accounts } = await ok(getUserAccounts, { as: me })
    const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1)
    expect(found).toEqual({
      format: 'coffer',
      version: 1,
      accounts: accounts.toSorted(byId),
      categories: (await ok(listCategories, { as: me, query })).categories,
      payees: (await ok(listPayees, { as: me, query })).payees,
      tags: (await ok(listTags, { as: me, query })).tags,
      transactions: (await ok(listTransactions, { as: me, query: { ...query, sort: 'date' } }))
        .transactions,
    })
    const lines = (await exported(me, { format: 'ndjson', scope }))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines[0]).toEqual({ type: 'header', format: 'coffer', version: 1 })
    expect(lines.slice(1)).toEqual(
      what.flatMap((type) =>
        found[type].map((row: { type?: string }) => ({
          ...row,
          type,
          // Accounts have a type of their own.
          ...(type === 'accounts' ? { accountType: row.type } : {}),
        })),
      ),
    )
  })

  it('is well-formed where there is nothing', async () => {
    const me = await newUser()
    expect(JSON.parse(await exported(me, { format: 'json' }))).toEqual({
      format: 'coffer',
      version: 1,
      transactions: [],
    })
  })
})

describe('an export', () => {
  it('has the same bytes whenever it is made', async () => {
    const { me } = await household()
    for (const format of ALL_FORMATS) {
      const [one, other] = [await makeExport(me, { format }), await makeExport(me, { format })]
      expect(one.state, format).toBe('ready')
      expect(one.sha256, format).toBe(other.sha256)
      await ok(deleteExport, { as: me, id: one.id })
      await ok(deleteExport, { as: me, id: other.id })
    }
  })

  it('tells what it has and where it is', async () => {
    const { me } = await traveller()
    const asked = await askExport(me, { format: 'csv', scope: { from: '2026-03-20' } })
    expect(await ok(getExport, { as: me, id: asked.id })).toMatchObject({
      state: 'queued',
      format: 'csv',
      options: {},
      scope: { from: '2026-03-20', shared: false, what: ['transactions'] },
      counts: null,
      changedMeanwhile: null,
    })
    expect(await call(downloadExport, { as: me, id: asked.id })).toMatchObject({
      status: 409,
      body: { code: 'exports.notReady' },
    })
    await deliver(work, asked.taskId, 2 * DAY)
    const made = await ok(getExport, { as: me, id: asked.id })
    expect(made).toMatchObject({
      state: 'ready',
      counts: { transactions: 2 },
      changedMeanwhile: false,
      jobId: asked.taskId,
    })
    expect((await ok(listExports, { as: me })).exports).toEqual([made])
    const whole = await fetchExport(me, asked.id)
    const bytes = new Uint8Array(await whole.arrayBuffer())
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    expect([made.size, made.sha256]).toEqual([bytes.length, sha256])
    expect(whole.headers.get('ETag')).toBe(`"${sha256}"`)
    expect(whole.headers.get('Content-Type')).toBe('text/csv; charset=utf-8')
    expect(whole.headers.get('Content-Disposition')).toMatch(
      /^attachment; filename="coffer-export-\d{4}-\d\d-\d\d\.csv"/,
    )
    const part = await fetchExport(me, asked.id, { Range: 'bytes=0-1' })
    expect([part.status, await part.text()]).toEqual([206, 'id'])
    const logged = await rows<{ resource_type: string; facts: string }>(
      `SELECT e.resource_type, e.facts FROM log_events e JOIN log_commits c ON c.first_event = e.number
        WHERE c.type = 'file.downloaded' AND e.resource_id = ?`,
      asked.id,
    )
    expect(logged.map(({ facts }) => JSON.parse(facts))).toEqual([
      { kind: 'export', bytes: bytes.length },
      { kind: 'export', bytes: 2 },
    ])
  })

  it('has what its scope selects, by the filters of the list', async () => {
    // Two hours before the export is made, it is the same day.
    today('2026-11-20')
    const { me, everyday, odd, groceries } = await newHousehold()
    const filters = [
      { categoryId: groceries.id },
      { text: 'never was' },
      { kind: 'transfer' as const },
      { status: 'cleared' as const, from: '2026-03-20' },
      { uncategorised: true, amountFrom: '3', amountTo: '5.00' },
      { condition: { not: { field: 'amount', op: 'below', value: '3' } } },
      { condition: { field: 'date', op: 'below', value: 'today' } },
    ]
    for (const filter of filters) {
      const { transactions } = await ok(listTransactions, {
        as: me,
        query: {
          ...{ ...filter, limit: 200, sort: 'date' },
          ...('condition' in filter ? { condition: JSON.stringify(filter.condition) } : {}),
        } as unknown as Record<string, string>,
      })
      const found = JSON.parse(await exported(me, { format: 'json', scope: filter })).transactions
      expect(found, JSON.stringify(filter)).toEqual(transactions)
      expect(found.length).toBeGreaterThan(0)
    }
    const two = tableOf(
      await exported(me, { format: 'csv', scope: { accountId: [everyday.id, odd.id] } }),
    )
    expect(new Set(two.map(({ accountId }) => accountId))).toEqual(new Set([everyday.id, odd.id]))
  })

  it('reads everything once more when something changed meanwhile, and says so in the end', async () => {
    const { me, everyday } = await traveller()
    const book = (date: string) =>
      ok(createTransaction, {
        as: me,
        json: { kind: 'expense', accountId: everyday.id, date, amount: '1.00' },
      })
    const once = await askExport(me, { format: 'csv' })
    let isBooked = false
    const meanwhile = (isDue: (trip: number) => boolean, date: string) =>
      databaseWith(async (trip, go) => {
        if (isDue(trip)) {
          isBooked = true
          await book(date)
        }
        return go()
      }).withSession('first-primary')
    const run = (id: string, database: ReturnType<typeof meanwhile>) =>
      makeDataExportJob.run(contextWith({ database }), { exportId: id }, [])
    await run(
      once.id,
      meanwhile((trip) => trip === 12 && !isBooked, '2026-01-01'),
    )
    expect(isBooked).toBe(true)
    expect(await ok(getExport, { as: me, id: once.id })).toMatchObject({
      changedMeanwhile: false,
      counts: { transactions: 4 },
    })
    const always = await askExport(me, { format: 'csv' })
    await run(
      always.id,
      meanwhile((trip) => trip % 4 === 0, '2026-01-02'),
    )
    expect(await ok(getExport, { as: me, id: always.id })).toMatchObject({ changedMeanwhile: true })
  })

  it('may be killed at any step: the next run begins anew, and one object is left', async () => {
    const { me } = await traveller()
    const before = await keysInBucket()
    const run = (id: string, changed = {}) =>
      makeDataExportJob.run(contextWith(changed), { exportId: id }, [])
    let trips = 0
    let calls = 0
    const { id } = await askExport(me, { format: 'qif' })
    await run(id, {
      database: databaseWith((trip, go) => {
        trips = trip
        return go()
      }).withSession('first-primary'),
      files: filesWith((at, go) => {
        calls = at
        return go()
      }),
    })
    const { sha256 } = await ok(getExport, { as: me, id })
    await ok(deleteExport, { as: me, id })
    for (const at of [
      ...Array.from({ length: trips }, (_, n) => n + 1),
      ...Array.from({ length: calls }, (_, n) => -n - 1),
    ]) {
      for (const isDone of [false, true]) {
        const dying = async <Answer>(isIt: boolean, go: () => Promise<Answer>) => {
          if (!isIt) {
            return go()
          }
          await (isDone ? go() : undefined)
          throw new Error('killed')
        }
        const killed = await askExport(me, { format: 'qif' })
        const changed = {
          database: databaseWith((trip, go) => dying(at > 0 && trip >= at, go)).withSession(
            'first-primary',
          ),
          files: filesWith((n, go) => dying(at < 0 && n >= -at, go)),
        }
        await run(killed.id, changed).catch(() => undefined)
        await run(killed.id).catch(() => undefined)
        const where = `${at} ${isDone}`
        const made = await ok(getExport, { as: me, id: killed.id })
        expect([made.state, made.sha256], where).toEqual(['ready', sha256])
        expect(
          (await keysInBucket()).filter((key) => !before.includes(key)),
          where,
        ).toHaveLength(1)
        await ok(deleteExport, { as: me, id: killed.id })
      }
    }
  })

  it('expires after seven days, and is deleted with its object', async () => {
    const { me } = await traveller()
    const { id, expiresAt, createdAt } = await makeExport(me, { format: 'csv' })
    expect(Date.parse(expiresAt ?? '') - Date.parse(createdAt)).toBe(7 * DAY)
    const before = (await keysInBucket()).length
    await expireArchivesJob.run(contextWith({ now: Date.now() + 8 * DAY }), {}, [])
    expect((await keysInBucket()).length).toBeLessThan(before)
    expect(await ok(getExport, { as: me, id })).toMatchObject({ state: 'expired', counts: null })
    expect(await call(downloadExport, { as: me, id })).toMatchObject({
      status: 409,
      body: { code: 'exports.notKept' },
    })
  })

  it('is refused while two are being made, and where ten are kept', async () => {
    const me = await newUser()
    const { taskId } = await askExport(me, { format: 'csv' })
    await askExport(me, { format: 'json' })
    expect(await call(createExport, { as: me, json: { format: 'csv' } })).toMatchObject({
      status: 409,
      body: { code: 'exports.underWay' },
    })
    await deliver(work, taskId, 2 * DAY)
    await askExport(me, { format: 'csv' })
    await rows("UPDATE tasks SET state = 'failed' WHERE state = 'queued' AND created_by = ?", me.id)
    const [{ id } = { id: '' }] = (await ok(listExports, { as: me, query: { limit: 1 } })).exports
    expect(await ok(getExport, { as: me, id })).toMatchObject({ state: 'failed' })
    for (let at = 1; at < 10; at++) {
      await makeExport(me, { format: 'csv' })
    }
    expect(await call(createExport, { as: me, json: { format: 'csv' } })).toMatchObject({
      status: 409,
      body: { code: 'exports.tooMany' },
    })
  })

  it('is refused what its format cannot hold', async () => {
    const me = await newUser()
    const refused = async (json: object) => {
      const { status, body } = await call(createExport, { as: me, json: json as never })
      const { code, field } = body as unknown as { code: string; field: string }
      return [status, code, field]
    }
    const what = ['transactions', 'budgets']
    expect(await refused({ format: 'csv', scope: { what } })).toEqual([
      ...[400, 'exports.notInFormat', 'scope.what.1'],
    ])
    const condition = { field: 'text', op: 'is', value: 'tea' }
    expect(await refused({ format: 'csv', scope: { condition } })).toEqual([
      ...[400, 'conditions.invalid', 'scope.condition.op'],
    ])
    expect(await refused({ format: 'json', options: { locale: 'de' } })).toEqual([
      ...[400, 'exports.notAnOption', 'options.locale'],
    ])
    const [other] = [await newUser()]
    const theirs = await newAccount(other)
    for (const id of [theirs.id, 'acc_01k9v3q8m5t0w2x4y6z8a1b3c5']) {
      expect(await refused({ format: 'csv', scope: { accountId: [id] } })).toEqual([
        ...[400, 'exports.unknownAccount', 'scope.accountId'],
      ])
    }
    expect(await refused({ format: 'xlsx' })).toEqual([400, 'request.invalid', 'format'])
  })

  it('is nobody else’s', async () => {
    const { me } = await traveller()
    const { id } = await makeExport(me, { format: 'csv' })
    const other = await newUser()
    for (const route of [getExport, downloadExport, deleteExport]) {
      expect(await call(route, { as: other, id })).toMatchObject({
        status: 404,
        body: { code: 'exports.notFound' },
      })
    }
    expect(await ok(listExports, { as: other })).toMatchObject({ exports: [], count: 0 })
  })
})

describe('accounts that others share', () => {
  it('are exported where that is requested, without what is private to others', async () => {
    const { me: owner, everyday, tokyo } = await traveller()
    await ok(createTransaction, {
      as: owner,
      json: {
        ...{ kind: 'expense', accountId: everyday.id, date: '2026-03-21', amount: '9.00' },
        ...{ private: true, description: 'secret' },
      },
    })
    const friend = await newUser()
    await storeShare(everyday.id, { user: friend })
    expect(tableOf(await exported(friend, { format: 'csv' }))).toEqual([])
    const text = await exported(friend, { format: 'csv', scope: { shared: true } })
    const lines = tableOf(text)
    expect(lines.map(({ amount }) => amount)).toEqual(['-12.30', '', '', '-100.00', ''])
    expect(text).not.toContain('secret')
    for (const format of ALL_FORMATS) {
      const whole = await exported(friend, { format, scope: { shared: true } })
      expect(whole, format).not.toContain(tokyo.id)
      expect(whole, format).not.toContain('Tokyo')
    }
  })
})

describe('a token that is restricted to some accounts', () => {
  it('exports these alone, and sees no other exports', async () => {
    const { me, everyday, tokyo } = await traveller()
    const all = await makeExport(me, { format: 'csv' })
    const token = await giveToken(me, ['exports.read', 'exports.write'], [everyday.id])
    for (const format of ALL_FORMATS) {
      const { id, taskId } = await askExport(token, { format })
      await deliver(work, taskId, 2 * DAY)
      const response = await fetchExport(token, id)
      const text = await response.text()
      expect(response.status, format).toBe(200)
      expect(text, format).not.toContain(tokyo.id)
      expect(text, format).not.toContain('Tokyo')
      expect(text, format).toContain('12.30')
      await ok(deleteExport, { as: token, id })
    }
    const { id } = await makeExport(token, { format: 'csv' })
    expect((await ok(listExports, { as: token })).exports).toMatchObject([{ id }])
    expect(await call(getExport, { as: token, id: all.id })).toMatchObject({ status: 404 })
    expect((await ok(listExports, { as: me })).count).toBe(2)
    const others = { format: 'csv' as const, scope: { accountId: [tokyo.id] } }
    expect(await call(createExport, { as: token, json: others })).toMatchObject({
      status: 400,
      body: { code: 'exports.unknownAccount' },
    })
    const budgets = { format: 'json' as const, scope: { what: ['budgets' as const] } }
    expect(await call(createExport, { as: token, json: budgets })).toMatchObject({
      status: 403,
      body: { code: 'exports.tokenIsRestricted' },
    })
    const narrower = await giveToken(me, ['exports.read'], [tokyo.id])
    expect((await ok(listExports, { as: narrower })).exports).toEqual([])
  })
})

it('pages through more than fit in memory at one time', async () => {
  const { me, everyday } = await traveller()
  await ok(createTag, { as: me, json: { name: 'many' } })
  const copies = 1_200
  await rows(
    `INSERT INTO transactions (id, owner_id, kind, date, source, created_by, created_at, updated_at)
      SELECT 'txn_' || printf('%026d', value), ?1, 'expense', '2026-02-0' || (1 + value % 9), 'user', ?1, 0, 0
      FROM json_each(?2)`,
    me.id,
    JSON.stringify(Array.from({ length: copies }, (_, at) => at)),
  )
  await rows(
    `INSERT INTO entries (transaction_id, line, owner_id, account_id, side, date, amount_minor, currency, status)
      SELECT t.id, l.value, t.owner_id, ?2, iif(l.value = 1, 'account', 'expense'), t.date, iif(l.value = 1, -100, 100), 'EUR', 'uncleared'
      FROM transactions t, json_each('[1,2]') l WHERE t.owner_id = ?1 AND t.created_at = 0`,
    me.id,
    everyday.id,
  )
  const lines = tableOf(await exported(me, { format: 'csv' })).filter(({ partOf }) => partOf === '')
  expect(lines).toHaveLength(copies + 3)
  const order = lines.map(({ date, id }) => `${date} ${id?.replace(/^\w{3}_/, '')}`)
  expect(order).toEqual(order.toSorted())
  expect(new Set(order).size).toBe(order.length)
})
