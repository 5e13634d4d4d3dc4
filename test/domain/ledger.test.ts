import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { flowOf } from '../../src/domain/account-flows.ts'
import { isSameBooking, isSameInPlace, isSameMoney } from '../../src/domain/comparing.ts'
import { addressOf, legIdOf, splitIdOf, splitLineOf } from '../../src/domain/ledger-ids.ts'
import {
  MAX_FEES,
  movedMinorOf,
  balanced,
  type Entry,
  expenseCategoriesOf,
  lacksCategory,
  type Leg,
  legOf,
  singleEntries,
  type Split,
  type Status,
  transferEntries,
  transferOf,
} from '../../src/domain/ledger.ts'
import { MAX_MINOR } from '../../src/domain/money.ts'

const CORE = '01k9v3q8m5t0w2x4y6z8a1b3c5'
const OTHER_CORE = '01k9v3q8m5t0w2x4y6z8a1b3c6'
const DATE = '2026-11-20'

const leg = (wanted: Partial<Leg> = {}): Leg => ({
  accountId: 'acc_1',
  ownerId: 'usr_1',
  currency: 'EUR',
  status: 'uncleared',
  externalId: null,
  ...wanted,
})

const invalid = (code: string, field?: string) =>
  expect.objectContaining({ kind: 'invalid', code, field })

const sumsOf = (entries: Entry[]) =>
  [...Map.groupBy(entries, ({ currency }) => currency).values()].map((lines) =>
    lines.reduce((total, { amountMinor }) => total + BigInt(amountMinor), 0n),
  )

const anyMinor = fc.integer({ min: 1, max: MAX_MINOR })
const anyStatus = fc.constantFrom<Status>('pending', 'uncleared', 'cleared', 'reconciled', 'void')
const anyLeg = (accountId: string, currency: string) =>
  fc.record({
    accountId: fc.constant(accountId),
    ownerId: fc.constantFrom('usr_1', 'usr_2'),
    currency: fc.constant(currency),
    status: anyStatus,
    externalId: fc.option(fc.string()),
  })

