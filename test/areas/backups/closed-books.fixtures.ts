import { getPeriodLock } from '../../../src/areas/money/period-locks/period-locks.routes.ts'
import { createCategory } from '../../../src/areas/money/categories/categories.routes.ts'
import { listBalanceAssertions } from '../../../src/areas/money/balance-assertions/balance-assertions.routes.ts'
import { getUserAccounts } from '../../../src/areas/money/accounts/accounts.routes.ts'
import { listPeriodLocks } from '../../../src/areas/money/period-locks/period-locks.routes.ts'
import {
  getReconciliation,
  listReconciliationRows,
  listReconciliations,
} from '../../../src/areas/money/reconciliations/reconciliations.routes.ts'
import {
  listTransactions,
  matchSplit,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import { createTransfer } from '../../../src/areas/money/transfers/transfers.routes.ts'
import { listTrash } from '../../../src/areas/money/trash/trash.routes.ts'
import { setAllocation } from '../../../src/areas/planning/budgets/amounts/amounts.routes.ts'
import {
  closeBudgetPeriod,
  listBudgets,
} from '../../../src/areas/planning/budgets/budgets.routes.ts'
import { getBudgetPeriod } from '../../../src/areas/planning/budgets/periods/periods.routes.ts'
import { ok, type Principal } from '../../support/api.ts'
import { newAccount, newUser, type TestUser } from '../../support/world.ts'
import { file } from '../attachments/filing.ts'
import { assert } from '../balance-assertions/asserting.ts'
import { newBudget, newLine } from '../budgets/budgets.fixtures.ts'
import { lock } from '../period-locks/locking.ts'
import { finish, start, tick } from '../reconciliations/reconciling.ts'
import { book, change } from '../transactions/booking.ts'
import { dropTransaction, dropTransfer } from '../trash/trashing.ts'

/** Books that were reconciled, sealed and budgeted, with parts that are transfers and things in the trash. */
export interface ClosedBooks {
  me: TestUser
  everyday: { id: string }
  savings: { id: string }
  /** Of May: under the soft lock alone. */
  may: { id: string }
}

const JANUARY = '2025-01-01'

/** @param user whose books they are, in place of a new user's */
export async function newClosedBooks(user?: TestUser): Promise<ClosedBooks> {
  const me = user ?? (await newUser())
  const opening = { openingBalance: '1000', openingDate: JANUARY }
  const everyday = await newAccount(me, { name: 'Everyday', ...opening })
  const savings = await newAccount(me, { name: 'Savings' })
  const tokyo = await newAccount(me, { name: 'Tokyo', currency: 'JPY' })
  const food = await ok(createCategory, { as: me, json: { name: 'Food', kind: 'expense' } })
  const cleared = { status: 'cleared' } as const
  const whole = await book(me, everyday, {
    ...{ ...cleared, date: '2025-01-10', amount: '60' },
    splits: [
      { amount: '30', categoryId: food.id },
      { amount: '20', transferAccountId: savings.id, note: 'Put by' },
      { amount: '10', transferAccountId: tokyo.id, transferAmount: '1600' },
    ],
  })
  const parted = await book(me, everyday, {
    ...{ ...cleared, date: '2025-01-11', amount: '50' },
    splits: [{ amount: '20' }, { amount: '30' }],
  })
  const arrived = await book(me, savings, { kind: 'income', date: '2025-01-11', amount: '30' })
  await ok(matchSplit, {
    ...{ as: me, path: { id: parted.id, lineId: parted.splits[1]?.id ?? '' } },
    json: { transactionId: arrived.id },
  })
  const february = await book(me, everyday, { ...cleared, date: '2025-02-01', amount: '5' })
  const may = await book(me, everyday, { ...cleared, date: '2025-05-05', amount: '11' })
  const move = { fromAccountId: everyday.id, toAccountId: savings.id, date: '2025-02-02' }
  await ok(createTransfer, { as: me, json: { ...move, amount: '100' } })
  const bill = await file(me)
  const first = await start(me, everyday, {
    ...{ statementDate: '2025-01-31', closingBalance: '888.60', attachmentId: bill.id },
  })
  await tick(me, first, { tickWhere: { from: JANUARY } })
  await finish(me, first, { adjust: true, description: 'Rounding of the bank' })
  const second = await start(me, everyday, {
    ...{ statementDate: '2025-02-28', closingBalance: '783.60', note: 'Second' },
  })
  await tick(me, second, { tickWhere: { from: '2025-02-01' } })
  await finish(me, second)
  await change(me, february, { amount: '7', force: true })
  await start(me, savings, { statementDate: '2025-02-28', closingBalance: '150' })
  await assert(me, everyday, { date: '2025-01-31', amount: '888.60', note: 'Statement' })
  const budget = await newBudget(me, { mode: 'envelope' })
  const line = await newLine(me, budget, 'Rent', { policy: 'both' })
  const path = { id: budget.id, period: '2026-01-01' }
  await ok(setAllocation, { as: me, path: { ...path, lineId: line.id }, json: { assigned: '40' } })
  await ok(closeBudgetPeriod, { as: me, path })
  await lock(me, { through: '2025-06-30', require: ['noPending'], reason: 'Half a year' })
  await lock(me, { accountId: everyday.id, through: '2025-03-31', kind: 'hard' })
  await change(me, whole, { note: 'Words stay free' })
  await dropTransaction(me, await book(me, everyday, { date: '2025-07-01', amount: '8' }))
  const gone = await ok(createTransfer, {
    ...{ as: me, json: { ...move, date: '2025-07-02', amount: '9' } },
  })
  await dropTransfer(me, gone)
  return { me, everyday, savings, may }
}

/** What somebody sees of such books, without ids, and what follows from them. */
export async function seenBy(as: Principal): Promise<string> {
  const query = { limit: 200 }
  const { reconciliations } = await ok(listReconciliations, { as, query })
  const { periodLocks } = await ok(listPeriodLocks, { as, query })
  const { budgets } = await ok(listBudgets, { as, query })
  const each = <Item extends { id: string }, Found>(
    items: Item[],
    look: (id: string) => Promise<Found>,
  ) => Promise.all(items.map(({ id }) => look(id)))
  const seen = {
    accounts: (await ok(getUserAccounts, { as })).accounts,
    transactions: (await ok(listTransactions, { as, query })).transactions,
    reconciliations: await each(reconciliations, (id) => ok(getReconciliation, { as, id })),
    rows: await each(reconciliations, (id) => ok(listReconciliationRows, { as, id })),
    locks: await each(periodLocks, (id) =>
      ok(getPeriodLock, { as, id, query: { verify: 'true' } }),
    ),
    assertions: (await ok(listBalanceAssertions, { as, query })).balanceAssertions,
    periods: await each(budgets, (id) =>
      ok(getBudgetPeriod, { as, path: { id, period: '2026-01-01' } }),
    ),
    trash: (await ok(listTrash, { as, query })).items,
  }
  return JSON.stringify(seen, (key, value: unknown) => (NOT_EQUAL.has(key) ? undefined : value), 1)
    .replaceAll(ID, '*')
    .replaceAll(/"actorId": (?:null|"\*")/g, '"actorId"')
}

const ID = /\b[a-z]{2,8}_[0-9a-hjkmnp-tv-z]{26}(?:-\d+)?/g

/** Hashes of ids, and what the service adds up only now. */
const NOT_EQUAL = new Set(['seal'])
