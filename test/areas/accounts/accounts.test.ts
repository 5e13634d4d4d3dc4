import { describe, expect, it } from 'vitest'
import {
  createAccount,
  getAccountByID,
  getUserAccounts,
  deleteAccount,
  updateAccount,
} from '../../../src/areas/money/accounts/accounts.routes.ts'
import { deleteTransaction } from '../../../src/areas/money/transactions/transactions.routes.ts'
import { eraseFromTrash } from '../../../src/areas/money/trash/trash.routes.ts'
import { call, ok, rows } from '../../support/api.ts'
import { serviceWith } from '../../support/service.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { book, refusal } from '../transactions/booking.ts'

const FIXED = [409, 'accounts.currencyFixed', 'currency']

const trips = (headers: Headers) => /(\d+) trips/.exec(headers.get('Server-Timing') ?? '')?.[1]

describe('opening an account', () => {
  it('answers with what was asked and what follows from it', async () => {
    const me = await newUser()
    const { body, status, headers } = await call(createAccount, {
      as: me,
      json: {
        name: '  Visa ',
        type: 'creditCard',
        currency: 'USD',
        openingBalance: '-120.5',
        openingDate: '2026-01-31',
        number: '4111111111111234',
        iban: 'de89 3704 0044 0532 0130 00',
        creditLimit: '5000',
        statementDay: 3,
        dueDay: 25,
        interestRate: '19.99',
        color: '#aa00ff',
        icon: 'card',
        order: 7,
        note: 'For travel',
        institution: 'First National',
      },
    })
    expect(status).toBe(201)
    expect(trips(headers)).toBe('2')
    expect(body).toMatchObject({
      name: 'Visa',
      class: 'liability',
      onBudget: true,
      includeInNetWorth: true,
      balance: '-120.50',
      clearedBalance: '-120.50',
      reconciledBalance: '0.00',
      openingBalance: '-120.50',
      openingDate: '2026-01-31',
      number: '•••• 1234',
      iban: 'DE89370400440532013000',
      creditLimit: '5000.00',
      status: 'open',
      permission: 'owner',
      ownerId: me.id,
      transactionCount: 1,
      lastTransactionDate: '2026-01-31',
      version: 1,
    })
    expect(await ok(getAccountByID, { as: me, id: body.id })).toEqual({
      ...body,
      failingAssertions: 0,
    })
    const stored = await rows('SELECT * FROM accounts WHERE id = ?', body.id)
    expect(JSON.stringify(stored)).not.toContain('411111')
  })

  it('keeps exactly the digits of its currency', async () => {
    const me = await newUser()
    for (const [currency, given, balance] of [
      ['JPY', '1200', '1200'],
      ['BHD', '0.125', '0.125'],
      ['CLF', '0.0001', '0.0001'],
      ['EUR', '-0', '0.00'],
      ['EUR', '90071992547409.91', '90071992547409.91'],
    ] as const) {
      const account = await newAccount(me, { currency, openingBalance: given })
      expect([account.balance, account.openingBalance]).toEqual([balance, balance])
    }
    for (const [currency, given] of [
      ['JPY', '1.0'],
      ['BHD', '0.0001'],
      ['EUR', '1.005'],
      ['EUR', '90071992547409.92'],
      ['EUR', '1e2'],
      ['EUR', ''],
    ] as const) {
      const json = { name: 'x', type: 'cash' as const, currency, openingBalance: given }
      const { status, error } = await call(createAccount, { as: me, json })
      expect([status, error.field]).toEqual([400, 'openingBalance'])
    }
  })

  it.each([
    ['a number instead of text', { openingBalance: 1.5 }, 'openingBalance'],
    ['an unknown type', { type: 'piggyBank' }, 'type'],
    ['a currency that is not one', { currency: 'XXZ' }, 'currency'],
    ['a currency of the past', { currency: 'BGN' }, 'currency'],
    ['an unknown key', { accountGroupId: 'grp_1' }, 'accountGroupId'],
    ['an empty name', { name: ' ' }, 'name'],
    ['a name that is too long', { name: 'x'.repeat(101) }, 'name'],
    ['an impossible date', { openingDate: '2026-02-29' }, 'openingDate'],
    ['a wrong IBAN', { iban: 'DE89370400440532013001' }, 'iban'],
    ['a 32nd day', { dueDay: 32 }, 'dueDay'],
    ['a negative limit', { creditLimit: '-1' }, 'creditLimit'],
  ])('refuses %s and leaves nothing behind', async (_, wrong, field) => {
    const me = await newUser()
    const json = { name: 'Fine', type: 'cash', currency: 'EUR', ...wrong }
    const { status, error } = await call(createAccount, {
      as: me,
      raw: { body: JSON.stringify(json) },
    })
    expect([status, error.field]).toEqual([400, field])
    expect((await ok(getUserAccounts, { as: me })).count).toBe(0)
  })

  it('refuses a name twice, whatever its case, but frees that of a deleted account', async () => {
    const me = await newUser()
    const first = await newAccount(me, { name: 'Straße' })
    const again = { name: ' STRASSE', type: 'cash' as const, currency: 'EUR' }
    const { status, error } = await call(createAccount, { as: me, json: again })
    expect([status, error.code]).toEqual([409, 'accounts.nameTaken'])
    await newAccount(await newUser(), { name: 'Straße' })
    await ok(deleteAccount, { as: me, id: first.id })
    expect((await call(createAccount, { as: me, json: again })).status).toBe(201)
  })

  it('takes today from the time zone of the user', async () => {
    const east = await newAccount(await newUser({ timeZone: 'Pacific/Kiritimati' }))
    const west = await newAccount(await newUser({ timeZone: 'Pacific/Pago_Pago' }))
    expect(east.openingDate > west.openingDate).toBe(true)
  })
})

