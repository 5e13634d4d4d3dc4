import { expect, it } from 'vitest'
import { setImportMapping } from '../../../src/areas/intake/imports/imports.routes.ts'
import { listTransfers } from '../../../src/areas/money/transfers/transfers.routes.ts'
import { getAccountByID } from '../../../src/areas/money/accounts/accounts.routes.ts'
import { ok } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { committed, csv, uploaded } from './importing.ts'

const PAYPAL =
  'Date,Time,TimeZone,Name,Type,Status,Currency,Gross,Fee,Net,From Email Address,Transaction ID,Reference Txn ID,Balance,Balance Impact'
const REVOLUT =
  'Type,Product,Started Date,Completed Date,Description,Amount,Fee,Currency,State,Balance'

it.each<[string, string, string[], Record<'EUR' | 'USD', string>, [string, string]]>([
  [
    'a payment by PayPal',
    PAYPAL,
    [
      '13/03/2026,12:00:00,CET,Shop,Express Checkout Payment,Completed,USD,-11.00,0.00,-11.00,,A1,,0.00,Debit',
      '13/03/2026,12:00:00,CET,,General Currency Conversion,Completed,EUR,-10.00,0.00,-10.00,,A2,A1,0.00,Debit',
      '13/03/2026,12:00:00,CET,,General Currency Conversion,Completed,USD,11.00,0.00,11.00,,A3,A1,11.00,Credit',
      '13/03/2026,12:00:00,CET,,Bank Deposit to PP Account,Completed,EUR,10.00,0.00,10.00,,A4,A1,10.00,Credit',
    ],
    { EUR: 'EUR', USD: 'USD' },
    ['0.00', '0.00'],
  ],
  [
    'an exchange at Revolut',
    REVOLUT,
    [
      'EXCHANGE,Current,2026-03-13 12:00:00,2026-03-13 12:00:00,Exchanged to USD,-10.00,0.00,EUR,COMPLETED,90.00',
      'EXCHANGE,Current,2026-03-13 12:00:00,2026-03-13 12:00:00,Exchanged to USD,11.00,0.00,USD,COMPLETED,11.00',
      'CARD_PAYMENT,Current,2026-03-14 12:00:00,2026-03-14 12:00:00,Shop,-1.00,0.00,USD,COMPLETED,10.00',
    ],
    { EUR: 'Current EUR', USD: 'Current USD' },
    ['-10.00', '10.00'],
  ],
])(
  '%s in another currency is a transfer between two balances',
  async (_, head, rows, keys, sums) => {
    const me = await newUser()
    const [euro, dollar] = [await newAccount(me), await newAccount(me, { currency: 'USD' })]
    const { id } = await uploaded(me, csv(rows, head))
    const accountMap = { [keys.EUR]: euro.id, [keys.USD]: dollar.id }
    const shown = await ok(setImportMapping, { as: me, id, json: { accountMap } })
    expect(shown).toMatchObject({ state: 'previewed', counts: { transfer: 2, error: 0 } })
    await committed(me, id, { transfers: 'match' })
    const { transfers } = await ok(listTransfers, { as: me })
    expect(transfers).toMatchObject([
      {
        from: { accountId: euro.id, amount: '10.00' },
        to: { accountId: dollar.id, amount: '11.00' },
      },
    ])
    const balances = [euro, dollar].map(({ id: account }) =>
      ok(getAccountByID, { as: me, id: account }).then(({ balance }) => balance),
    )
    expect(await Promise.all(balances)).toEqual(sums)
  },
)
