import { describe, expect, it } from 'vitest'
import {
  previewImport,
  setImportMapping,
  listImportRows,
  updateImportRow,
} from '../../../src/areas/intake/imports/imports.routes.ts'
import { getUserAccounts } from '../../../src/areas/money/accounts/accounts.routes.ts'
import { ok, type Principal } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { committed, type ImportBody, settled, uploaded } from './importing.ts'

// Rows of a file that are left out by themselves: opening balances and pending ones.

const YNAB = `"Account","Flag","Date","Payee","Category Group/Category","Category Group","Category","Memo","Outflow","Inflow","Cleared"
"Old Giro","","05/03/2026","Market","Bills: Food","Bills","Food","",€85.20,€0.00,"Cleared"
"Old Giro","","01/03/2026","Starting Balance","Inflow: Ready to Assign","Inflow","Ready to Assign","",€0.00,€500.00,"Cleared"
`

const FIREFLY = `user_id,group_id,journal_id,created_at,updated_at,group_title,type,currency_code,amount,foreign_currency_code,foreign_amount,native_currency_code,native_amount,native_foreign_amount,description,date,source_name,source_iban,source_type,destination_name,destination_iban,destination_type,reconciled,category,budget,bill,tags,notes
1,1,1,2026-03-01T00:00:00+01:00,2026-03-01T00:00:00+01:00,,Opening balance,EUR,100.00,,,,,,Initial balance,2026-03-01T00:00:00+01:00,Initial balance account of Giro,,Initial balance account,Giro,,Asset account,0,,,,,
1,2,2,2026-03-05T00:00:00+01:00,2026-03-05T00:00:00+01:00,,Withdrawal,EUR,-30.00,,,,,,Market,2026-03-05T00:00:00+01:00,Giro,,Asset account,Market,,Expense account,0,Food,,,,
`

const ACTUAL = `Account,Date,Payee,Notes,Category,Amount,Split_Amount,Cleared
Wallet,2026-03-01,Starting Balance,,Starting Balances,700,0,Cleared
Wallet,2026-03-05,Market,,Food,-20,0,Cleared
`

/** Makes the accounts and categories of the file. */
async function movedIn(as: Principal, text: string, name: string): Promise<ImportBody> {
  let found = await uploaded(as, text, { fileName: name })
  const { accounts, questions } = found
  const json = {
    accountMap: Object.fromEntries(accounts.map(({ foreign }) => [foreign, 'create'])),
    categoryMap: { '*': 'create' },
    ...Object.fromEntries(
      questions
        .filter(({ key }) => !key.startsWith('account'))
        .map(({ key, options }) => [key, options[0]]),
    ),
    currency: 'EUR',
  }
  await ok(setImportMapping, { as, id: found.id, json: json as never })
  found = await settled(as, found.id)
  expect([found.state, found.questions]).toEqual(['previewed', []])
  return found
}

const balancesOf = async (as: Principal) =>
  Object.fromEntries(
    (await ok(getUserAccounts, { as })).accounts.map(({ name, openingBalance, balance }) => [
      name,
      [openingBalance, balance],
    ]),
  )

describe('an account that is made of a file', () => {
  it.each([
    ['YNAB', YNAB, 'register.csv', { 'Old Giro': ['500.00', '414.80'] }],
    ['Firefly III', FIREFLY, 'firefly.csv', { Giro: ['100.00', '70.00'] }],
    ['Actual', ACTUAL, 'actual.csv', { Wallet: ['700.00', '680.00'] }],
  ])('opens with the first balance that %s says', async (_, text, name, balances) => {
    const as = await newUser()
    const { id } = await movedIn(as, text, name)
    const preview = await ok(previewImport, { as, id })
    expect(preview.accounts.map(({ balanceAfter }) => balanceAfter)).toEqual(
      Object.values(balances).map(([, balance]) => balance),
    )
    await committed(as, id)
    expect(await balancesOf(as)).toEqual(balances)
  })
})

describe('a row that is left out', () => {
  const FILE = `Date,Payee,Amount,Currency,State
2026-03-01,Starting Balance,700.00,EUR,COMPLETED
2026-03-02,Gift,5.00,EUR,PENDING
2026-03-03,Nothing,0.00,EUR,COMPLETED
2026-03-05,Market,-20.00,EUR,COMPLETED
`

  it('is booked if the user says so, once', async () => {
    const as = await newUser()
    const account = await newAccount(as, { name: 'Giro', currency: 'EUR' })
    const query = { fileName: 'giro.csv', accountId: account.id }
    let found = await uploaded(as, FILE, query)
    if (found.state === 'questions') {
      const json = Object.fromEntries(found.questions.map(({ key, options }) => [key, options[0]]))
      await ok(setImportMapping, { as, id: found.id, json: json as never })
      found = await settled(as, found.id)
    }
    const { id } = found
    const { rows } = await ok(listImportRows, { as, id })
    const left = rows.filter(({ verdict }) => verdict === 'ignored')
    expect(left.map(({ reason }) => reason)).toEqual(['opening', 'pending', 'zero'])
    expect(left[0]?.message).toContain('Set the opening balance of the account')
    const proposals = async (importId: string) =>
      (await ok(previewImport, { as, id: importId })).accounts.map((one) => one.proposedOpening)
    expect(await proposals(id)).toMatchObject([
      { amount: '700.00', date: '2026-03-01', message: expect.stringContaining('openingBalance') },
    ])
    const verdicts: string[] = []
    for (const { id: rowId } of left) {
      const decided = { as, path: { id, rowId }, json: { decision: 'book' as const } }
      verdicts.push((await ok(updateImportRow, decided)).verdict)
    }
    // There is nothing to book of an amount of zero.
    expect(verdicts).toEqual(['new', 'new', 'ignored'])
    const { accounts } = await ok(previewImport, { as, id })
    expect(accounts).toMatchObject([{ balanceAfter: '685.00', proposedOpening: null }])
    const { counts } = await committed(as, id)
    expect([counts['new'], counts['ignored']]).toEqual([3, 1])
    expect(await balancesOf(as)).toEqual({ Giro: ['0.00', '685.00'] })

    const again = await uploaded(as, FILE, { ...query, again: 'true' })
    expect(await proposals(again.id)).toEqual([null])
    await committed(as, again.id)
    expect(await balancesOf(as)).toEqual({ Giro: ['0.00', '685.00'] })
  })
})
