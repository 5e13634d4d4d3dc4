import { describe, expect, it } from 'vitest'
import {
  createTransaction,
  getTransaction,
  listTransactions,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import { call, ok, rows } from '../../support/api.ts'
import { serviceWith } from '../../support/service.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { eventsOf } from '../ledger/events.ts'
import { differencesOf } from '../ledger/ledger.ts'
import {
  balanceOf,
  book,
  change,
  close,
  expenseOn,
  newCategory,
  REFUSED_AMOUNTS,
  refusal,
  type TransactionInput,
  tripsOf,
} from './booking.ts'

async function newBooks(currency = 'EUR') {
  const me = await newUser()
  return { me, account: await newAccount(me, { currency }) }
}

const MANY = Array.from({ length: 50 })

describe('recording a transaction', () => {
  it('keeps all that was sent, and answers what a reader finds', async () => {
    const { me, account } = await newBooks()
    const category = await newCategory(me)
    const json = expenseOn(account, {
      amount: '12.3',
      description: 'Dinner',
      time: '18:45',
      originalAmount: '2000',
      originalCurrency: 'JPY',
      rate: '0.00615000',
      payeeRaw: 'RAMEN BAR  ﾗｰﾒﾝ',
      categoryId: category.id,
      status: 'cleared',
      reviewed: true,
      externalId: 'bank-1',
      note: 'With Grace',
      location: { lat: 53.3438, lon: -6.2546, name: 'Dublin' },
      metadata: { trip: { city: 'Dublin', days: [1, 2.5] }, ünïcode: '🦊' },
      private: true,
      excludeFromReports: true,
    })
    const created = await call(createTransaction, { as: me, json })
    expect(created.status).toBe(201)
    expect(created.body).toMatchObject({
      ...json,
      amount: '12.30',
      signedAmount: '-12.30',
      currency: 'EUR',
      rate: '0.00615',
      splits: [],
      transferId: null,
      counterAccountId: null,
      source: 'user',
      createdBy: me.id,
      version: 1,
    })
    expect(created.body.id).toMatch(/^txn_/)
    const found = await call(getTransaction, { as: me, id: created.body.id })
    expect(found.body).toEqual(created.body)
    expect(found.headers.get('ETag')).toBe(created.headers.get('ETag'))
    expect(await balanceOf(me, account)).toBe('-12.30')
    expect(await differencesOf(me)).toEqual([])
  })

  it('fills in what was left out', async () => {
    const { me, account } = await newBooks()
    expect(await book(me, account)).toMatchObject({
      description: '',
      time: null,
      originalAmount: null,
      originalCurrency: null,
      rate: null,
      payeeRaw: null,
      categoryId: null,
      status: 'uncleared',
      reviewed: false,
      externalId: null,
      note: null,
      location: null,
      metadata: null,
      private: false,
    })
  })

  it.each([
    ['expense', '5', '5.00', '-5.00'],
    ['income', '5', '5.00', '5.00'],
    ['adjustment', '5', '5.00', '5.00'],
    ['adjustment', '-5', '5.00', '-5.00'],
  ] as const)('of kind %s and amount %s shows %s, and moves the balance by %s', async (...row) => {
    const [kind, amount, shown, moved] = row
    const { me, account } = await newBooks()
    const { amount: seen, signedAmount } = await book(me, account, { kind, amount })
    expect([seen, signedAmount, await balanceOf(me, account)]).toEqual([shown, moved, moved])
    expect(await differencesOf(me)).toEqual([])
  })

  it('splits it into parts that add up exactly, one of them a refund', async () => {
    const { me, account } = await newBooks()
    const [food, home] = [await newCategory(me), await newCategory(me)]
    const created = await book(me, account, {
      splits: [
        { amount: '10', categoryId: food.id, note: 'cheese' },
        { amount: '-1.70' },
        { amount: '4.00', categoryId: home.id },
      ],
    })
    expect(created.categoryId).toBeNull()
    expect(
      created.splits.map(({ amount, categoryId, note }) => ({ amount, categoryId, note })),
    ).toEqual([
      { amount: '10.00', categoryId: food.id, note: 'cheese' },
      { amount: '-1.70', categoryId: null, note: null },
      { amount: '4.00', categoryId: home.id, note: null },
    ])
    expect(new Set(created.splits.map(({ id }) => id)).size).toBe(3)
    expect(await ok(getTransaction, { as: me, id: created.id })).toEqual(created)
    expect(await differencesOf(me)).toEqual([])
  })

  it('takes 100 parts', async () => {
    const { me, account } = await newBooks()
    const splits = Array.from({ length: 100 }, () => ({ amount: '0.01' }))
    expect((await book(me, account, { amount: '1', splits })).splits).toHaveLength(100)
    const json = expenseOn(account, { amount: '1.01', splits: [...splits, { amount: '0.01' }] })
    const refused = await call(createTransaction, { as: me, json })
    expect(refusal(refused)).toEqual([400, 'request.invalid', 'splits'])
  })

  it('tells the log one event, with all that was booked', async () => {
    const { me, account } = await newBooks()
    const [food, fun] = [await newCategory(me), await newCategory(me)]
    const { id } = await book(me, account, {
      note: 'n',
      location: { lat: 1, lon: 2, name: 'there' },
      metadata: { a: 1 },
      splits: [
        { amount: '14', categoryId: food.id, note: 'Cheese' },
        { amount: '-1.70', categoryId: fun.id },
      ],
    })
    const [event, ...others] = await eventsOf(id)
    expect(others).toEqual([])
    expect(event).toMatchObject({
      type: 'transaction.created',
      resourceType: 'transaction',
      accountId: account.id,
      ownerId: me.id,
      version: 1,
      isInHistory: false,
    })
    expect(event?.content).toEqual({
      after: {
        kind: 'expense',
        date: '2026-11-20',
        amountMinor: -1230,
        status: 'uncleared',
        note: 'n',
        location: { lat: 1, lon: 2, name: 'there' },
        metadata: { a: 1 },
        splits: [
          { line: 2, amountMinor: 1400, categoryId: food.id, note: 'Cheese' },
          { line: 3, amountMinor: -170, categoryId: fun.id },
        ],
      },
    })
  })

  it('takes two trips to the database, also for what is there already', async () => {
    const { me, account } = await newBooks()
    const json = expenseOn(account, { externalId: 'x' })
    const first = await call(createTransaction, { as: me, json })
    const second = await call(createTransaction, { as: me, json })
    expect([tripsOf(first), tripsOf(second)]).toEqual([2, 2])
  })
})

describe('an amount', () => {
  it.each(['0.01', '1', '1.0', '1.00', '1234567.89', '90071992547409.91'])(
    'of %s euro is taken',
    async (amount) => {
      const { me, account } = await newBooks()
      const { status, body } = await call(createTransaction, {
        as: me,
        json: expenseOn(account, { amount }),
      })
      expect([status, Number(body.amount)]).toEqual([201, Number(amount)])
    },
  )

  it.each([
    ['JPY', '1', '1'],
    ['BHD', '0.001', '0.001'],
    ['CLF', '0.0001', '0.0001'],
  ])('in %s goes down to %s', async (currency, amount, shown) => {
    const { me, account } = await newBooks(currency)
    expect((await book(me, account, { amount })).amount).toBe(shown)
    for (const finer of [`${amount.includes('.') ? amount : `${amount}.`}5`, `${amount}e0`]) {
      const json = expenseOn(account, { amount: finer })
      expect((await call(createTransaction, { as: me, json })).status, finer).toBe(400)
    }
  })

  it('that is none, or zero, or negative, or too large, or too fine is refused by its field', async () => {
    const { me, account } = await newBooks()
    for (const kind of ['expense', 'income', 'adjustment'] as const) {
      for (const amount of [...REFUSED_AMOUNTS, ...(kind === 'adjustment' ? [] : ['-1'])]) {
        const json = expenseOn(account, { kind, amount: amount as string })
        const { status, error } = await call(createTransaction, { as: me, json })
        expect([status, error.field], `${kind} ${JSON.stringify(amount)}`).toEqual([400, 'amount'])
      }
    }
    expect((await ok(listTransactions, { as: me })).count).toBe(0)
  })

  it('of yen has no decimals, not even zeros', async () => {
    const { me, account } = await newBooks('JPY')
    for (const amount of ['100.5', '100.00']) {
      const json = expenseOn(account, { amount })
      const refused = await call(createTransaction, { as: me, json })
      expect(refusal(refused)).toEqual([400, 'money.tooManyDigits', 'amount'])
    }
  })
})

describe('a request is refused', () => {
  const many = (length: number, amount = '1') => Array.from({ length }, () => ({ amount }))
  const cases: [string, Partial<Record<keyof TransactionInput | 'tags', unknown>>, unknown[]][] = [
    ['for a kind that has its own operation', { kind: 'transfer' }, ['request.invalid', 'kind']],
    ['for a kind of the account', { kind: 'opening' }, ['request.invalid', 'kind']],
    ['for a day that is none', { date: '2023-02-29' }, ['request.invalid', 'date']],
    ['for a moment as its day', { date: '2026-11-20T00:00:00Z' }, ['request.invalid', 'date']],
    ['for a time that is none', { time: '24:00' }, ['request.invalid', 'time']],
    ['for an unknown status', { status: 'done' }, ['request.invalid', 'status']],
    ['for an unknown field', { tags: [] }, ['request.invalid', 'tags']],
    ['for one part', { splits: many(1, '12.30') }, ['request.invalid', 'splits']],
    ['for no parts', { splits: [] }, ['request.invalid', 'splits']],
    ['for an original amount alone', { originalAmount: '1' }, ['transactions.originalIncomplete', 'originalCurrency']],
    ['for an original currency alone', { originalCurrency: 'USD' }, ['transactions.originalIncomplete', 'originalAmount']],
    ['for an original amount of zero', { originalAmount: '0', originalCurrency: 'USD' }, ['money.zero', 'originalAmount']],
    ['for an original amount that is too fine', { originalAmount: '0.5', originalCurrency: 'JPY' }, ['money.tooManyDigits', 'originalAmount']],
    ['for an unknown original currency', { originalAmount: '1', originalCurrency: 'XXX' }, ['request.invalid', 'originalCurrency']],
    ['for a rate of zero', { rate: '0' }, ['exchange.malformedRate', 'rate']],
    ['for a rate that is none', { rate: '1e2' }, ['request.invalid', 'rate']],
    ['for an empty external id', { externalId: '' }, ['request.invalid', 'externalId']],
    ['for a long external id', { externalId: 'x'.repeat(201) }, ['request.invalid', 'externalId']],
    ['for a place off the map', { location: { lat: 91, lon: 0, name: '' } }, ['request.invalid', 'location.lat']],
    ['for metadata that is no object', { metadata: [1] }, ['request.invalid', 'metadata']],
    ['for metadata over 4 KiB', { metadata: { x: 'é'.repeat(2045) } }, ['request.invalid', 'metadata']],
    ['for parts that miss the amount', { splits: many(2, '6.14') }, ['transactions.splitSum', 'splits']],
    ['for a part of zero', { splits: [{ amount: '12.30' }, { amount: '0' }] }, ['money.zero', 'splits.1.amount']],
    ['for a part that is too fine', { splits: [{ amount: '12.3' }, { amount: '0.001' }] }, ['money.tooManyDigits', 'splits.1.amount']],
    ['for an id of a part', { splits: [{ amount: '12' }, { amount: '0.3', id: 'spl_1' }] }, ['request.invalid', 'splits.1.id']],
    ['for an unknown category', { categoryId: 'cat_none' }, ['transactions.unknownCategory', 'categoryId']],
    ['for an unknown category on a part', { splits: [{ amount: '12' }, { amount: '0.30', categoryId: 'cat_none' }] }, ['transactions.unknownCategory', 'splits.1.categoryId']],
  ] // prettier-ignore

  it.each(cases)('%s', async (_, wanted, [code, field]) => {
    const { me, account } = await newBooks()
    const json = { ...expenseOn(account), ...wanted } as TransactionInput
    expect(refusal(await call(createTransaction, { as: me, json }))).toEqual([400, code, field])
    expect((await ok(listTransactions, { as: me })).count).toBe(0)
  })

  it.each(['kind', 'accountId', 'date', 'amount'] as const)('without %s', async (field) => {
    const { me, account } = await newBooks()
    const { [field]: _, ...json } = expenseOn(account)
    const refused = await call(createTransaction, { as: me, json: json as TransactionInput })
    expect(refusal(refused)).toEqual([400, 'request.invalid', field])
  })

  it('for a category of another kind, be it on the whole or on a part', async () => {
    const { me, account } = await newBooks()
    const salary = await newCategory(me, 'income')
    const code = 'transactions.categoryKind'
    const post = (wanted: Partial<TransactionInput>) =>
      call(createTransaction, { as: me, json: expenseOn(account, wanted) })
    expect(refusal(await post({ categoryId: salary.id }))).toEqual([400, code, 'categoryId'])
    const splits = [{ amount: '14' }, { amount: '-1.70', categoryId: salary.id }]
    expect(refusal(await post({ splits }))).toEqual([400, code, 'splits.1.categoryId'])
  })

  it("for another user's category exactly like for an unknown one", async () => {
    const { me, account } = await newBooks()
    const foreign = await newCategory(await newUser())
    const post = (categoryId: string) =>
      call(createTransaction, { as: me, json: expenseOn(account, { categoryId }) })
    const [one, other] = [await post(foreign.id), await post('cat_01k9v3q8m5t0w2x4y6z8a1b3c5')]
    expect(refusal(one)).toEqual([400, 'transactions.unknownCategory', 'categoryId'])
    expect(refusal(other)).toEqual(refusal(one))
    expect(other.error.error).toBe(one.error.error)
  })

  it('for a category on the whole and on the parts, and for any on an adjustment', async () => {
    const { me, account } = await newBooks()
    const { id: categoryId } = await newCategory(me)
    const splits = [{ amount: '12' }, { amount: '0.30' }]
    const post = (wanted: Partial<TransactionInput>) =>
      call(createTransaction, { as: me, json: expenseOn(account, wanted) })
    const both = await post({ categoryId, splits })
    expect(refusal(both)).toEqual([400, 'transactions.categoryAndSplits', 'categoryId'])
    const code = 'transactions.categoryOnAdjustment'
    const inParts = await post({ kind: 'adjustment', splits })
    expect(refusal(inParts)).toEqual([400, code, 'splits'])
    const categorised = await post({ kind: 'adjustment', categoryId })
    expect(categorised.status).toBe(400)
  })

  it('for an unknown account exactly like for a foreign one or one in the trash', async () => {
    const { me, account } = await newBooks()
    const other = await newUser()
    const foreign = await newAccount(other)
    await rows('UPDATE accounts SET deleted_at = 1 WHERE id = ?', account.id)
    const answers = await Promise.all(
      [foreign.id, 'acc_01k9v3q8m5t0w2x4y6z8a1b3c5', account.id].map((id) =>
        call(createTransaction, { as: me, json: expenseOn({ id }) }),
      ),
    )
    for (const answer of answers) {
      expect(refusal(answer)).toEqual([400, 'transactions.unknownAccount', 'accountId'])
      expect(answer.error.error).toBe(answers[0]?.error.error)
    }
    expect(await balanceOf(other, foreign)).toBe('0.00')
  })

  it('for a closed account', async () => {
    const { me, account } = await newBooks()
    await close(account)
    const refused = await call(createTransaction, { as: me, json: expenseOn(account) })
    expect(refusal(refused)).toEqual([409, 'transactions.accountClosed'])
    expect(await balanceOf(me, account)).toBe('0.00')
  })

  it.each([
    [
      'closed',
      "UPDATE accounts SET status = 'closed' WHERE id = ?",
      [409, 'transactions.accountClosed'],
    ],
    [
      'put into the trash',
      'UPDATE accounts SET deleted_at = 1 WHERE id = ?',
      [400, 'transactions.unknownAccount', 'accountId'],
    ],
  ])('when the account is %s between reading and booking', async (_, sql, expected) => {
    const { me, account } = await newBooks()
    const { call: callMeanwhile } = serviceWith({ meanwhile: () => rows(sql, account.id) })
    const refused = await callMeanwhile(createTransaction, { as: me, json: expenseOn(account) })
    expect(refusal(refused)).toEqual(expected)
    expect(await rows('SELECT 1 FROM transactions WHERE owner_id = ?', me.id)).toEqual([])
  })

  it('when its category goes between reading and booking', async () => {
    const { me, account } = await newBooks()
    const { id } = await newCategory(me)
    const { call: callMeanwhile } = serviceWith({
      meanwhile: () => rows('DELETE FROM categories WHERE id = ?', id),
    })
    const json = expenseOn(account, { categoryId: id })
    const refused = await callMeanwhile(createTransaction, { as: me, json })
    expect(refusal(refused)).toEqual([400, 'transactions.unknownCategory'])
    expect(await balanceOf(me, account)).toBe('0.00')
  })
})

describe('an external id', () => {
  it('is booked once per account: again answers 200 with what is there, whatever else is sent', async () => {
    const { me, account } = await newBooks()
    const first = await call(createTransaction, {
      as: me,
      json: expenseOn(account, { externalId: 'x' }),
    })
    const again = await call(createTransaction, {
      as: me,
      json: expenseOn(account, { externalId: 'x', amount: '99', kind: 'income' }),
    })
    expect([first.status, again.status]).toEqual([201, 200])
    expect(again.body).toEqual(first.body)
    const elsewhere = await newAccount(me)
    const other = await call(createTransaction, {
      as: me,
      json: expenseOn(elsewhere, { externalId: 'x' }),
    })
    expect(other.status).toBe(201)
    expect((await ok(listTransactions, { as: me })).count).toBe(2)
  })

  it('books one of 50 at the same moment; all get the same transaction', async () => {
    const { me, account } = await newBooks()
    const json = expenseOn(account, { externalId: 'race' })
    const answers = await Promise.all(MANY.map(() => call(createTransaction, { as: me, json })))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(49)
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect(await balanceOf(me, account)).toBe('-12.30')
    expect(await differencesOf(me)).toEqual([])
  })

  it('costs the loser of a race one more trip', async () => {
    const { me, account } = await newBooks()
    const json = expenseOn(account, { externalId: 'race' })
    const { call: callMeanwhile } = serviceWith({
      meanwhile: () => call(createTransaction, { as: me, json }),
    })
    const loser = await callMeanwhile(createTransaction, { as: me, json })
    expect([loser.status, tripsOf(loser)]).toEqual([200, 3])
  })
})

describe('an Idempotency-Key', () => {
  it('books one of 50 at the same moment; all get the same answer', async () => {
    const { me, account } = await newBooks()
    const headers = { 'Idempotency-Key': crypto.randomUUID() }
    const json = expenseOn(account)
    const answers = await Promise.all(
      MANY.map(() => call(createTransaction, { as: me, json, headers })),
    )
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(answers[0]?.status).toBe(201)
    expect(await balanceOf(me, account)).toBe('-12.30')
  })

  it('with an external id answers 201 again, and 200 under another key', async () => {
    const { me, account } = await newBooks()
    const json = expenseOn(account, { externalId: 'x' })
    const post = (key: string) =>
      call(createTransaction, { as: me, json, headers: { 'Idempotency-Key': key } })
    const statuses = []
    for (const key of ['one', 'one', 'two', 'two', 'one']) {
      statuses.push((await post(key)).status)
    }
    expect(statuses).toEqual([201, 201, 200, 200, 201])
    expect(await balanceOf(me, account)).toBe('-12.30')
  })

  it('stands for its body also where the external id was known', async () => {
    const { me, account } = await newBooks()
    const post = (json: TransactionInput) =>
      call(createTransaction, { as: me, json, headers: { 'Idempotency-Key': 'key' } })
    const first = await book(me, account, { externalId: 'x' })
    const repeated = await post(expenseOn(account, { externalId: 'x', amount: '7' }))
    expect([repeated.status, repeated.body, tripsOf(repeated)]).toEqual([200, first, 3])
    const other = await post(expenseOn(account, { amount: '9' }))
    expect(refusal(other)).toEqual([409, 'idempotency.mismatch'])
    await change(me, first, { note: 'later' })
    const again = await post(expenseOn(account, { externalId: 'x', amount: '7' }))
    expect([again.status, again.body]).toEqual([200, first])
    expect(await balanceOf(me, account)).toBe('-12.30')
  })
})

describe('metadata', () => {
  const post = async (metadata: string) => {
    const { me, account } = await newBooks()
    const body = `${JSON.stringify(expenseOn(account)).slice(0, -1)},"metadata":${metadata}}`
    return { me, created: await call(createTransaction, { as: me, raw: { body } }) }
  }

  it.each([
    '{}',
    '{"a":{"b":[{},[],null,true,"",0.1,-5,9007199254740991]}}',
    '{"toString":"x","constructor":{"prototype":1},"hasOwnProperty":2}',
    '{"":"","é":"\\u0001\\ud83e\\udd8a"}',
    `{"x":"${'é'.repeat(2044)}"}`,
  ])('comes back as it was sent: %s', async (metadata) => {
    const { me, created } = await post(metadata)
    const found = await ok(getTransaction, { as: me, id: created.body.id })
    expect(JSON.stringify(found.metadata)).toBe(JSON.stringify(JSON.parse(metadata)))
  })

  it.each(['[]', '"x"', '1', '{"a":1e999}', '{"a":[9007199254740993]}', '{"a":{"__proto__":1}}'])(
    'that could not is refused: %s',
    async (metadata) => {
      const { created } = await post(metadata)
      expect(refusal(created)).toEqual([400, 'request.invalid', 'metadata'])
    },
  )

  it.each(['{"__proto__":{"x":1}}', `{"x":"${'é'.repeat(2045)}"}`])(
    'of %s is refused',
    async (metadata) => {
      expect((await post(metadata)).created.status).toBe(400)
    },
  )
})
