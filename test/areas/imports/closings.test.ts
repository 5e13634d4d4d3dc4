import { expect, it } from 'vitest'
import {
  commitImport,
  getImport,
  setImportMapping,
} from '../../../src/areas/intake/imports/imports.routes.ts'
import {
  createBalanceAssertion,
  listBalanceAssertions,
} from '../../../src/areas/money/balance-assertions/balance-assertions.routes.ts'
import { listReconciliations } from '../../../src/areas/money/reconciliations/reconciliations.routes.ts'
import { createTransaction } from '../../../src/areas/money/transactions/transactions.routes.ts'
import { call, ok, type Principal } from '../../support/api.ts'
import { accessTokensOf } from '../../support/holders.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { committed, uploaded } from './importing.ts'

const statement = (month: string, opening: string, amount: string, closing: string) =>
  [
    ...[':20:STARTUMS', ':25:DE89370400440532013000', `:28C:${Number(month)}/1`],
    ...[`:60F:C26${month}01EUR${opening}`, `:61:26${month}05${month}05D${amount}NTRFNONREF`],
    ...[`:86:SHOP ${month}`, `:62F:C26${month}28EUR${closing}`, '-', ''],
  ].join('\r\n')

const assertionsOf = async (as: Principal) =>
  (await ok(listBalanceAssertions, { as })).balanceAssertions
    .map(({ date, of, amount, source, result }) => [date, of, amount, source, result.ok])
    .toSorted()

it('states the closing balances of statements, and compares them with what is booked', async () => {
  const me = await newUser()
  const file =
    statement('03', '100,00', '30,00', '70,00') + statement('04', '70,00', '5,00', '64,00')
  const sent = await uploaded(me, file)
  const { foreign = '' } = sent.accounts[0] ?? {}
  await ok(setImportMapping, { as: me, id: sent.id, json: { accountMap: { [foreign]: 'create' } } })
  const done = await committed(me, sent.id, { assertBalances: true, force: true })
  expect(done['statements']).toMatchObject([
    { ok: true, ledger: { clearedAtClose: '70.00', difference: '0.00' } },
    { ok: false, difference: '-1.00', ledger: { clearedAtClose: '65.00', difference: '-1.00' } },
  ])
  expect(await assertionsOf(me)).toEqual([
    ['2026-03-28', 'balance', '70.00', 'import', true],
    ['2026-04-28', 'balance', '64.00', 'import', false],
  ])
})

it('states what is cleared where the account is older, and leaves what is stated', async () => {
  const me = await newUser()
  const account = await newAccount(me)
  const { id: accountId } = account
  const old = { accountId, kind: 'income' as const, date: '2026-01-02', amount: '100' }
  await ok(createTransaction, { as: me, json: { ...old, status: 'cleared' } })
  await ok(createTransaction, { as: me, json: { ...old, amount: '7', status: 'uncleared' } })
  const stated = { accountId, date: '2026-04-28', of: 'cleared' as const, amount: '1' }
  await ok(createBalanceAssertion, { as: me, json: stated })
  const file =
    statement('03', '100,00', '30,00', '70,00') + statement('04', '70,00', '5,00', '65,00')
  const sent = await uploaded(me, file, { accountId })
  expect(sent['statements']).toMatchObject([{ ledger: null }, { ledger: null }])
  const [few] = await accessTokensOf([{ user: me, scopes: ['imports.read', 'imports.write'] }])
  const refused = await call(commitImport, {
    ...(few ? { as: few } : {}),
    ...{ id: sent.id, json: { assertBalances: true } },
  })
  expect([refused.status, refused.error.code]).toEqual([403, 'auth.forbidden'])
  await committed(me, sent.id, { assertBalances: true, transfers: 'match', vanished: 'trash' })
  expect(await assertionsOf(me)).toEqual([
    ['2026-03-28', 'cleared', '70.00', 'import', true],
    ['2026-04-28', 'cleared', '1.00', 'user', false],
  ])
  const { statements } = await ok(getImport, { as: me, id: sent.id })
  expect(statements).toMatchObject([
    { ledger: { difference: '0.00' } },
    { ledger: { difference: '0.00' } },
  ])
})

it('opens a reconciliation of the newest statement with the rows of the import ticked', async () => {
  const me = await newUser()
  const { id: accountId } = await newAccount(me, {
    openingBalance: '100',
    openingDate: '2026-01-01',
  })
  const file =
    statement('03', '100,00', '30,00', '70,00') + statement('04', '70,00', '5,00', '65,00')
  const sent = await uploaded(me, file, { accountId })
  const scopes = ['imports.read' as const, 'imports.write' as const]
  const [few] = await accessTokensOf([{ user: me, scopes }])
  const json = { reconcile: true }
  const refused = await call(commitImport, { ...(few ? { as: few } : {}), id: sent.id, json })
  expect([refused.status, refused.error.code]).toEqual([403, 'auth.forbidden'])
  await committed(me, sent.id, json)
  const { reconciliations } = await ok(listReconciliations, { as: me })
  expect(reconciliations).toMatchObject([
    {
      ...{ accountId, statementDate: '2026-04-28', closingBalance: '65.00', state: 'open' },
      ...{ importId: sent.id, clearedBalance: '65.00', difference: '0.00' },
      // With the opening balance, as it is the first session of the account.
      rows: { ticked: 3, unticked: 0 },
    },
  ])
  // Another file of the account finds the session open, and is booked all the same.
  const later = await uploaded(me, statement('05', '65,00', '1,00', '64,00'), { accountId })
  await committed(me, later.id, json)
  expect((await ok(listReconciliations, { as: me })).reconciliations).toHaveLength(1)
})
