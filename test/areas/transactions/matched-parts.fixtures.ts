import {
  matchSplit,
  unmatchSplit,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import { createPayee } from '../../../src/areas/money/payees/payees.routes.ts'
import { createTag } from '../../../src/areas/money/tags/tags.routes.ts'
import { call, ok, type Principal } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { book, newCategory, type TransactionInput } from './booking.ts'

type Found = { id: string }

export const match = (
  as: Principal,
  whole: Found,
  part: Found | undefined,
  json: { transactionId: string; force?: boolean },
  headers = {},
) => call(matchSplit, { as, path: { id: whole.id, lineId: part?.id ?? '' }, json, headers })

export const unmatch = (
  as: Principal,
  whole: Found,
  part: Found | undefined,
  query: { force?: string } = {},
) => call(unmatchSplit, { as, path: { id: whole.id, lineId: part?.id ?? '' }, query })

type Transaction = Awaited<ReturnType<typeof book>>

export const matched = async (
  as: Principal,
  whole: Found,
  part: Found | undefined,
  row: Found,
): Promise<Transaction> =>
  ok(matchSplit, {
    as,
    path: { id: whole.id, lineId: part?.id ?? '' },
    json: { transactionId: row.id, force: true },
  })

/** A receipt with a part of 30.00, and what the bank of the wallet says of that, with all that a row can have. */
export async function newReceipt(
  wanted: Partial<NonNullable<TransactionInput['splits']>[number]> = {},
) {
  const me = await newUser()
  const [everyday, wallet] = [
    await newAccount(me, { name: 'Everyday' }),
    await newAccount(me, { name: 'Wallet', type: 'cash' }),
  ]
  const [groceries, salary] = [await newCategory(me), await newCategory(me, 'income')]
  const payee = await ok(createPayee, { as: me, json: { name: 'Shop' } })
  const tag = await ok(createTag, { as: me, json: { name: 'Trip' } })
  const whole = await book(me, everyday, {
    amount: '37',
    description: 'Corner shop',
    status: 'cleared',
    splits: [
      { amount: '7', categoryId: groceries.id },
      {
        amount: '30',
        categoryId: groceries.id,
        payeeId: payee.id,
        tagIds: [tag.id],
        note: 'Cash',
        ...wanted,
      },
    ],
  })
  const row = await book(me, wallet, {
    kind: 'income',
    amount: '30',
    date: '2026-11-22',
    status: 'cleared',
    description: 'Paid in',
    payeeRaw: 'ATM 4711',
    externalId: 'in-1',
    categoryId: salary.id,
    note: 'Note of the row',
    tagIds: [tag.id],
  })
  const [bought, part] = whole.splits
  return { me, everyday, wallet, groceries, salary, payee, tag, whole, bought, part, row }
}
