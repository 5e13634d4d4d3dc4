import { expect, it } from 'vitest'
import { createExport } from '../../../src/areas/data-rights/exports/exports.routes.ts'
import { setExportSchedule } from '../../../src/areas/data-rights/exports/schedules/schedules.routes.ts'
import {
  createSavedView,
  listSavedViews,
} from '../../../src/areas/insight/saved-views/saved-views.routes.ts'
import { parseSearch, searchAll } from '../../../src/areas/insight/search/search.routes.ts'
import { getRegister } from '../../../src/areas/money/accounts/accounts.routes.ts'
import { createPayee, updatePayee } from '../../../src/areas/money/payees/payees.routes.ts'
import {
  startReconciliation,
  updateReconciliation,
} from '../../../src/areas/money/reconciliations/reconciliations.routes.ts'
import { updateTransactions } from '../../../src/areas/money/transactions/bulk/bulk.routes.ts'
import { listTransactions } from '../../../src/areas/money/transactions/transactions.routes.ts'
import { call, ok } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { contentsOf } from '../backups/archives.ts'
import { forged } from '../backups/forging.fixtures.ts'
import { packed } from '../backups/packing.ts'
import { backedUp, restored } from '../backups/restoring.ts'
import { exported, makeExport, tableOf } from '../exports/exports.fixtures.ts'
import { book, refusal } from '../transactions/booking.ts'
import { storePayees } from './names.fixtures.ts'

async function household() {
  const me = await newUser()
  const account = await newAccount(me)
  const payee = await ok(createPayee, { as: me, json: { name: 'REWE' } })
  const food = await book(me, account, { description: 'Food', payeeId: payee.id })
  await book(me, account, { description: 'Rent' })
  return { me, account, payee, food }
}

it('an export takes a line, whose names are found when it is made', async () => {
  const { me, payee, food } = await household()
  const scope = { q: 'payee:rewe -rent' }
  const table = tableOf(await exported(me, { format: 'csv', scope }))
  expect(table.map(({ id }) => id)).toEqual([food.id])
  const wrong = { format: 'csv', scope: { q: 'payee:nobody' } } as const
  expect(refusal(await call(createExport, { as: me, json: wrong }))).toEqual([
    ...[400, 'search.unknownName', 'scope.q'],
  ])
  for (const [q, code] of [
    ['foo:bar', 'search.unknownField'],
    ['-', 'search.malformed'],
    ['payee:nobody', 'search.unknownName'],
  ] as const) {
    const json = { every: 'month', day: 1, keep: 3, scope: { q } } as const
    const path = { format: 'csv' }
    const refused = await call(setExportSchedule, { as: me, path, json })
    expect(refusal(refused)).toEqual([400, code, 'scope.q'])
    const once = await call(createExport, { as: me, json: { format: 'csv', scope: { q } } })
    expect(refusal(once)).toEqual([400, code, 'scope.q'])
  }
  const json = { every: 'month', day: 1, keep: 3, scope } as const
  const schedule = await ok(setExportSchedule, { as: me, path: { format: 'csv' }, json })
  expect(schedule.scope).toMatchObject(scope)
  await ok(updatePayee, { as: me, id: payee.id, json: { name: 'Edeka' } })
  expect((await makeExport(me, { format: 'csv', scope: { q: 'payee:edeka' } })).state).toBe('ready')
})

it.each([
  ['foo:bar', 'search.unknownField'],
  ['-', 'search.malformed'],
  ['payee:nobody', 'search.unknownName'],
])('%s changes nothing and ticks nothing', async (q, code) => {
  const { me, account } = await household()
  const json = { filter: { q }, changes: { note: 'x' } }
  expect(refusal(await call(updateTransactions, { as: me, json }))).toEqual([400, code, 'filter.q'])
  const statement = { accountId: account.id, statementDate: '2026-11-30', closingBalance: '0' }
  const { id } = await ok(startReconciliation, { as: me, json: statement })
  const tick = await call(updateReconciliation, { as: me, id, json: { tickWhere: { q } } })
  expect(refusal(tick)).toEqual([400, code, 'tickWhere.q'])
})