describe('changing an account', () => {
  it('changes only what is sent, and null clears', async () => {
    const me = await newUser()
    const account = await newAccount(me, { note: 'old', icon: 'bank', openingBalance: '10' })
    const changed = await ok(updateAccount, {
      as: me,
      id: account.id,
      json: { name: 'New', note: null },
    })
    expect(changed).toEqual({
      ...account,
      name: 'New',
      note: null,
      version: 2,
      updatedAt: changed.updatedAt,
    })
  })

  it('takes no opening balance with more decimals than its currency has', async () => {
    const me = await newUser()
    const { id, openingBalance } = await newAccount(me, { openingBalance: '10' })
    const { status, error } = await call(updateAccount, {
      ...{ as: me, id, json: { openingBalance: '1.005' } },
    })
    expect([status, error.code, error.field]).toEqual([
      400,
      'money.tooManyDigits',
      'openingBalance',
    ])
    expect((await ok(getAccountByID, { as: me, id })).openingBalance).toBe(openingBalance)
  })

  it('rebooks the opening balance, takes it back at zero, and books it anew', async () => {
    const me = await newUser()
    const { id } = await newAccount(me, { openingBalance: '10' })
    const set = (json: object) => ok(updateAccount, { as: me, id, json })
    expect(await set({ openingBalance: '-3.5', openingDate: '2020-05-01' })).toMatchObject({
      balance: '-3.50',
      clearedBalance: '-3.50',
      openingBalance: '-3.50',
      lastTransactionDate: '2020-05-01',
      transactionCount: 1,
    })
    expect(await set({ openingBalance: '0' })).toMatchObject({
      balance: '0.00',
      transactionCount: 0,
      lastTransactionDate: null,
    })
    expect(await set({ openingBalance: '7' })).toMatchObject({
      balance: '7.00',
      openingDate: '2020-05-01',
      lastTransactionDate: '2020-05-01',
    })
  })

  it('fixes the currency once there are transactions', async () => {
    const me = await newUser()
    const empty = await newAccount(me)
    const changed = await ok(updateAccount, { as: me, id: empty.id, json: { currency: 'JPY' } })
    expect([changed.currency, changed.balance]).toEqual(['JPY', '0'])
    const used = await newAccount(me, { openingBalance: '1' })
    const refused = await call(updateAccount, { as: me, id: used.id, json: { currency: 'JPY' } })
    expect(refusal(refused)).toEqual(FIXED)
  })

  it('fixes the currency, too, while a transaction is booked or one is in the trash', async () => {
    const me = await newUser()
    const account = await newAccount(me)
    const change = (service = serviceWith({})) =>
      service.call(updateAccount, { as: me, id: account.id, json: { currency: 'JPY' } })
    let id = ''
    const service = serviceWith({ meanwhile: async () => ({ id } = await book(me, account)) })
    expect(refusal(await change(service))).toEqual(FIXED)
    await ok(deleteTransaction, { as: me, id })
    expect(refusal(await change())).toEqual(FIXED)
    await ok(eraseFromTrash, { as: me, path: { kind: 'transaction', id } })
    expect((await change()).status).toBe(200)
  })

  it('asks for the credit limit again with another currency', async () => {
    const me = await newUser()
    const { id } = await newAccount(me, { type: 'creditCard', creditLimit: '1000' })
    const kept = await call(updateAccount, { as: me, id, json: { currency: 'JPY' } })
    expect([kept.status, kept.error.field]).toEqual([400, 'creditLimit'])
    const sent = await ok(updateAccount, {
      as: me,
      id,
      json: { currency: 'JPY', creditLimit: '90000' },
    })
    expect(sent.creditLimit).toBe('90000')
  })

  it('lets one of 50 parallel changes of a version through', async () => {
    const me = await newUser()
    const account = await newAccount(me)
    const { headers } = await call(getAccountByID, { as: me, id: account.id })
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, at) =>
        call(updateAccount, {
          as: me,
          id: account.id,
          json: { name: `Name ${at}` },
          headers: { 'If-Match': headers.get('ETag') ?? '' },
        }),
      ),
    )
    const statuses = answers.map(({ status }) => status).toSorted()
    expect(statuses).toEqual([200, ...Array.from({ length: 49 }, () => 412)])
    expect((await ok(getAccountByID, { as: me, id: account.id })).version).toBe(2)
  })

  it('refuses the name of another account', async () => {
    const me = await newUser()
    await newAccount(me, { name: 'Taken' })
    const { id } = await newAccount(me)
    const { status, error } = await call(updateAccount, { as: me, id, json: { name: 'taken' } })
    expect([status, error.code]).toEqual([409, 'accounts.nameTaken'])
  })
})

