import { describe, expect, it } from 'vitest'
import { setImportMapping } from '../../../src/areas/intake/imports/imports.routes.ts'
import { listTransactions } from '../../../src/areas/money/transactions/transactions.routes.ts'
import {
  listTransfers,
  suggestTransfers,
} from '../../../src/areas/money/transfers/transfers.routes.ts'
import { ok } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { book } from '../transactions/booking.ts'
import { committed, csv, uploaded } from './importing.ts'

// Transfers that people saw joined with the wrong row, or made of rows that are none.

async function scene(third = 'Tuition') {
  const me = await newUser()
  const everyday = await newAccount(me, { name: 'Everyday' })
  const reserve = await newAccount(me, { name: 'Reserve' })
  await newAccount(me, { name: third })
  const send = async ({ id: accountId }: { id: string }, rows: string[]) => {
    const { id } = await uploaded(me, csv(rows, 'Date,Description,Amount'), { accountId })
    await ok(setImportMapping, { as: me, id, json: { sign: 'asIs' } })
    return committed(me, id, { transfers: 'match' })
  }
  const transfers = async () =>
    (await ok(listTransfers, { as: me })).transfers.map(({ date, amount }) => [date, amount])
  return { me, everyday, reserve, send, transfers }
}

const WINDOW = { from: '2026-03-01', to: '2026-03-31' }

describe('two rows of one amount', () => {
  it.each([
    ['Tuition', '2026-03-10'],
    ['Tuition', '2026-03-12'],
    ['Rainy day', '2026-03-10'],
    ['Rainy day', '2026-03-12'],
  ])(
    'the one whose text names the other account is suggested, beside an account called %s, on %s',
    async (third, date) => {
      const { me, everyday, reserve } = await scene(third)
      const out = (description: string) =>
        book(me, everyday, { amount: '100.00', date: '2026-03-10', description })
      await out('TRANSFER TO Tuition')
      const right = await out('TRANSFER TO Reserve')
      const into = { kind: 'income', amount: '100.00', date } as const
      await book(me, reserve, { ...into, description: 'TRANSFER FROM Everyday' })
      const { suggestions } = await ok(suggestTransfers, { as: me, query: WINDOW })
      expect(suggestions).toMatchObject([{ from: { id: right.id }, score: 1 }])
    },
  )

  it('the one that names the other account is joined by an import, and none that names a third one', async () => {
    const { me, everyday, reserve, send, transfers } = await scene()
    await send(everyday, ['2026-03-10,TRANSFER TO Tuition,-100.00'])
    await send(reserve, ['2026-03-12,TRANSFER FROM Everyday,100.00'])
    expect(await transfers()).toEqual([])
    await send(everyday, ['2026-03-11,TRANSFER TO Reserve,-100.00'])
    expect(await transfers()).toEqual([['2026-03-11', '100.00']])
    const { transactions } = await ok(listTransactions, { as: me })
    expect(transactions.find(({ kind }) => kind === 'expense')).toMatchObject({
      description: 'TRANSFER TO Tuition',
    })
  })

  it('a purchase and what a friend sends are no transfer', async () => {
    const { everyday, reserve, send, transfers } = await scene()
    await send(everyday, ['2026-03-10,GROCER 17,-48.60', '2026-03-10,CINEMA,-12.00'])
    await send(reserve, [
      '2026-03-10,Transfer from Ben,48.60',
      '2026-03-10,Standing order Ben,12.00',
    ])
    expect(await transfers()).toEqual([])
  })

  it('both of which are called a transfer are joined', async () => {
    const { everyday, reserve, send, transfers } = await scene()
    await send(everyday, ['2026-03-10,Transfer 17,-48.60'])
    await send(reserve, ['2026-03-10,Transfer 17,48.60'])
    expect(await transfers()).toEqual([['2026-03-10', '48.60']])
  })
})
