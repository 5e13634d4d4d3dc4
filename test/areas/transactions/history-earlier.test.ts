import { expect, it } from 'vitest'
import { presentVersions } from '../../../src/areas/money/transactions/history/history.contract.ts'
import { versionOf } from '../../../src/areas/money/transactions/history/history.rules.ts'

// An earlier log kept transactions whole, with what is now the side of a line as its end.

const CORE = '01k9v3q8m5t0w2x4y6z8a1b3c5'

const line = (at: number, accountId: string, end: string, amountMinor: number) => ({
  ...{ line: at, accountId, end, amountMinor, ownerId: 'usr_1', date: '2026-11-20' },
  ...{ currency: 'EUR', status: 'cleared', categoryId: null, note: null, externalId: null },
})

const transfer = (feeMinor: number) => ({
  ...{ transactionId: `trf_${CORE}`, kind: 'transfer', date: '2026-11-20', time: null },
  ...{ description: '', payeeRaw: null, originalAmountMinor: null, originalCurrency: null },
  ...{ rate: null, reviewed: false, private: false, source: 'user', note: null, location: null },
  ...{ metadata: null, createdBy: 'usr_1', version: 1, createdAt: 1, updatedAt: 1 },
  ...{ payees: [], tags: [] },
  entries: [
    line(1, 'acc_1', 'account', -1000),
    line(2, 'acc_2', 'account', 1000 - feeMinor),
    line(5, 'acc_1', 'expense', feeMinor),
  ],
})

const reader = {
  ...{ transactionId: `trf_${CORE}`, line: 1, isOwn: true, isRestricted: false },
  currencies: new Map([
    ['acc_1', 'EUR'],
    ['acc_2', 'EUR'],
  ]),
  originalCurrency: null,
}

/** What an event of a leg, or of the whole transfer, shows. */
const shown = (type: string, accountId: string | null, content: object) => {
  const change = {
    ...{ id: 'log_1', sequence: 1, at: 1, type, accountId },
    ...{ actorType: 'user' as const, actorId: 'usr_1', isForcedOnLock: 0 },
    content: JSON.stringify(content),
  }
  const rows = [versionOf(change, reader)]
  return presentVersions({ rows, count: 1, nextCursor: null }).versions[0]?.changes
}

it('tells of the only fee that a transfer could have', () => {
  const told = (content: object) => shown('transaction.updated', 'acc_1', content)
  const [one, two] = ['cat_1', 'cat_2']
  expect(
    told({
      before: { fee: { amountMinor: 10, categoryId: one } },
      after: { fee: { amountMinor: 25 } },
    }),
  ).toEqual([
    {
      field: 'fee',
      before: { amount: '0.10', categoryId: one },
      after: { amount: '0.25', categoryId: null },
    },
  ])
  expect(told({ before: {}, after: { fee: { amountMinor: 25 } } })).toEqual([
    { field: 'fee', before: null, after: { amount: '0.25', categoryId: null } },
  ])
  expect(
    told({ before: { fee: { categoryId: one } }, after: { fee: { categoryId: two } } }),
  ).toEqual([{ field: 'fee', before: { categoryId: one }, after: { categoryId: two } }])
})

it('tells what an earlier log kept of the lines of a transfer, its fee and its other account among it', () => {
  const told = (content: object) => shown('transfer.updated', null, content)
  const fee = (amount: string) => ({ amount, categoryId: null })
  expect(told({ before: transfer(10), after: transfer(25) })).toEqual([
    { field: 'fee', before: fee('0.10'), after: fee('0.25') },
  ])
  expect(told({ after: transfer(10) })).toEqual(
    expect.arrayContaining([{ field: 'counterAccountId', before: null, after: 'acc_2' }]),
  )
})