describe('seeing and deleting accounts', () => {
  it('shows each user the own accounts in their order', async () => {
    const me = await newUser()
    await newAccount(me, { name: 'Zebra' })
    await newAccount(me, { name: 'apple' })
    await newAccount(me, { name: 'First', order: -1 })
    const { body, headers } = await call(getUserAccounts, { as: me })
    expect(body.accounts.map(({ name }) => name)).toEqual(['First', 'apple', 'Zebra'])
    expect([body.count, trips(headers)]).toEqual([3, '1'])
    expect(await ok(getUserAccounts, { as: await newUser() })).toEqual({ accounts: [], count: 0 })
  })

  it('cannot be told from nothing by anybody else', async () => {
    const mine = await newAccount(await newUser())
    const stranger = await newUser()
    const ask = (id: string) =>
      Promise.all([
        call(getAccountByID, { as: stranger, id }),
        call(updateAccount, { as: stranger, id, json: { name: 'Mine' } }),
        call(deleteAccount, { as: stranger, id }),
      ])
    const foreign = await ask(mine.id)
    const unknown = await ask('acc_01k9v3q8m5t0w2x4y6z8a1b3c5')
    foreign.forEach(({ status, error }, at) => {
      expect([status, error.code]).toEqual([404, 'accounts.notFound'])
      expect({ ...error, requestId: '' }).toEqual({ ...unknown[at]?.error, requestId: '' })
    })
  })

  it('hides a deleted account, and honours If-Match', async () => {
    const me = await newUser()
    const { id } = await newAccount(me, { openingBalance: '5' })
    const stale = await call(deleteAccount, { as: me, id, headers: { 'If-Match': '"9-x"' } })
    expect([stale.status, stale.error.code]).toEqual([412, 'request.stale'])
    expect((await ok(deleteAccount, { as: me, id })).message).toContain('trash')
    expect((await call(getAccountByID, { as: me, id })).status).toBe(404)
    expect((await call(deleteAccount, { as: me, id })).status).toBe(404)
    const [kept] = await rows<{ n: number }>(
      'SELECT count(*) n FROM entries WHERE account_id = ?',
      id,
    )
    expect(kept?.n).toBe(2)
  })

  it('answers 304 until the account or its balance changes', async () => {
    const me = await newUser()
    const { id } = await newAccount(me)
    const first = await call(getAccountByID, { as: me, id })
    const headers = { 'If-None-Match': first.headers.get('ETag') ?? '' }
    expect((await call(getAccountByID, { as: me, id, headers })).status).toBe(304)
    await ok(updateAccount, { as: me, id, json: { openingBalance: '1' } })
    expect((await call(getAccountByID, { as: me, id, headers })).status).toBe(200)
  })
})

it.each([
  ['creditCard', '150', true],
  ['loan', '0.01', true],
  ['mortgage', '-150', false],
  ['creditCard', '0', false],
  ['checking', '150', false],
] as const)('a %s that opens at %s is warned about: %s', async (type, openingBalance, isWarned) => {
  const me = await newUser()
  const opened = await newAccount(me, { type, openingBalance })
  const codes = (body: { warnings?: { code: string }[] | undefined }) =>
    body.warnings?.map(({ code }) => code)
  const warned = isWarned ? ['accounts.opensInCredit'] : undefined
  expect(codes(opened)).toEqual(warned)
  const changed = await ok(updateAccount, { as: me, id: opened.id, json: { openingBalance: '-2' } })
  expect(codes(changed)).toBe(undefined)
  const back = await ok(updateAccount, { as: me, id: opened.id, json: { openingBalance } })
  expect(codes(back)).toEqual(warned)
  expect(codes(await ok(getAccountByID, { as: me, id: opened.id }))).toBe(undefined)
})
