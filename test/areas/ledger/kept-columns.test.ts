import { expect, it } from 'vitest'
import { getTransaction } from '../../../src/areas/money/transactions/transactions.routes.ts'
import {
  amend,
  type Amendment,
  ledgerRowById,
  type LedgerRow,
  post,
} from '../../../src/ledger/ledger.public.ts'
import { commit, read } from '../../../src/platform/database/database.ts'
import { conflicting } from '../../../src/platform/database/refusals.ts'
import { ok, rows } from '../../support/api.ts'
import { contextOf } from '../../support/context.ts'
import { book, change } from '../transactions/booking.ts'
import { changeAll } from '../transactions/bulk.ts'
import { differencesOf } from './ledger.ts'
import { flawsOfLog } from './replay.ts'
import { newBooks } from './ways.ts'

// One statement writes the columns that change in any of its rows.

const FULL = {
  description: '"1.0" \\ \n null 🦊',
  note: '{"a": [1]}',
  payeeRaw: '007',
  time: '00:01',
  rate: '1.50',
  originalAmount: '90071992547409.91',
  originalCurrency: 'USD',
  reviewed: true,
  private: true,
  excludeFromReports: true,
  location: { lat: -1.5, lon: 0, name: 'Café "x"' },
  metadata: { big: 9_007_199_254_740_991, no: null, text: '\\u0041', list: [true, 0.1] },
}

/** The columns that change without entries, with other values than the rows have. */
const COLUMNS: Amendment['columns'] = {
  ...{ time: '23:59', description: 'Other', payeeRaw: 'Other', note: 'Other', rate: '2' },
  ...{ originalAmountMinor: 1, originalCurrency: 'JPY', reviewed: false, private: false },
  excludeFromReports: false,
  ...{ location: '{"lat":1,"lon":2,"name":"Other"}', metadata: '{"other":1}' },
}

const storedRow = async (id: string) => {
  const [row] = await rows<Record<string, unknown>>('SELECT * FROM transactions WHERE id = ?', id)
  return row
}

it.each([
  ['all of them', FULL],
  ['none of them', {}],
])('a row keeps the columns that change in another one alone, where it has %s', async (_, has) => {
  const { me, one } = await newBooks()
  const [changed, kept] = [await book(me, one), await book(me, one, has)]
  const ctx = await contextOf(me, 'transactions.write')
  const write = async (meanwhile: () => Promise<unknown>) => {
    const found = await read(ctx, ledgerRowById(ctx, changed.id), ledgerRowById(ctx, kept.id))
    const [first, second] = found.flat() as [LedgerRow, LedgerRow]
    await meanwhile()
    await commit(ctx, {
      changes: [
        post(
          ctx,
          { gone: conflicting, closed: conflicting },
          amend(ctx, [
            { row: first, columns: COLUMNS, right: 'annotate' },
            { row: second, columns: {}, right: 'annotate' },
          ]),
        ),
      ],
      result: undefined,
    })
  }
  const before = await storedRow(kept.id)
  await write(async () => undefined)
  const after = await storedRow(kept.id)
  expect(after).toEqual({ ...before, version: 2, updated_at: after?.['updated_at'] })
  expect(await storedRow(changed.id)).toMatchObject({ time: '23:59', original_amount_minor: 1 })
  const late = write(() => change(me, kept, { note: 'Meanwhile' }))
  await expect(late).rejects.toMatchObject({ kind: 'conflict' })
  expect(await storedRow(kept.id)).toMatchObject({ note: 'Meanwhile', version: 3 })
  expect(await differencesOf(me)).toEqual([])
  expect(await flawsOfLog(me)).toEqual([])
})

it('a whole keeps its note where many get one, and the other side of its part is among them', async () => {
  const { me, one, two } = await newBooks()
  const splits = [{ amount: '10' }, { amount: '2.30', transferAccountId: two.id }]
  const whole = await book(me, one, { note: 'Of the whole', splits })
  const row = await book(me, two)
  const side = whole.splits[1]?.transfer?.transactionId ?? ''
  await changeAll(me, { ids: [side, row.id], changes: { note: 'Of many' } })
  const after = await ok(getTransaction, { as: me, id: whole.id })
  expect([after.note, after.splits.map(({ note }) => note)]).toEqual([
    'Of the whole',
    [null, 'Of many'],
  ])
  expect([await differencesOf(me), await flawsOfLog(me)]).toEqual([[], []])
})