describe('the entries of a transaction with one account', () => {
  test('take an expense out of the account and put it outside', () => {
    const entries = singleEntries({
      kind: 'expense',
      leg: leg({ externalId: 'bank-1' }),
      date: DATE,
      signedMinor: -1230,
      categoryId: 'cat_1',
      splits: [],
    })
    const shared = { accountId: 'acc_1', ownerId: 'usr_1', currency: 'EUR', status: 'uncleared' }
    expect(entries).toEqual([
      {
        ...shared,
        line: 1,
        side: 'account',
        date: DATE,
        amountMinor: -1230,
        categoryId: null,
        note: null,
        externalId: 'bank-1',
        pair: null,
        payeeRaw: null,
      },
      {
        ...shared,
        line: 2,
        side: 'expense',
        date: DATE,
        amountMinor: 1230,
        categoryId: 'cat_1',
        note: null,
        externalId: null,
        pair: null,
        payeeRaw: null,
      },
    ])
  })

  test('carry each part in the direction of the whole', () => {
    const splits = [
      { amountMinor: 1500, categoryId: 'cat_1', note: 'food' },
      { amountMinor: -270, categoryId: null, note: null },
    ]
    const of = (kind: 'expense' | 'income', signedMinor: number) =>
      singleEntries({ kind, leg: leg(), date: DATE, signedMinor, categoryId: null, splits }).map(
        ({ line, side, amountMinor, categoryId, note }) => [
          line,
          side,
          amountMinor,
          categoryId,
          note,
        ],
      )
    expect(of('expense', -1230)).toEqual([
      [1, 'account', -1230, null, null],
      [2, 'expense', 1500, 'cat_1', 'food'],
      [3, 'expense', -270, null, null],
    ])
    expect(of('income', 1230)).toEqual([
      [1, 'account', 1230, null, null],
      [2, 'income', -1500, 'cat_1', 'food'],
      [3, 'income', 270, null, null],
    ])
  })

  test('are on the side of the expenses where an income has a category of theirs', () => {
    const refund = (kind: 'expense' | 'income' | 'adjustment', categoryIds: (string | null)[]) => {
      const entries = singleEntries({
        ...{ kind, leg: leg(), date: DATE, signedMinor: kind === 'expense' ? -300 : 300 },
        categoryId: categoryIds.length === 1 ? (categoryIds[0] ?? null) : null,
        splits:
          categoryIds.length === 1
            ? []
            : categoryIds.map((categoryId) => ({ amountMinor: 150, categoryId, note: null })),
        expenseCategoryIds: new Set(['clothes', 'food']),
      })
      return entries.map(({ side, amountMinor }) => [side, amountMinor])
    }
    expect(refund('income', ['clothes'])).toEqual([
      ['account', 300],
      ['expense', -300],
    ])
    expect(refund('income', ['salary', 'food'])).toEqual([
      ['account', 300],
      ['income', -150],
      ['expense', -150],
    ])
    expect(refund('income', [null])[1]).toEqual(['income', -300])
    expect(refund('expense', ['food'])[1]).toEqual(['expense', 300])
    expect(refund('adjustment', [null])[1]).toEqual(['adjustment', -300])
  })

  test('tell which of their categories are for expenses', () => {
    const [own, ...parts] = singleEntries({
      ...{ kind: 'income', leg: leg(), date: DATE, signedMinor: 300, categoryId: null },
      splits: ['salary', 'food', null].map((categoryId) => ({
        ...{ amountMinor: 100, categoryId, note: null },
      })),
      expenseCategoryIds: new Set(['food']),
    })
    expect(expenseCategoriesOf(own ? [own, ...parts] : [])).toEqual(['food'])
  })

  test('may change their side in place between incomes and expenses, and no other', () => {
    const of = (categoryId: string | null) =>
      singleEntries({
        ...{ kind: 'income', leg: leg(), date: DATE, signedMinor: 300, categoryId, splits: [] },
        expenseCategoryIds: new Set(['food']),
      })
    expect([isSameMoney(of('food'), of(null)), isSameInPlace(of('food'), of(null))]).toEqual([
      ...[true, true],
    ])
    expect(isSameBooking(of('food'), of(null))).toBe(false)
    const adjusted = of(null).map((line) => ({
      ...line,
      side: line.side === 'income' ? ('adjustment' as const) : line.side,
    }))
    expect(isSameMoney(of(null), adjusted)).toBe(false)
  })

  test('give new parts the numbers after the highest that is kept', () => {
    const part = (amountMinor: number, line?: number): Split => ({
      line,
      amountMinor,
      categoryId: null,
      note: null,
    })
    const linesOf = (splits: Split[]) =>
      singleEntries({
        kind: 'expense',
        leg: leg(),
        date: DATE,
        signedMinor: -300,
        categoryId: null,
        splits,
      }).map(({ line }) => line)
    expect(linesOf([part(100), part(100), part(100)])).toEqual([1, 2, 3, 4])
    expect(linesOf([part(100, 3), part(100), part(100)])).toEqual([1, 3, 4, 5])
    expect(linesOf([part(100), part(100, 9), part(100)])).toEqual([1, 10, 9, 11])
  })

  test('sum to zero for every amount, kind and way to split it', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('expense', 'income', 'adjustment', 'opening'),
        anyLeg('acc_1', 'EUR'),
        fc.array(fc.integer({ min: -1_000_000, max: 1_000_000 }), { maxLength: 100 }),
        anyMinor,
        fc.boolean(),
        (kind, anyOne, amounts, whole, isOut) => {
          const parts = amounts.filter((amount) => amount !== 0)
          const total = parts.reduce((sum, amount) => sum + amount, 0)
          fc.pre(parts.length === 0 || total > 0)
          const magnitude = parts.length === 0 ? whole : total
          const entries = singleEntries({
            kind,
            leg: anyOne,
            date: DATE,
            signedMinor: isOut ? -magnitude : magnitude,
            categoryId: null,
            splits: parts.map((amountMinor) => ({ amountMinor, categoryId: null, note: null })),
          })
          expect(sumsOf(entries)).toEqual([0n])
          expect(new Set(entries.map(({ line }) => line)).size).toBe(entries.length)
          expect(entries[0]).toMatchObject({ line: 1, side: 'account', ...anyOne })
          expect(entries.slice(1).map(({ externalId }) => externalId)).not.toContain(
            anyOne.externalId ?? 'none',
          )
        },
      ),
    )
  })

  test('are refused as a defect when the parts miss the whole', () => {
    const splits = [{ amountMinor: 1, categoryId: null, note: null }]
    expect(() =>
      singleEntries({
        kind: 'expense',
        leg: leg(),
        date: DATE,
        signedMinor: -2,
        categoryId: null,
        splits,
      }),
    ).toThrow(expect.objectContaining({ kind: 'internal', code: 'ledger.unbalanced' }))
  })
})