it('a register refuses a condition that no list takes', async () => {
  const { me, account } = await household()
  const register = (condition: string) =>
    call(getRegister, { as: me, id: account.id, query: { condition } })
  expect(refusal(await register('{"field":"x"}'))).toEqual([
    ...[400, 'conditions.invalid', 'condition.field'],
  ])
  expect(refusal(await register('x'))).toEqual([400, 'request.invalid', 'condition'])
})

it('of more than 5,000 payees those are compared that have one of the words in their own key', async () => {
  const { me, payee, food } = await household()
  await storePayees(me.id, 5001, 'Other')
  const { condition } = await ok(parseSearch, { as: me, json: { q: 'payee:rewe' } })
  expect(condition).toMatchObject({ value: [payee.id] })
  const { groups } = await ok(searchAll, { as: me, query: { q: 'rewe' } })
  expect(groups.flatMap(({ hits }) => hits.map(({ id }) => id))).toEqual([payee.id, food.id])
  const { error } = await call(parseSearch, { as: me, json: { q: 'payee:other' } })
  expect([error.code, error.error]).toEqual([
    'search.malformed',
    '“payee:other” fits more than 100 names. Write more of the name.',
  ])
})

it('a saved view comes back from a backup for another user with the ids that things have there', async () => {
  const { me, account, payee } = await household()
  const condition = JSON.stringify({ field: 'payeeId', op: 'is', value: payee.id })
  const q = `payee:none,${payee.id} account:${account.id}`
  const parameters = { accountId: account.id, condition, q }
  await ok(createSavedView, { as: me, json: { name: 'REWE', of: 'transactions', parameters } })
  const { id: second } = await newAccount(me)
  const accountIds = `${account.id},${second}`
  await ok(createSavedView, {
    ...{ as: me, json: { name: 'Spent', of: 'spending', parameters: { accountIds, q } } },
  })
  const { archive } = await backedUp(me)
  const other = await newUser()
  expect((await restored(other, archive)).state).toBe('done')
  const { savedViews } = await ok(listSavedViews, { as: other })
  expect(savedViews).toMatchObject([
    { name: 'REWE', missing: [] },
    { name: 'Spent', missing: [] },
  ])
  const [view, report] = savedViews
  for (const { path } of savedViews) {
    expect(path).not.toMatch(new RegExp(`${payee.id}|${account.id}|${second}`))
  }
  expect(report?.parameters['accountIds']).toHaveLength(2)
  const query = view?.parameters ?? {}
  expect((await ok(listTransactions, { as: other, query })).count).toBe(1)
})

it.each<[object, string, ('transactions' | 'spending' | 'cashFlow')?]>([
  [{ q: 'payee:gone by:me', condition: { field: 'amount', op: 'is', value: '1' } }, 'done'],
  [{ q: 'foo:bar' }, 'failed'],
  [{ q: '-' }, 'failed'],
  [{ condition: { field: 'nothing' } }, 'failed'],
  [{ period: 'lastMonth', limit: '5' }, 'done', 'spending'],
  [{ period: 'thisyear' }, 'failed', 'spending'],
  [{ from: '2026-02-01', to: '2026-01-01' }, 'failed', 'cashFlow'],
])('an archive with a saved view of %j is %s', async (parameters, state, of = 'transactions') => {
  const [me, other] = [await newUser(), await newUser()]
  const view = { name: 'View', of, parameters: {} }
  await ok(createSavedView, { as: me, json: view })
  const files = await contentsOf(me, (await backedUp(me)).id)
  const forgery = forged(files, {
    rows: {
      saved_views: (rows) =>
        rows.map((row) => ({ ...row, parameters: JSON.stringify(parameters) })),
    },
  })
  expect((await restored(other, await packed(forgery))).state).toBe(state)
})
