import { env } from 'cloudflare:workers'
import { afterEach, expect, it, vi } from 'vitest'
import { revertImport } from '../../../src/areas/intake/imports/imports.routes.ts'
import { createRule } from '../../../src/areas/money/rules/rules.routes.ts'
import { watchBudgets } from '../../../src/areas/planning/budgets/alerts/alerts.usecases.ts'
import { systemContext } from '../../../src/platform/system-context.ts'
import { ok, rows } from '../../support/api.ts'
import { testPorts } from '../../support/ports.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { newBudget, newLine } from '../budgets/budgets.fixtures.ts'
import { committed, csv, settled, uploaded } from '../imports/importing.ts'
import { newItem, settle, today } from '../recurring/recurring.fixtures.ts'
import { share } from '../sharing/sharing.ts'
import { alertsRead, listed, news, setAlert } from './notifications.fixtures.ts'

afterEach(() => void vi.useRealTimers())

const OPENED = { openingBalance: '500.00', openingDate: '2026-01-01' }

it('an import tells of its large expenses at once, and of the balance that it leaves', async () => {
  const [me, friend] = [await newUser(), await newUser()]
  const account = await newAccount(me, OPENED)
  await share(me, account, friend)
  for (const as of [me, friend]) {
    await setAlert(as, account, { below: '100.00', above: '99.99' })
  }
  const amounts = ['-150.00', '-99.99', '-100.00', '300.00', '-600.00', '120.00']
  const file = csv(amounts.map((amount, day) => `2026-03-1${day},SHOP ${day},${amount}`))
  const { id } = await uploaded(me, file, { accountId: account.id })
  await committed(me, id)
  for (const as of [me, friend]) {
    expect((await news(as)).toSorted()).toEqual(['account.balanceLow', 'transaction.large'])
    expect(await listed(as, { kind: 'transaction.large' })).toMatchObject([
      {
        ...{ resourceType: 'account', resourceId: account.id, accountId: account.id },
        facts: { importId: id, count: 3 },
      },
    ])
  }
  await ok(revertImport, { as: me, id, json: { force: true } })
  expect(await settled(me, id)).toMatchObject({ state: 'reverted' })
  expect(await news(me)).toEqual([])
  const again = await uploaded(me, csv(['2026-03-20,RENT,-450.00']), { accountId: account.id })
  await committed(me, again.id)
  expect((await news(me)).toSorted()).toEqual(['account.balanceLow', 'transaction.large'])
})

it('an import whose rows a rule categorizes tells once that a limit is reached', async () => {
  const me = await newUser()
  const account = await newAccount(me, OPENED)
  const budget = await newBudget(me, { mode: 'limit', policy: 'none', thresholds: [50] })
  const { id: lineId, categoryId } = await newLine(me, budget, 'Food', { amount: '200.00' })
  await ok(createRule, {
    as: me,
    json: {
      name: 'Food',
      condition: { field: 'payeeRaw', op: 'contains', value: 'SHOP' },
      changes: { categoryId },
    },
  })
  const lines = ['2026-11-02,SHOP,-60.00', '2026-11-03,SHOP,-60.00', '2026-11-04,OTHER,-900.00']
  const { id } = await uploaded(me, csv(lines), { accountId: account.id })
  await committed(me, id)
  const now = Date.UTC(2026, 10, 20, 12)
  for (const ahead of [0, 1, 2]) {
    await watchBudgets(systemContext(env, 'sweep', { ...testPorts, now: () => now + ahead }))
  }
  expect(await listed(me)).toMatchObject([
    {
      ...{ kind: 'budget.thresholdReached', resourceType: 'budget', resourceId: budget.id },
      facts: { lineId, period: '2026-11-01', threshold: 50 },
    },
  ])
})

it('what the service books itself is told, too', async () => {
  today('2026-01-10')
  const me = await newUser()
  const account = await newAccount(me, OPENED)
  await setAlert(me, account, { below: '480.00', above: '49.99' })
  await newItem(me, account)
  today('2026-01-16')
  await settle(me)
  await settle(me)
  await alertsRead()
  const kinds = await rows<{ kind: string }>(
    'SELECT kind FROM notifications WHERE user_id = ? ORDER BY kind',
    me.id,
  )
  expect(kinds.map(({ kind }) => kind)).toEqual(['account.balanceLow', 'transaction.large'])
  const told = await rows<{ type: string; owner: string; account: string | null }>(
    `SELECT type, owner_id AS owner, account_id AS account FROM log_entries
      WHERE type IN ('account.balanceLow', 'transaction.large') AND owner_id = ?`,
    me.id,
  )
  expect(told).toHaveLength(2)
  expect(new Set(told.map(({ account: named }) => named))).toEqual(new Set([null]))
})