describe('the entries of a transfer', () => {
  const from = leg()
  const to = leg({ accountId: 'acc_2', status: 'cleared' })
  const yen = leg({ accountId: 'acc_3', currency: 'JPY' })
  const told = (entries: Entry[]) =>
    entries.map(({ line, accountId, side, amountMinor, currency, status, categoryId }) =>
      [line, accountId, side, amountMinor, currency, status, categoryId].join(' '),
    )

  test('are two within one currency, each with the status of its leg', () => {
    const entries = transferEntries({
      from,
      to,
      date: DATE,
      amountMinor: 500,
      toAmountMinor: 500,
      categoryId: 'cat_1',
      fees: [],
    })
    expect(told(entries)).toEqual([
      '1 acc_1 account -500 EUR uncleared cat_1',
      '2 acc_2 account 500 EUR cleared cat_1',
    ])
  })

  test('meet each currency on the exchange, and each fee outside', () => {
    const entries = transferEntries({
      from,
      to: yen,
      date: DATE,
      amountMinor: 10_000,
      toAmountMinor: 15_840,
      categoryId: null,
      fees: [
        { amountMinor: 75, categoryId: 'cat_1', note: 'Exchange' },
        { amountMinor: 25, categoryId: null, note: null },
      ],
    })
    expect(entries.map(({ note }) => note)).toEqual([null, null, null, null, 'Exchange', null])
    expect(told(entries)).toEqual([
      '1 acc_1 account -10000 EUR uncleared ',
      '2 acc_3 account 15840 JPY uncleared ',
      '3 acc_1 exchange 9900 EUR uncleared ',
      '4 acc_3 exchange -15840 JPY uncleared ',
      '5 acc_1 expense 75 EUR uncleared cat_1',
      '6 acc_1 expense 25 EUR uncleared ',
    ])
  })

  test('are refused when the fees take all, or other than the rest arrives', () => {
    const transfer = { from, to, date: DATE, amountMinor: 500, categoryId: null }
    const feesOf = (...amounts: number[]) =>
      amounts.map((amountMinor) => ({ amountMinor, categoryId: null, note: null }))
    for (const fees of [feesOf(500), feesOf(501), feesOf(250, 250), feesOf(MAX_MINOR, MAX_MINOR)]) {
      const refused = { ...transfer, toAmountMinor: 1, fees }
      expect(() => transferEntries(refused)).toThrow(invalid('ledger.feeTooLarge', 'fees'))
      expect(() => transferEntries(refused, 'fee.amount')).toThrow(
        invalid('ledger.feeTooLarge', 'fee.amount'),
      )
    }
    for (const toAmountMinor of [499, 500]) {
      expect(() => transferEntries({ ...transfer, toAmountMinor, fees: feesOf(4, 6) })).toThrow(
        invalid('ledger.transferMismatch', 'toAmount'),
      )
    }
  })

  test('sum to zero per currency, and tell the transfer that they were made of', () => {
    fc.assert(
      fc.property(
        anyLeg('acc_1', 'EUR'),
        fc.constantFrom('EUR', 'JPY').chain((currency) => anyLeg('acc_2', currency)),
        fc.integer({ min: 2, max: MAX_MINOR }),
        anyMinor,
        fc.array(
          fc.record({
            share: fc.double({ min: 0, max: 1, noNaN: true }),
            categoryId: fc.constantFrom('cat_1', 'cat_2', null),
            note: fc.constantFrom('Note', null),
          }),
          { maxLength: MAX_FEES },
        ),
        fc.constantFrom('cat_3', null),
        (one, other, amountMinor, arrives, charged, categoryId) => {
          let left = amountMinor
          const fees = charged.flatMap(({ share, ...words }) => {
            const fee = Math.min(Math.max(1, Math.floor(left * share)), left - 1)
            left -= fee
            return fee === 0 ? [] : [{ ...words, amountMinor: fee }]
          })
          const toAmountMinor = one.currency === other.currency ? left : arrives
          const amounts = { amountMinor, toAmountMinor }
          const transfer = { from: one, to: other, date: DATE, ...amounts, categoryId, fees }
          expect(movedMinorOf(transfer)).toBe(left)
          const entries = transferEntries(transfer)
          expect(sumsOf(entries).every((sum) => sum === 0n)).toBe(true)
          expect(transferOf(entries.toReversed())).toEqual(transfer)
        },
      ),
    )
  })

  test('say on each account what moved without the fees, and to where', () => {
    const transfer = { from, to: yen, date: DATE, amountMinor: 10_000, toAmountMinor: 15_840 }
    const fees = [75, 25].map((minor) => ({ amountMinor: minor, categoryId: null, note: null }))
    const entries = transferEntries({ ...transfer, categoryId: 'cat_1', fees })
    const none = { counterAccountId: null, flowMinor: null }
    expect(entries.map((entry) => flowOf(entries, entry))).toEqual([
      { counterAccountId: 'acc_3', flowMinor: -9900 },
      { counterAccountId: 'acc_1', flowMinor: 15_840 },
      ...[none, none, none, none],
    ])
  })

  test('of anything else are no transfer', () => {
    const single = singleEntries({
      kind: 'expense',
      leg: from,
      date: DATE,
      signedMinor: -1,
      categoryId: null,
      splits: [],
    })
    const none = { counterAccountId: null, flowMinor: null }
    expect(single.map((entry) => flowOf(single, entry))).toEqual([none, none])
    expect(transferOf(single)).toBeUndefined()
    expect(transferOf(single.slice(1))).toBeUndefined()
    expect(transferOf([])).toBeUndefined()
  })
})

