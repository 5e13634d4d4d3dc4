import { createTransaction } from '../../src/areas/money/transactions/transactions.usecases.ts'
import { recurringPricesReader } from '../../src/areas/planning/recurring/recurring.readers.ts'
import { createRecurring } from '../../src/areas/planning/recurring/recurring.usecases.ts'
import type {
  ItemInput,
  RecurringTransaction,
} from '../../src/areas/planning/recurring/recurring.rules.ts'
import { addDays } from '../../src/domain/calendar.ts'
import { exampleId } from '../../src/domain/ids.ts'
import { occurrencesBetween, type Schedule } from '../../src/domain/schedules/schedules.ts'
import { runReaders } from '../../src/platform/work/readers.ts'
import type { Settled } from './person.ts'

interface PlannedItem extends Partial<ItemInput> {
  name: string
  mode: ItemInput['mode']
  schedule: Schedule | null
  transaction: RecurringTransaction
}

/** On a day of each month, or of every few months; on the weekday after it where that is a weekend. */
const monthly = (anchor: string, count = 1): Schedule => ({
  ...{ unit: 'month', count, anchor },
  ...{ shortMonth: 'last', weekend: 'after' },
})

function itemsOfFirst(today: string, { accounts, categories }: Settled): PlannedItem[] {
  const on = (key: string) => ({ accountId: accounts.get(key)?.id ?? '' })
  const of = (name: string) => ({ categoryId: categories.get(name) })
  return [
    {
      name: 'Piano lessons',
      mode: 'ask',
      schedule: { ...monthly('2026-01-15'), weekend: 'keep' },
      transaction: { kind: 'expense', ...on('everyday'), amount: '45', ...of('Leisure') },
    },
    {
      name: 'Service charge',
      purpose: 'bill',
      mode: 'post',
      schedule: monthly('2026-01-02'),
      transaction: { kind: 'expense', ...on('everyday'), amount: '285', ...of('Rent') },
    },
    {
      name: 'Salary',
      purpose: 'income',
      mode: 'expect',
      schedule: { ...monthly('2026-01-25'), weekend: 'before' },
      transaction: { kind: 'income', ...on('everyday'), amount: '3120', ...of('Salary') },
    },
    {
      name: 'City works',
      purpose: 'bill',
      mode: 'expect',
      amountIs: 'about',
      schedule: monthly('2026-01-05'),
      transaction: { kind: 'expense', ...on('everyday'), amount: '112.40', ...of('Utilities') },
    },
    {
      name: 'Home insurance',
      purpose: 'bill',
      mode: 'expect',
      // It was due twelve days ago, and is late.
      schedule: { ...monthly(addDays(today, -12), 3), weekend: 'keep' },
      transaction: { kind: 'expense', ...on('everyday'), amount: '86.20', ...of('Fees') },
    },
    {
      name: 'Set aside',
      mode: 'post',
      schedule: monthly('2026-01-26'),
      transaction: {
        kind: 'transfer',
        fromAccountId: accounts.get('everyday')?.id ?? '',
        toAccountId: accounts.get('savings')?.id ?? '',
        amount: '1000',
      },
    },
    {
      name: 'Lunch with the parents',
      mode: 'ask',
      schedule: null,
      transaction: { kind: 'expense', ...on('card'), amount: '60', ...of('Dining') },
    },
  ]
}

function itemsOfSecond(_: string, { accounts, categories }: Settled): PlannedItem[] {
  const on = (key: string) => ({ accountId: accounts.get(key)?.id ?? '' })
  return [
    {
      name: 'Salary',
      purpose: 'income',
      mode: 'expect',
      schedule: { ...monthly('2026-01-27'), weekend: 'before' },
      transaction: {
        ...{ kind: 'income', ...on('current'), amount: '2480' },
        categoryId: categories.get('Salary'),
      },
    },
  ]
}

/** The place of the home insurance among the items of the first person. */
export const HOME_INSURANCE = 5

const USUAL: Omit<ItemInput, 'name' | 'mode' | 'schedule' | 'transaction'> = {
  ...{ purpose: 'other', amountIs: 'exact', amountMax: null, tolerancePercent: null },
  ...{ dayWindow: 3, leadDays: 3, graceDays: 2, remindOn: null, active: true, note: null },
}

/** Examples from here on stand for transactions that are never stored. */
const CHECKED = 90

/** What a subscription has cost, up to today: it became dearer. */
const PRICES = ['9.99', '9.99', '9.99', '10.99', '10.99']

/** A subscription with what was paid for it. The service sees that its price has changed. */
async function subscribe(today: string, { as, accounts, categories }: Settled): Promise<void> {
  const schedule = monthly('2025-01-12')
  const past = occurrencesBetween(schedule, schedule.anchor, today).filter(
    (one): one is { nominalDate: string; date: string } => one.date !== null && one.date <= today,
  )
  const transaction = {
    ...({ kind: 'expense', description: 'Series and films' } as const),
    ...{ accountId: accounts.get('amex')?.id ?? '', categoryId: categories.get('Leisure') },
  }
  const transactionIds: string[] = []
  for (const [at, { date }] of past.slice(-PRICES.length).entries()) {
    const paid = { ...transaction, date, amount: PRICES[at] ?? '', status: 'cleared' as const }
    const { row } = await createTransaction(as('transactions.write', date), paid)
    transactionIds.push(row.transactionId)
  }
  const { caller: _, ...noon } = as('recurring.write', today)
  const seeToPrices = () =>
    runReaders([recurringPricesReader], (operation) => ({ ...noon, operation, access: 'system' }))
  await seeToPrices()
  await createRecurring(as('recurring.write', today), {
    ...{ ...USUAL, name: 'Streaming', purpose: 'subscription', mode: 'expect', schedule },
    ...{ transaction: { ...transaction, amount: PRICES[0] ?? '' }, transactionIds },
    from: past.at(-PRICES.length)?.nominalDate,
  })
  await seeToPrices()
}

/** What comes again in a household: each item counts from a day two weeks ago. */
export async function addRecurring(today: string, person: Settled): Promise<void> {
  const isFirst = person.accounts.has('everyday')
  const items = isFirst ? itemsOfFirst(today, person) : itemsOfSecond(today, person)
  for (const [nth, item] of items.entries()) {
    // The transaction that an item describes is made to be checked, and takes the first id.
    const ids = isFirst ? [exampleId('txn', CHECKED + nth), exampleId('rec', nth + 1)] : []
    const ctx = person.as('recurring.write', today, ids)
    const from = item.mode === 'expect' ? addDays(today, -14) : today
    await createRecurring(ctx, { ...USUAL, ...item, from })
  }
  await (isFirst ? undefined : subscribe(today, person))
}
