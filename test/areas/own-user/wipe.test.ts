import { createMessageBatch } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import {
  createTransaction,
  listTransactions,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import { getUserAccounts } from '../../../src/areas/money/accounts/accounts.routes.ts'
import {
  listCategories,
  createCategory,
} from '../../../src/areas/money/categories/categories.routes.ts'
import { listExchangeRates } from '../../../src/areas/money/exchange-rates/exchange-rates.routes.ts'
import { work } from '../../../src/areas/index.ts'
import { checkLedger } from '../../../src/ledger/integrity/checks.jobs.ts'
import { createPayee, listPayees } from '../../../src/areas/money/payees/payees.routes.ts'
import { createTag, listTags } from '../../../src/areas/money/tags/tags.routes.ts'
import { listValuations } from '../../../src/areas/money/valuations/valuations.routes.ts'
import {
  convertToTransfer,
  matchTransfer,
} from '../../../src/areas/money/transfers/transfers.routes.ts'
import { getOwnCurrencies } from '../../../src/areas/money/currencies/currencies.routes.ts'
import {
  getPreferences,
  updatePreferences,
} from '../../../src/areas/data-rights/own-user/own-user.routes.ts'
import {
  getWipe,
  undoWipe,
  wipeData,
} from '../../../src/areas/data-rights/own-user/erasure/wipe.routes.ts'
import { wipe } from '../../../src/areas/data-rights/own-user/erasure/erasure.usecases.ts'
import { WIPE_KINDS, type WipeKind } from '../../../src/domain/owned-data.ts'
import { systemPorts } from '../../../src/platform/context.ts'
import { consume } from '../../../src/platform/work/tasks.ts'
import { again } from '../../support/again.ts'
import { call, ok, rows } from '../../support/api.ts'
import { contextWith, databaseWith, serviceWith } from '../../support/service.ts'
import { newAccount, newUser, type TestUser } from '../../support/world.ts'
import { serviceWithMail } from '../auth/mails.ts'
import { waitingItem } from '../recurring/linking.fixtures.ts'
import { newHalves, revert, stored, unmatch } from '../transfers/matched.ts'
import { dump, mentioning, newOwner } from './owners.fixtures.ts'
import { putFile } from './households.fixtures.ts'

const DAY = 24 * 60 * 60 * 1000

interface TaskRow {
  id: string
  state: string
  next_attempt_at: number
}

const taskOf = async ({ id }: TestUser) =>
  (await rows<TaskRow>('SELECT * FROM tasks WHERE dedupe_key = ?', `user.wipe ${id}`))[0]

const ask = (as: TestUser, kinds: WipeKind[], password = as.password) =>
  call(wipeData, { as, json: { kinds, password } })

/** Lets the queue deliver the task of the user, so many days from now. */
async function deliver(user: TestUser, { days = 7, bindings = env } = {}): Promise<void> {
  const task = await taskOf(user)
  const now = Date.now() + days * DAY + 1000
  const batch = createMessageBatch('coffer-tasks', [
    { id: 'x', timestamp: new Date(), attempts: 1, body: task?.id ?? '' },
  ])
  await consume(work, batch, bindings, { ...systemPorts, now: () => now })
}

/** What came before the wipe was asked for is older than it, also on a fast machine. */
const age = async ({ id }: TestUser) => {
  for (const table of ['transactions', 'accounts', 'categories', 'exchange_rates']) {
    await rows(`UPDATE ${table} SET created_at = created_at - 60000 WHERE owner_id = ?`, id)
  }
  for (const table of ['user_preferences', 'user_currencies']) {
    await rows(`UPDATE ${table} SET updated_at = updated_at - 60000 WHERE user_id = ?`, id)
  }
}

async function newOldOwner() {
  const owner = await newOwner()
  await age(owner)
  return owner
}

const oldOwners = again(async () => ({ me: await newOldOwner(), other: await newOldOwner() }))

/** How much of what a user has. */
async function holdingsOf(as: TestUser) {
  const [transactions, accounts, categories, rates, preferences, mine] = await Promise.all([
    ok(listTransactions, { as }),
    ok(getUserAccounts, { as }),
    ok(listCategories, { as }),
    ok(listExchangeRates, { as }),
    ok(getPreferences, { as }),
    ok(getOwnCurrencies, { as }),
  ])
  return {
    transactions: transactions.count,
    accounts: accounts.accounts
      .filter(({ permission }) => permission === 'owner')
      .map(({ balance }) => balance),
    categories: categories.count,
    rates: rates.count,
    weekStart: preferences.weekStart,
    currencies: mine.currencies.filter(({ chosen }) => chosen).length,
  }
}

const ALL = {
  transactions: 11,
  accounts: ['9.00', '53.00', '22.00'],
  categories: 2,
  rates: 1,
  weekStart: 'sunday',
  currencies: 1,
}

describe('a wipe', () => {
  it('is due in seven days, shown until then, and told by mail', async () => {
    const [me, other] = [await newUser(), await newUser()]
    expect((await call(getWipe, { as: me })).error.code).toBe('user.wipeNotScheduled')
    const service = serviceWithMail()
    const json = { kinds: ['categories', 'transactions', 'categories'], password: me.password }
    const { status, body, headers } = await service.call<{ dueAt: string; requestedAt: string }>(
      wipeData,
      { as: me, json },
    )
    expect([status, body]).toMatchObject([202, { kinds: ['transactions', 'categories'] }])
    expect(Date.parse(body.dueAt) - Date.parse(body.requestedAt)).toBe(7 * DAY)
    expect(headers.get('Server-Timing')).toContain('2 trips')
    expect(await ok(getWipe, { as: me })).toEqual(body)
    expect(await service.letters()).toMatchObject([
      { to: me.email, subject: 'Data of your Coffer account will be erased' },
    ])
    expect((await call(getWipe, { as: other })).status).toBe(404)
  })

  it('touches nothing before its time, however often it is delivered', async () => {
    const { me } = await oldOwners()
    await ask(me, ['accounts', 'categories'])
    await deliver(me, { days: 6.9 })
    expect(await holdingsOf(me)).toEqual(ALL)
    expect((await taskOf(me))?.state).toBe('queued')
  })

  it.each<[WipeKind, object]>([
    ['transactions', { transactions: 1, accounts: ['0.00', '100.00', '0.00'] }],
    ['accounts', { transactions: 0, accounts: [] }],
    ['categories', {}],
    ['exchangeRates', { rates: 0 }],
    ['preferences', { weekStart: 'monday', currencies: 0 }],
  ])('of %s erases those, and nothing else', async (kind, changed) => {
    const { me, other } = await oldOwners()
    const before = mentioning(await dump(), [other.id, other.word])
    await ask(me, [kind])
    await deliver(me)
    expect(await holdingsOf(me)).toEqual({ ...ALL, ...changed })
    expect(mentioning(await dump(), [other.id, other.word])).toEqual(before)
    expect(await taskOf(me)).toBeUndefined()
    expect((await call(getWipe, { as: me })).status).toBe(404)
    await checkLedger.run(contextWith(), {}, [])
    const [checked] = await rows<{ facts: string }>(
      "SELECT facts FROM log_entries WHERE type = 'ledger.checked' ORDER BY number DESC LIMIT 1",
    )
    expect(new Set(Object.values(JSON.parse(checked?.facts ?? '') as object))).toEqual(new Set([0]))
  })

  it('of everything leaves nothing of it, in the trash either', async () => {
    const { me } = await oldOwners()
    await ask(me, [...WIPE_KINDS].toReversed())
    await deliver(me)
    const {
      users: _users,
      tasks: _tasks,
      sessions: _sessions,
      ...rest
    } = mentioning(await dump(), [me.id, me.word, me.one, me.two, me.trashed])
    expect(Object.keys(rest).toSorted()).toEqual([
      // What others share with them is not theirs.
      'account_choices',
      // An archive that was sent may be what is restored next.
      'backup_upload_parts',
      'backup_uploads',
      // Nor are groups data to be wiped: one leaves them, or deletes them.
      'group_invites',
      'group_members',
      'groups',
      // An area ends it with what the user has it listen for.
      'log_listeners',
      'one_time_tokens',
      // What was restored from an archive, and when: no data of it.
      'restored_rows',
      'restores',
      'shares',
      'user_currencies',
      'user_preferences',
      'user_roles',
      // Nor are webhooks: they are deleted, or are told what is wiped.
      'webhook_deliveries',
      'webhooks',
    ])
    expect((await ok(getPreferences, { as: me })).defaultAccountId).toBe(null)
  })

  it('of recurring items ends what the user listens for because of them', async () => {
    const me = await newUser()
    await waitingItem(me, await newAccount(me))
    await rows('UPDATE recurring SET created_at = created_at - 60000 WHERE owner_id = ?', me.id)
    const listeners = () => rows('SELECT reader FROM log_listeners WHERE owner_id = ?', me.id)
    expect(await listeners()).toEqual([{ reader: 'recurring.links' }])
    await ask(me, ['recurring'])
    await deliver(me)
    expect(await rows('SELECT 1 FROM recurring WHERE owner_id = ?', me.id)).toEqual([])
    expect(await listeners()).toEqual([])
  })

  it('of files takes them out of the bucket, but those that came since', async () => {
    const [me, other] = [await newUser(), await newUser()]
    const [old, trashed] = [await putFile(me, 'old'), await putFile(me, 'old', { deleted_at: 2 })]
    const theirs = await putFile(other, 'theirs')
    await ask(me, ['files'])
    const since = await putFile(me, 'since', { created_at: Date.now() + DAY })
    await deliver(me)
    const left = await rows<{ id: string }>(
      'SELECT id FROM attachments WHERE owner_id IN (?, ?)',
      me.id,
      other.id,
    )
    expect(left.map(({ id }) => id).toSorted()).toEqual([theirs, since].toSorted())
    const found = await Promise.all(
      [old, trashed, theirs, since].map((id) => env.FILES.head(`files/${id}`)),
    )
    expect(found.map((object) => object !== null)).toEqual([false, false, true, true])
  })

  it('of payees and tags leaves those that a transaction has', async () => {
    const { me } = await oldOwners()
    await ok(createPayee, { as: me, json: { name: 'Unused', aliases: ['NOT USED'] } })
    await ok(createTag, { as: me, json: { name: 'Unused' } })
    await ask(me, ['payees', 'tags'])
    await deliver(me)
    const { payees } = await ok(listPayees, { as: me })
    const { tags } = await ok(listTags, { as: me })
    expect([...payees, ...tags].map(({ name }) => name)).toEqual([
      `Baker ${me.word}`,
      `Trip ${me.word}`,
    ])
    expect(await holdingsOf(me)).toEqual(ALL)
  })

  it('of transactions leaves no valuation, as its adjustment goes', async () => {
    const { me } = await oldOwners()
    await ask(me, ['transactions'])
    expect((await ok(listValuations, { as: me })).count).toBe(1)
    await deliver(me)
    expect((await ok(listValuations, { as: me })).count).toBe(0)
    expect((await holdingsOf(me)).accounts).toContain('0.00')
  })

  it('leaves what came after it was asked for, and what that needs', async () => {
    const { me } = await oldOwners()
    await ask(me, ['accounts', 'categories', 'preferences'])
    // Later in the seven days, as nothing of them is over in a test.
    const service = serviceWith({ ahead: 1000 })
    const expense = { kind: 'expense', accountId: me.one, date: '2026-05-01', amount: '7' }
    const json = { ...expense, categoryId: me.child }
    expect((await service.call(createTransaction, { as: me, json })).status).toBe(201)
    await service.call(createCategory, { as: me, json: { name: 'New', kind: 'income' } })
    await service.call(updatePreferences, { as: me, json: { periodStartDay: 5 } })
    await deliver(me)
    expect(await holdingsOf(me)).toEqual({
      transactions: 2,
      accounts: ['93.00'],
      categories: 3,
      rates: 1,
      weekStart: 'sunday',
      currencies: 0,
    })
  })

  it('leaves a transfer that was matched after it was asked for the rows that it stands for', async () => {
    const { me, out, into } = await newHalves()
    const [from, to] = [await out(), await into()]
    await age(me)
    const before = await stored(me)
    await ask(me, ['transactions'])
    const service = serviceWith({ ahead: 1000 })
    const json = { fromTransactionId: from.id, toTransactionId: to.id }
    const { body } = await service.call<{ id: string }>(matchTransfer, { as: me, json })
    await deliver(me)
    await unmatch(me, body)
    expect(await stored(me)).toEqual(before)
  })

  it('leaves what became a transfer after it was asked for the row that it was', async () => {
    const { me, two, out } = await newHalves()
    const row = await out()
    await age(me)
    const before = await stored(me)
    await ask(me, ['transactions'])
    const service = serviceWith({ ahead: 1000 })
    const json = { accountId: two.id }
    await service.call(convertToTransfer, { as: me, id: row.id, json })
    await deliver(me)
    await revert(me, row)
    expect(await stored(me)).toEqual(before)
  })

  it('goes on where it was killed', async () => {
    const { me } = await oldOwners()
    await ask(me, ['accounts', 'categories', 'exchangeRates'])
    for (let at = 3; at < 20; at += 2) {
      const DB = databaseWith((trip, run) =>
        trip === at ? Promise.reject(new Error('killed')) : run(),
      )
      await deliver(me, { days: at, bindings: { ...env, DB } })
      await rows(
        "UPDATE tasks SET attempts = 0, state = 'queued', next_attempt_at = 0 WHERE dedupe_key = ?",
        `user.wipe ${me.id}`,
      )
    }
    await deliver(me, { days: 30 })
    expect(await holdingsOf(me)).toEqual({
      transactions: 0,
      accounts: [],
      categories: 0,
      rates: 0,
      weekStart: 'sunday',
      currencies: 1,
    })
    expect(await taskOf(me)).toBeUndefined()
  })

  it('of very much is done in several tasks, one after the other', async () => {
    const me = await newUser()
    await rows(
      `INSERT INTO accounts (id, owner_id, name, name_key, type, currency, on_budget,
          include_in_net_worth, opening_date, created_at, updated_at)
        SELECT ?1 || value, ?1, value, value, 'cash', 'EUR', 1, 1, '2026-01-01', 0, 0 FROM json_each(?2)`,
      me.id,
      JSON.stringify(Array.from({ length: 2501 }, (_, at) => at)),
    )
    await ask(me, ['accounts'])
    const first = await taskOf(me)
    await deliver(me)
    const left = () => rows('SELECT 1 FROM accounts WHERE owner_id = ?', me.id)
    expect(await left()).toHaveLength(1)
    const second = await taskOf(me)
    expect(second).toMatchObject({
      state: 'queued',
      id: expect.not.stringMatching(`^${first?.id}$`),
    })
    expect((await ok(getWipe, { as: me })).kinds).toEqual(['accounts'])
    await deliver(me, { days: 8 })
    expect([await left(), await taskOf(me)]).toEqual([[], undefined])
  })

  it('can be asked for again once it is done', async () => {
    const me = await newUser()
    await ask(me, ['transactions'])
    await deliver(me)
    expect((await ask(me, ['transactions'])).status).toBe(202)
  })

  it('is scheduled once, however many ask at the same moment', async () => {
    const me = await newUser()
    const answers = await Promise.all(Array.from({ length: 5 }, () => ask(me, ['categories'])))
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(1)
    for (const { status, error } of answers.filter(({ status }) => status !== 202)) {
      expect([status, error.code]).toEqual([409, 'user.wipeScheduled'])
    }
  })

  it('answers a repeated request with the same key the same', async () => {
    const as = await newUser()
    const headers = { 'Idempotency-Key': crypto.randomUUID() }
    const json = { kinds: ['categories' as const], password: as.password }
    const first = await call(wipeData, { as, json, headers })
    expect(await call(wipeData, { as, json, headers })).toMatchObject({
      status: 202,
      text: first.text,
    })
  })

  it('needs the password, and counts who does not know it', async () => {
    const me = await newUser()
    for (let at = 0; at < 10; at++) {
      const { status, error } = await ask(me, ['categories'], 'a wrong password')
      expect([status, error.code, error.field]).toEqual([400, 'auth.wrongPassword', 'password'])
    }
    expect((await ask(me, ['categories'])).status).toBe(429)
  })

  it.each([
    [{}, 'kinds'],
    [{ kinds: [] }, 'kinds'],
    [{ kinds: ['users'] }, 'kinds.0'],
    [{ kinds: ['accounts'], dueAt: 'now' }, 'dueAt'],
  ])('refuses %j', async (json, field) => {
    const raw = { body: JSON.stringify(json) }
    const { status, error } = await call(wipeData, { as: await newUser(), raw })
    expect([status, error.code, error.field]).toEqual([400, 'request.invalid', field])
  })
})

describe('undoing a wipe', () => {
  it('leaves everything as it is', async () => {
    const { me } = await oldOwners()
    const other = await newUser()
    await ask(me, ['accounts', 'categories'])
    await ask(other, ['accounts'])
    const { id = '' } = (await taskOf(me)) ?? {}
    expect((await call(undoWipe, { as: me })).status).toBe(204)
    expect((await call(getWipe, { as: me })).status).toBe(404)
    expect((await call(getWipe, { as: other })).status).toBe(200)
    const again = await call(undoWipe, { as: me })
    expect([again.status, again.error.code]).toEqual([404, 'user.wipeNotScheduled'])
    expect(await rows('SELECT 1 FROM tasks WHERE id = ?', id)).toEqual([])
    expect(await holdingsOf(me)).toEqual(ALL)
    expect((await ask(me, ['accounts'])).status).toBe(202)
  })

  it.each([
    ['before', false],
    ['after', true],
  ])('is too late once it runs, also %s looking', async (_, isSlow) => {
    const me = await newUser()
    await ask(me, ['accounts'])
    const start = () =>
      rows("UPDATE tasks SET state = 'running' WHERE dedupe_key = ?", `user.wipe ${me.id}`)
    const service = serviceWith(isSlow ? { meanwhile: start } : {})
    await (isSlow ? undefined : start())
    const { status, error } = await service.call(undoWipe, { as: me })
    expect([status, error.code]).toEqual([409, 'user.wipeRunning'])
    expect((await taskOf(me))?.state).toBe('running')
  })

  it('is not told to be too late where it was undone meanwhile', async () => {
    const me = await newUser()
    await ask(me, ['accounts'])
    const service = serviceWith({ meanwhile: () => ok(undoWipe, { as: me }) })
    const { status, error } = await service.call(undoWipe, { as: me })
    expect([status, error.code]).toEqual([404, 'user.wipeNotScheduled'])
  })

  it('that came between two tries stops the rest', async () => {
    const { me } = await oldOwners()
    await ask(me, ['accounts', 'categories', 'exchangeRates'])
    const DB = databaseWith(async (trip, run) => {
      // What was running is gone: its lease was lost, and somebody undid the rest.
      await (trip === 6 ? rows('DELETE FROM tasks WHERE dedupe_key = ?', `user.wipe ${me.id}`) : 0)
      return run()
    })
    await deliver(me, { bindings: { ...env, DB } })
    expect((await holdingsOf(me)).rates).toBe(1)
  })

  it('stops a run that has begun', async () => {
    const { me } = await oldOwners()
    await ask(me, ['exchangeRates'])
    const [task] = await rows<{ payload: string }>(
      'SELECT payload FROM tasks WHERE dedupe_key = ?',
      `user.wipe ${me.id}`,
    )
    await ok(undoWipe, { as: me })
    const run = wipe(contextWith(), JSON.parse(task?.payload ?? ''), [])
    await expect(run).rejects.toMatchObject({ code: 'user.wipeUndone' })
    expect(await holdingsOf(me)).toEqual(ALL)
  })

  it('needs no account to be left', async () => {
    const me = await newUser()
    await newAccount(me)
    await age(me)
    await ask(me, ['accounts'])
    await deliver(me)
    expect((await ok(getUserAccounts, { as: me })).accounts).toEqual([])
  })
})