describe('a list of entries', () => {
  const entries = singleEntries({
    kind: 'income',
    leg: leg(),
    date: DATE,
    signedMinor: 5,
    categoryId: null,
    splits: [],
  })

  test('is the same booking in another order of lines and of fields', () => {
    const turned = entries
      .toReversed()
      .map((entry) => Object.fromEntries(Object.entries(entry).toReversed()) as unknown as Entry)
    expect(isSameBooking(entries, turned)).toBe(true)
    expect(isSameBooking(entries, entries.slice(1))).toBe(false)
    const [first] = entries
    for (const field of Object.keys(first ?? {})) {
      const changed = entries.map((entry, at) => (at === 0 ? { ...entry, [field]: 'new' } : entry))
      expect(isSameBooking(entries, changed), field).toBe(false)
    }
  })

  test('is the same money with other categories and notes, and with nothing else', () => {
    const worded = entries.map((entry) => ({ ...entry, categoryId: 'cat_1', note: 'Bread' }))
    expect(isSameMoney(entries, worded)).toBe(true)
    expect(isSameBooking(entries, worded)).toBe(false)
    const [first] = entries
    for (const field of Object.keys(first ?? {})) {
      const changed = entries.map((entry, at) => (at === 0 ? { ...entry, [field]: 'new' } : entry))
      expect(isSameMoney(entries, changed), field).toBe(
        ['categoryId', 'note', 'payeeRaw'].includes(field),
      )
    }
  })

  test('changes in place by its words, and between statuses that count alike', () => {
    const statuses = ['pending', 'uncleared', 'cleared', 'reconciled', 'void'] as const
    const inPlace = ['uncleared', 'cleared', 'reconciled']
    const as = (status: Status) => entries.map((entry) => ({ ...entry, status, note: status }))
    for (const from of statuses) {
      for (const to of statuses) {
        const may = from === to || (inPlace.includes(from) && inPlace.includes(to))
        expect(isSameInPlace(as(from), as(to)), `${from} to ${to}`).toBe(may)
      }
    }
    const [first] = entries
    for (const field of Object.keys(first ?? {})) {
      const changed = entries.map((entry, at) => (at === 0 ? { ...entry, [field]: 'new' } : entry))
      expect(isSameInPlace(entries, changed), field).toBe(
        ['categoryId', 'note', 'payeeRaw'].includes(field),
      )
    }
  })

  test('lacks a category where an expense or income of the account has none', () => {
    const [own, part] = entries as [Entry, Entry]
    const named = { ...part, categoryId: 'cat_1' }
    expect(lacksCategory([own, part], own.accountId)).toBe(true)
    expect(lacksCategory([own, named], own.accountId)).toBe(false)
    expect(lacksCategory([own, named, { ...part, side: 'expense' }], own.accountId)).toBe(true)
    expect(lacksCategory([own, { ...part, side: 'adjustment' }], own.accountId)).toBe(false)
    expect(lacksCategory([own, part], 'acc_other')).toBe(false)
  })

  test('is refused as a defect unless it balances in every currency with two lines or more', () => {
    expect(balanced(entries)).toBe(entries)
    const unbalanced = expect.objectContaining({ kind: 'internal', code: 'ledger.unbalanced' })
    expect(() => balanced(entries.slice(1))).toThrow(unbalanced)
    const [own, other] = entries
    const yen = (entry: Entry | undefined) => entry && { ...entry, currency: 'JPY' }
    expect(() => balanced([own, yen(other)].filter((entry) => entry !== undefined))).toThrow(
      unbalanced,
    )
    const zero = entries.slice(1).map((entry) => ({ ...entry, amountMinor: 0 }))
    expect(() => balanced(zero)).toThrow(unbalanced)
  })

  test('tells whose account each line is', () => {
    expect(entries.map(legOf)).toEqual([leg(), leg()])
  })
})

