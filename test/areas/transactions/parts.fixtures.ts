import { addressOf } from '../../../src/domain/ledger-ids.ts'
import { formatMoney } from '../../../src/domain/money.ts'
import { rows } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { book, newCategory } from './booking.ts'

interface StoredLine {
  line: number
  accountId: string
  side: string
  minor: number
  currency: string
  pair: number | null
  flow: number | null
  counter: string | null
  categoryId: string | null
}

/** The stored lines of a transaction, with names in the place of ids, and amounts as text. */
export async function linesOf(id: string, names: Record<string, string>) {
  const found = await rows<StoredLine>(
    `SELECT line, account_id AS accountId, side, amount_minor AS minor, currency, pair, flow_minor AS flow,
      counter_account_id AS counter, category_id AS categoryId
    FROM entries WHERE transaction_id = ? ORDER BY line`,
    addressOf(id).transactionId,
  )
  const name = (known: string | null) => (known === null ? null : (names[known] ?? known))
  return found.map((one) => [
    one.line,
    name(one.accountId),
    one.side,
    formatMoney(one.minor, one.currency),
    one.currency,
    one.pair,
    one.flow === null ? null : formatMoney(one.flow, one.currency),
    one.counter === null ? name(one.categoryId) : name(one.counter),
  ])
}

/** Cash back at the till: 37.00, of which 30.00 are in hand. */
export async function newCashBack() {
  const me = await newUser()
  const [everyday, wallet] = [
    await newAccount(me, { name: 'Everyday' }),
    await newAccount(me, { name: 'Wallet', type: 'cash' }),
  ]
  const groceries = await newCategory(me)
  const whole = await book(me, everyday, {
    amount: '37',
    description: 'Corner shop',
    splits: [
      { amount: '7', categoryId: groceries.id },
      { amount: '30', transferAccountId: wallet.id, note: 'Cash' },
    ],
  })
  const [bought, part] = whole.splits
  if (!bought || !part?.transfer?.transactionId) {
    throw new Error('newCashBack: there is no part')
  }
  const legId = part.transfer.transactionId
  return { me, everyday, wallet, groceries, whole, bought, part, leg: { id: legId } }
}
