import { describe, expect, it } from 'vitest'
import {
  getCashFlow,
  getIncomeStatement,
  getSpending,
} from '../../../src/areas/insight/reports/flows/flows.routes.ts'
import {
  createSavedView,
  getSavedView,
  updateSavedView,
} from '../../../src/areas/insight/saved-views/saved-views.routes.ts'
import { deleteAccount } from '../../../src/areas/money/accounts/accounts.routes.ts'
import { createPayee } from '../../../src/areas/money/payees/payees.routes.ts'
import { call, fetchRaw, ok, type Principal } from '../../support/api.ts'
import { someId } from '../../support/of-file.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { book, refusal, tripsOf } from '../transactions/booking.ts'

type Wanted = NonNullable<NonNullable<Parameters<typeof call<typeof createSavedView>>[1]>['json']>
type Of = Wanted['of']

let serial = 0

const saving = (as: Principal, of: Of, parameters: Wanted['parameters']) =>
  call(createSavedView, {
    as,
    json: { name: `View ${++serial}`, of, parameters },
  })

const get = async (as: Principal, path: string) => {
  const response = await fetchRaw(path, { headers: { Authorization: `Bearer ${as.accessToken}` } })
  return { status: response.status, body: (await response.json()) as unknown }
}

async function newBooks() {
  const me = await newUser()
  const [one, other] = [await newAccount(me), await newAccount(me)]
  const { id: payeeId } = await ok(createPayee, { as: me, json: { name: 'Corner shop' } })
  await book(me, one, { date: '2026-01-05', amount: '10', payeeId })
  await book(me, other, { date: '2026-02-05', amount: '20', payeeId })
  await book(me, one, { date: '2026-02-06', amount: '40' })
  await book(me, one, { date: '2026-03-06', amount: '80', kind: 'income' })
  return { me, one, other, payeeId }
}

describe('a saved view of a report', () => {
  it('has an address that answers what the report does with its parameters', async () => {
    const { me, one, other, payeeId } = await newBooks()
    const condition = JSON.stringify({ field: 'amount', op: 'below', value: '50' })
    const accountIds = `${one.id},${other.id}`
    const span = { from: '2026-01-01', to: '2026-03-31' }
    const views = [
      ['incomeStatement', getIncomeStatement, '/report/income-statement', {}],
      ['incomeStatement', getIncomeStatement, '/report/income-statement', { ...span, condition }],
      ['incomeStatement', getIncomeStatement, '/report/income-statement', { ...span, accountIds }],
      [
        ...(['spending', getSpending, '/report/spending'] as const),
        { period: '2026-Q1', by: 'payee', limit: '1', interval: 'month', q: 'payee:"corner shop"' },
      ],
      ['spending', getSpending, '/report/spending', { ...span, q: `payee:${payeeId}` }],
      [
        ...(['spending', getSpending, '/report/spending'] as const),
        { ...span, by: 'account', accountIds: one.id, currency: 'none' },
      ],
      ['cashFlow', getCashFlow, '/report/cash-flow', { period: 'last12Months', interval: 'month' }],
      ['cashFlow', getCashFlow, '/report/cash-flow', { ...span, accountIds }],
    ] as const
    for (const [of, route, path, query] of views) {
      const created = await saving(me, of, query)
      expect([created.status, created.body.path.split('?')[0]], created.text).toEqual([201, path])
      const view = await ok(getSavedView, { as: me, id: created.body.id })
      expect(view).toMatchObject({ of, missing: [] })
      const sent = Object.entries(view.parameters).map(([name, value]) => [name, String(value)])
      expect(Object.fromEntries(sent)).toEqual(query)
      const answer = await call(route, { as: me, query: query as Record<string, string> })
      expect(await get(me, view.path)).toEqual({ status: 200, body: answer.body })
    }
  })

  it('costs as much as any other view, and tells which ids in it are gone', async () => {
    const { me, one, other } = await newBooks()
    const parameters = { accountIds: `${one.id},${other.id}` }
    const created = await saving(me, 'cashFlow', parameters)
    expect(tripsOf(created)).toBe(2)
    expect(created.body.parameters).toEqual({ accountIds: [one.id, other.id] })
    await ok(deleteAccount, { as: me, id: other.id })
    const view = await ok(getSavedView, { as: me, id: created.body.id })
    expect(view.missing).toEqual([other.id])
    expect((await get(me, view.path)).body).toMatchObject({ code: 'reports.unknownAccount' })
    const json = { name: 'Flow' }
    const renamed = await ok(updateSavedView, { as: me, id: view.id, json })
    expect(renamed).toMatchObject({ name: 'Flow', missing: [other.id] })
  })

  const days = { from: '2024-01-01', to: '2026-01-01', interval: 'day' }

  it.each<[string, Of, Wanted['parameters'], string, string]>([
    ['a reversed span', 'spending', { from: '2026-02-01', to: '2026-01-01' }, 'spanInvalid', 'to'],
    ['half a span', 'cashFlow', { from: '2026-02-01' }, 'spanInvalid', 'to'],
    ['an unknown period', 'spending', { period: 'thisyear' }, 'spanInvalid', 'period'],
    ['too many days', 'incomeStatement', days, 'spanTooLong', 'interval'],
    ['an account', 'spending', { accountIds: someId('acc') }, 'unknownAccount', 'accountIds'],
  ])('is refused with %s, as the report is', async (_, of, parameters, code, field) => {
    const me = await newUser()
    const expected = [400, `reports.${code}`, `parameters.${field}`]
    expect(refusal(await saving(me, of, parameters))).toEqual(expected)
    const { body } = await saving(me, of, {})
    const json = { of, parameters }
    expect(refusal(await call(updateSavedView, { as: me, id: body.id, json }))).toEqual(expected)
    const query = new URLSearchParams(parameters as Record<string, string>).toString()
    const answer = await get(me, `${body.path}?${query}`)
    expect(answer).toMatchObject({ status: 400, body: { code: `reports.${code}`, field } })
  })

  it.each<[Of, Wanted['parameters'], string]>([
    ['cashFlow', { q: 'shop' }, 'parameters.q'],
    ['cashFlow', { by: 'tag' }, 'parameters.by'],
    ['incomeStatement', { limit: '5' }, 'parameters.limit'],
    ['spending', { limit: '501' }, 'parameters.limit'],
    ['spending', { currency: 'XXY' }, 'parameters.currency'],
    ['spending', { theme: 'dark' }, 'parameters.theme'],
  ])('of %s is refused with %o', async (of, parameters, field) => {
    const refused = await saving(await newUser(), of, parameters)
    expect(refusal(refused)).toEqual([400, 'request.invalid', field])
  })

  it('says that a number must be text', async () => {
    const parameters = { limit: 10 } as unknown as Wanted['parameters']
    const { error } = await saving(await newUser(), 'spending', parameters)
    expect([error.field, error.error]).toEqual([
      'parameters.limit',
      'parameters.limit must be text or a list, not a number.',
    ])
  })
})