describe('ids', () => {
  test('of a transaction is that of its header, of a leg its transfer and line', () => {
    expect(legIdOf(`txn_${CORE}`, 'expense', 1)).toBe(`txn_${CORE}`)
    expect(legIdOf(`trf_${CORE}`, 'transfer', 2)).toBe(`txn_${CORE}-2`)
    expect(addressOf(`txn_${CORE}`)).toEqual({ transactionId: `txn_${CORE}`, line: 1 })
    for (const line of [1, 2]) {
      const id = legIdOf(`trf_${CORE}`, 'transfer', line)
      expect(addressOf(id)).toEqual({ transactionId: `trf_${CORE}`, line })
    }
  })

  test.each([
    '',
    CORE,
    `trf_${CORE}`,
    `acc_${CORE}`,
    `txn_${CORE}-0`,
    `txn_${CORE}-01`,
    `txn_${CORE}-1\n`,
    `txn_${CORE} `,
    `TXN_${CORE}`,
    `txn_${CORE.toUpperCase()}`,
    `txn_${CORE},txn_${CORE}`,
    `txn_${'0'.repeat(10_000)}`,
    "' OR 1=1--",
  ])('%j addresses no transaction', (id) => {
    expect(addressOf(id)).toEqual({ transactionId: '', line: 0 })
  })

  test('of a part belong to their transaction, and have one spelling', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 999_999_999_999 }), (line) => {
        const id = splitIdOf(`txn_${CORE}`, line)
        expect(splitLineOf(`txn_${CORE}`, id)).toBe(line)
        expect(splitLineOf(`txn_${OTHER_CORE}`, id)).toBeUndefined()
      }),
    )
    const misspelt = ['', '2', `spl_${CORE}`, `spl_${CORE}-02`, `spl_${CORE}-0`, `txn_${CORE}-2`]
    for (const id of [...misspelt, `spl_${CORE}-2 `, `spl_${CORE}-1234567890123`]) {
      expect(splitLineOf(`txn_${CORE}`, id), id).toBeUndefined()
    }
  })
})
