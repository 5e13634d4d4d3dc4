import {
  createTransfer,
  updateTransfer,
} from '../../../src/areas/money/transfers/transfers.routes.ts'
import { call } from '../../support/api.ts'
import { newAccount, newUser, type TestUser } from '../../support/world.ts'
import { balanceOf } from '../transactions/booking.ts'

export type Input = NonNullable<
  NonNullable<Parameters<typeof call<typeof createTransfer>>[1]>['json']
>
export type Changes = NonNullable<
  NonNullable<Parameters<typeof call<typeof updateTransfer>>[1]>['json']
>

/** A user with two accounts in euro, and one each in yen and in dinars of three decimals. */
export async function newBooks() {
  const me = await newUser()
  const [from, to, yen, dinar] = [
    await newAccount(me),
    await newAccount(me),
    await newAccount(me, { currency: 'JPY' }),
    await newAccount(me, { currency: 'BHD' }),
  ]
  const balances = () =>
    Promise.all([from, to, yen, dinar].map((account) => balanceOf(me, account)))
  const between = (wanted: Partial<Input> = {}): Input => ({
    fromAccountId: from.id,
    toAccountId: to.id,
    date: '2026-11-20',
    amount: '100',
    ...wanted,
  })
  const move = (wanted: Partial<Input> = {}) =>
    call(createTransfer, { as: me, json: between(wanted) })
  return { me, from, to, yen, dinar, balances, between, move }
}

export const change = (as: TestUser, { id }: { id: string }, json: Changes, headers = {}) =>
  call(updateTransfer, { as, id, json, headers })
