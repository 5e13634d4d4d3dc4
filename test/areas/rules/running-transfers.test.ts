import { describe, expect, it } from 'vitest'
import { createAccessToken } from '../../../src/areas/identity/access-tokens/access-tokens.routes.ts'
import { createPeriodLock } from '../../../src/areas/money/period-locks/period-locks.routes.ts'
import { runRules } from '../../../src/areas/money/rules/rules.routes.ts'
import { createTag } from '../../../src/areas/money/tags/tags.routes.ts'
import {
  getTransaction,
  listTransactionVersions,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import { unmatchTransfer } from '../../../src/areas/money/transfers/transfers.routes.ts'
import { call, ok, type Principal } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { differencesOf } from '../ledger/ledger.ts'
import { balanceOf, book, close, newCategory, refusal, tripsOf } from '../transactions/booking.ts'
import { newRule } from './ruling.ts'

const AMZN = { payeeRaw: 'AMZN Mktp DE' }
const ALL = { filter: { from: '2020-01-01' } }

type Body = Partial<NonNullable<NonNullable<Parameters<typeof ok<typeof runRules>>[1]>['json']>>

const run = (as: Principal, json: Body = {}) => ok(runRules, { as, json: { ...ALL, ...json } })

const refusedRun = async (as: Principal, json: Body = {}) =>
  refusal(await call(runRules, { as, json: { ...ALL, ...json } })).slice(0, 2)

const legs = (id: string) => [`${id}-1`, `${id}-2`] as const

async function scene() {
  const me = await newUser()
  const [one, two] = [await newAccount(me), await newAccount(me)]
  return { me, one, two }
}

describe('a run makes transfers', () => {
  it('of expenses and incomes, with what other rules say, in one commit', async () => {
    const { me, one, two } = await scene()
    const tag = await ok(createTag, { as: me, json: { name: 'saved' } })
    const out = await book(me, one, { ...AMZN, amount: '40', status: 'cleared' })
    const back = await book(me, one, { ...AMZN, amount: '15', kind: 'income' })
    const other = await book(me, one, { ...AMZN, description: 'stays', amount: '1' })
    const rules = [
      await newRule(me, { changes: { note: 'moved', addTagIds: [tag.id] } }),
      await newRule(me, {
        condition: { not: { field: 'description', op: 'is', value: 'stays' } },
        changes: { transferAccountId: two.id, description: 'Savings' },
      }),
    ].map(({ id }) => id)

    const dry = await run(me, { dryRun: true })
    const transferred = { field: 'transferAccountId', before: null, after: two.id }
    expect(dry).toMatchObject({ changed: 3, invalid: 0 })
    expect(dry.results.find(({ id }) => id === out.id)?.changes).toContainEqual({
      ...{ ...transferred, ruleId: rules[1] },
    })
    expect(await ok(getTransaction, { as: me, id: out.id })).toMatchObject({ version: 1 })

    const answer = await call(runRules, { as: me, json: ALL })
    expect(answer.body).toMatchObject({ changed: 3 })
    expect(tripsOf(answer)).toBe(3)
    const words = { description: 'Savings', note: 'moved', tagIds: [tag.id], kind: 'transfer' }
    const [from, to] = legs(out.id)
    expect(await ok(getTransaction, { as: me, id: from })).toMatchObject({
      ...{ ...words, accountId: one.id, status: 'cleared', version: 1 },
    })
    expect(await ok(getTransaction, { as: me, id: to })).toMatchObject({
      ...{ ...words, accountId: two.id, status: 'uncleared' },
    })
    expect(await ok(getTransaction, { as: me, id: legs(back.id)[0] })).toMatchObject({
      ...{ ...words, accountId: two.id },
    })
    expect(await ok(getTransaction, { as: me, id: other.id })).toMatchObject({
      ...{ kind: 'expense', note: 'moved', version: 2 },
    })
    expect([await balanceOf(me, one), await balanceOf(me, two)]).toEqual(['-26.00', '25.00'])
    const { versions } = await ok(listTransactionVersions, { as: me, id: from })
    expect(versions.filter(({ ruleIds }) => ruleIds.length > 0)).toMatchObject([
      { action: 'transfer.matched', ruleIds: rules },
    ])
    expect(await differencesOf(me)).toEqual([])

    const id = out.id.replace('txn_', 'trf_')
    const parted = await ok(unmatchTransfer, { as: me, id })
    expect(parted.from).toMatchObject({ id: out.id, note: 'moved', description: 'Savings' })
    expect(parted.to).toBe(null)
    expect(await differencesOf(me)).toEqual([])
  })

  it('but keeps categories and parts, and leaves out accounts that cannot have the other leg', async () => {
    const { me, one } = await scene()
    const [shut, yen] = [await newAccount(me), await newAccount(me, { currency: 'JPY' })]
    const category = await newCategory(me)
    await close(shut)
    const splits = [
      { amount: '2.30', categoryId: category.id },
      { amount: '10.00', categoryId: category.id },
    ]
    const held = await book(me, one, { ...AMZN, categoryId: category.id })
    const parts = await book(me, one, { ...AMZN, splits })
    const failures = async (transferAccountId: string, ids: string[], overwrite = true) => {
      const rule = await newRule(me, { changes: { transferAccountId } })
      const json = { ids, ruleIds: [rule.id], overwrite }
      const { results, changed } = await ok(runRules, { as: me, json })
      return [changed, ...results.flatMap(({ failed }) => failed.map(({ code }) => code))]
    }
    const two = await newAccount(me)
    expect(await failures(two.id, [held.id], false)).toEqual([0])
    for (const [account, row] of [
      ...[shut, yen, one].map((account) => [account, held] as const),
      [two, parts] as const,
    ]) {
      expect(await failures(account.id, [row.id])).toEqual([0, 'rules.cannotTransfer'])
    }
    expect(await failures(two.id, [held.id])).toEqual([1])
    expect(await differencesOf(me)).toEqual([])
  })

  it('of reconciled and locked transactions with force alone', async () => {
    const { me, one, two } = await scene()
    await newRule(me, { changes: { transferAccountId: two.id } })
    const held = await book(me, one, { ...AMZN, status: 'reconciled', applyRules: false })
    expect(await refusedRun(me)).toEqual([409, 'transfers.reconciled'])
    expect(await run(me, { dryRun: true })).toMatchObject({
      ...{ invalid: 1, results: [{ id: held.id, code: 'transfers.reconciled' }] },
    })
    expect(await run(me, { force: true })).toMatchObject({ changed: 1 })
    const [from] = legs(held.id)
    expect(await ok(getTransaction, { as: me, id: from })).toMatchObject({ status: 'reconciled' })

    const late = await book(me, one, { ...AMZN, applyRules: false })
    const lock = { accountId: two.id, through: '2026-11-20', kind: 'soft', reason: 'x' } as const
    await ok(createPeriodLock, { as: me, json: lock })
    expect(await refusedRun(me)).toEqual([409, 'locks.periodLocked'])
    expect(await run(me, { dryRun: true })).toMatchObject({ invalid: 1 })
    expect(await run(me, { force: true })).toMatchObject({ changed: 1 })
    const { versions } = await ok(listTransactionVersions, { as: me, id: legs(late.id)[1] })
    expect(versions[0]).toMatchObject({ forced: true })
    expect(await differencesOf(me)).toEqual([])
  })

  it('with accounts that an access token has', async () => {
    const { me, one, two } = await scene()
    await newRule(me, { changes: { transferAccountId: two.id } })
    const { id } = await book(me, one, { ...AMZN, applyRules: false })
    const { token } = await ok(createAccessToken, {
      as: me,
      json: {
        name: 'x',
        scopes: ['transactions.write'],
        accountIds: [one.id],
        password: me.password,
      },
    })
    const as = { accessToken: token }
    expect((await run(as)).results).toMatchObject([
      { id, status: 'unchanged', failed: [{ code: 'rules.cannotTransfer' }] },
    ])
    expect(await run(me)).toMatchObject({ changed: 1 })
  })
})
