import { afterEach, describe, expect, it } from 'vitest'
import { revertImport, setImportMapping } from '../../../src/areas/intake/imports/imports.routes.ts'
import { ledgerHooks } from '../../../src/areas/index.ts'
import {
  getTransaction,
  listTransactions,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import { rankOf } from '../../../src/domain/sharing.ts'
import { preparation, registerHooks } from '../../../src/ledger/ledger.public.ts'
import { ok, type Principal } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { differencesOf } from '../ledger/ledger.ts'
import { lock } from '../period-locks/locking.ts'
import { balanceOf } from '../transactions/booking.ts'
import { converted, revert } from '../transfers/matched.ts'
import { bothOf, committed, ofx, type OfxRow, settled, uploaded } from './importing.ts'

afterEach(() => registerHooks(ledgerHooks))

const left: OfxRow = { id: 'a-1', date: '2026-03-10', amount: '-50.00', name: 'TO SAVINGS' }
const arrived: OfxRow = { id: 'b-1', date: '2026-03-11', amount: '50.00', name: 'FROM CHECKING' }

async function scene() {
  const me = await newUser()
  const [one, two] = [await newAccount(me), await newAccount(me)]
  const send = async ({ id: accountId }: { id: string }, ...rows: OfxRow[]) => {
    const { id, counts } = await uploaded(me, ofx(rows), { accountId })
    await committed(me, id)
    return { id, counts }
  }
  const balances = async () => [await balanceOf(me, one), await balanceOf(me, two)]
  return { me, one, two, send, balances }
}

const rowsOf = async (as: Principal, { id: accountId }: { id: string }) =>
  (await ok(listTransactions, { as, query: { accountId } })).transactions

async function takenBack(as: Principal, id: string, json: object = {}) {
  await ok(revertImport, { as, id, json })
  const { reverted } = await settled(as, id)
  return reverted as { removed: number; kept: { id: string; reason: string }[] }
}

describe('an imported row that became a transfer', () => {
  async function told() {
    const found = await scene()
    const { me, one, two, send } = found
    const { id } = await send(one, left)
    const [row] = await rowsOf(me, one)
    const transfer = await converted(me, row ?? { id: '' }, two)
    return { ...found, importId: id, row: row ?? { id: '' }, transfer }
  }

  it('is known, and its other side is found by the file of the other account', async () => {
    const { me, one, two, send, balances, transfer, row } = await told()
    expect((await send(one, left)).counts).toMatchObject({ duplicate: 1 })
    expect((await send(two, arrived)).counts).toMatchObject({ matched: 1 })
    expect(await balances()).toEqual(['-50.00', '50.00'])
    const other = await ok(getTransaction, { as: me, id: transfer.to.id })
    expect(other).toMatchObject({ externalId: 'b-1', status: 'cleared' })
    // What the bank has told of stays, and is known, too.
    const { body } = await revert(me, row)
    expect(body).toMatchObject({ from: { id: row.id }, to: { externalId: 'b-1' } })
    expect(await balances()).toEqual(['-50.00', '50.00'])
    expect((await send(one, left)).counts).toMatchObject({ duplicate: 1 })
    expect((await send(two, arrived)).counts).toMatchObject({ duplicate: 1 })
    expect(await differencesOf(me)).toEqual([])
  })

  it('stays when its import is reverted, unless that is forced', async () => {
    const { me, balances, importId, row } = await told()
    expect(await takenBack(me, importId)).toMatchObject({
      ...{ removed: 0, kept: [{ id: row.id, reason: 'transfer' }] },
    })
    expect(await balances()).toEqual(['-50.00', '50.00'])
    expect(await takenBack(me, importId, { force: true })).toMatchObject({ removed: 1, kept: [] })
    expect(await balances()).toEqual(['0.00', '0.00'])
    expect(await differencesOf(me)).toEqual([])
  })
})

describe('a row that a hook makes a transfer', () => {
  async function hooked(lockedThrough: string | null = null) {
    const found = await scene()
    const transferAccount = {
      ...{ id: found.two.id, ownerId: found.me.id, currency: 'EUR', status: 'open' as const },
      ...{ lockedThrough, hardLockedThrough: null, rank: rankOf('owner') },
    }
    const prepare = () => preparation({ decide: () => () => ({ transferAccount }) })
    registerHooks([...ledgerHooks, { prepare }])
    return found
  }

  it('is known, is found from the other account, and goes with its import', async () => {
    const { me, one, two, send, balances } = await hooked()
    const { id } = await send(one, left)
    expect(await balances()).toEqual(['-50.00', '50.00'])
    const [leg] = await rowsOf(me, one)
    expect(leg).toMatchObject({ kind: 'transfer', externalId: 'a-1', importId: id })
    expect((await send(one, left)).counts).toMatchObject({ duplicate: 1 })
    expect(await takenBack(me, id)).toMatchObject({ removed: 1, kept: [] })
    expect(await balances()).toEqual(['0.00', '0.00'])
    // It is new once more, and now its other side is told of.
    const again = await send(one, left)
    expect((await send(two, arrived)).counts).toMatchObject({ matched: 1 })
    expect(await takenBack(me, again.id)).toMatchObject({ removed: 0, kept: [{}] })
    expect(await balances()).toEqual(['-50.00', '50.00'])
    expect(await differencesOf(me)).toEqual([])
  })

  it('stays where a day of its other account is locked by now', async () => {
    const { me, one, two, send } = await hooked()
    const { id } = await send(one, left)
    await lock(me, { accountId: two.id, through: '2026-03-31' })
    expect(await takenBack(me, id)).toMatchObject({ removed: 0, kept: [{ reason: 'locked' }] })
  })

  it('is booked as it is where the other account is locked, and on that account itself', async () => {
    const { me, one, two, send } = await hooked('2026-03-31')
    await send(one, left)
    await send(two, arrived)
    expect((await rowsOf(me, one)).map(({ kind }) => kind)).toEqual(['expense'])
    expect((await rowsOf(me, two)).map(({ kind }) => kind)).toEqual(['income'])
  })

  it('is booked as it is where the same file tells of its other half', async () => {
    const { me, one, two, balances } = await hooked()
    const halves = [
      { ...left, name: 'TRANSFER SAVINGS' },
      { ...arrived, date: left.date, name: 'TRANSFER CHECKING' },
    ]
    const { id } = await uploaded(me, bothOf([halves[0] as OfxRow], [halves[1] as OfxRow]))
    const accountMap = { '1/11': one.id, '1/22': two.id }
    await ok(setImportMapping, { as: me, id, json: { accountMap } })
    expect((await settled(me, id)).counts).toMatchObject({ transfer: 2 })
    await committed(me, id)
    expect((await rowsOf(me, one)).map(({ kind }) => kind)).toEqual(['expense'])
    expect(await balances()).toEqual(['-50.00', '50.00'])
  })
})
