import { describe, expect, test } from 'vitest'
import { ynab, Devices, ENTITIES_PER_ROW } from '../../../src/domain/ynab/ynab.ts'
import { checkBroken, checkPieces, readFile, triesTooManyRows } from '../bank-files/reading.ts'

describe('the changes of devices', () => {
  const entity = (type: string, entityId: string, entityVersion: string, more: object = {}) => ({
    ...{ entityType: type, entityId, entityVersion, ...more },
  })
  const full = {
    accounts: [entity('account', 'A', 'A-1', { accountName: 'Old' })],
    payees: [entity('payee', 'p', 'A-1', { name: 'Shop' })],
    masterCategories: [
      entity('masterCategory', 'm', 'A-1', {
        name: 'Home',
        subCategories: [entity('category', 'c', 'A-1', { name: 'Food' })],
      }),
    ],
    transactions: [
      entity('transaction', 't1', 'A-5', {
        ...{ accountId: 'A', date: '2026-03-02', amount: -10, payeeId: 'p' },
        subTransactions: [
          entity('subTransaction', 's1', 'A-5', { amount: -4, categoryId: 'c' }),
          entity('subTransaction', 's2', 'A-5', { amount: -6 }),
        ],
      }),
      entity('transaction', 't2', 'A-6', { accountId: 'A', date: '2026-03-03', amount: -2 }),
      entity('transaction', 't3', 'A-7', { accountId: 'A', date: '2026-03-04', amount: -3 }),
    ],
    fileMetaData: { entityType: 'fileMetaData', currentKnowledge: 'A-6, B-2' },
  }
  const diffs = [
    {
      items: [entity('account', 'A', 'B-3', { accountName: 'New' }), entity('setting', 'x', 'B-3')],
    },
    {
      items: [
        entity('category', 'c', 'B-4', { name: 'Groceries', masterCategoryId: 'm' }),
        entity('subTransaction', 's2', 'B-5', { parentTransactionId: 't1', amount: -5 }),
        entity('subTransaction', 's3', 'B-5', { parentTransactionId: 't1', amount: -1 }),
        // The budget has this one already, and a later one than that.
        entity('transaction', 't2', 'B-2', { accountId: 'A', date: '2026-03-03', amount: -99 }),
        entity('transaction', 't3', 'A-9', { accountId: 'A', date: '2026-03-04', amount: -4 }),
        entity('transaction', 't3', 'A-8', { accountId: 'A', date: '2026-03-04', amount: -5 }),
        entity('transaction', 't4', 'odd', { accountId: 'A', date: '2026-03-05', amount: -6 }),
        entity('transaction', 't5', 'C-1', { accountId: 'A', date: '2026-03-06', amount: -7 }),
      ],
    },
  ]
  const file = `{"full":${JSON.stringify(full)},${diffs.map((one) => `"diff":${JSON.stringify(one)}`).join(',')}}`

  test('take the place of what the budget has, as far as it does not know of them', () => {
    const { accounts, rows } = readFile(ynab, file)
    expect(accounts).toMatchObject([{ key: 'A', name: 'New' }])
    expect(rows.map(({ amount }) => amount)).toEqual(['-10', '-2', '-4', '-7'])
    expect(rows[0]?.parts).toMatchObject([
      { amount: '-4', category: ['Home', 'Groceries'] },
      ...[{ amount: '-5' }, { amount: '-1' }],
    ])
  })

  test.runIf(triesTooManyRows('ynab devices'))('are bounded', () => {
    const devices = new Devices()
    const take = () => {
      for (let at = 0; at <= 200_000 * ENTITIES_PER_ROW; at += 1) {
        devices.take('full.payees', { entityId: String(at) })
      }
    }
    expect(take).toThrow(expect.objectContaining({ code: 'imports.tooManyRows' }))
  })

  test('are read or refused whatever is broken', () => {
    expect(() => {
      checkPieces(ynab, file)
      checkBroken(ynab, file)
    }).not.toThrow()
  })
})
