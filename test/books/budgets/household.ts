import { addDays } from '../../../src/domain/calendar.ts'
import type { Random } from '../../support/random.ts'
import { DIGITS, textOf } from '../../domain/reference.ts'
import type { Send } from '../books.ts'
import {
  type Account,
  type Budget,
  type Category,
  type Household,
  type Line,
  linesNow,
  type Member,
  type Named,
  type Rule,
  say,
} from './state.ts'
import { type Period, periodsOf, today } from './time.ts'

/** A household behind the interface and beside it. */
export interface Walk {
  sends: [Send, Send]
  random: Random
  household: Household
  groupId: string
}

export const text = (units: bigint, currency: string): string =>
  textOf(units, DIGITS[currency] ?? 0)

/** Everything happens on these days. */
export const firstDay = (): string => addDays(today(), -150)
export const lastDay = (): string => addDays(today(), 40)

export const anyDay = ({ random }: Walk): string => addDays(firstDay(), random.whole(0, 190))

type Made = { id: string }

const RATES: [from: string, to: string, rate: string][] = [
  ['USD', 'EUR', '0.85'],
  ['USD', 'JPY', '151.37'],
  ['BHD', 'USD', '2.653'],
]

export async function openHousehold(
  sends: [Send, Send],
  join: (groupId: string) => Promise<void>,
  random: Random,
): Promise<Walk> {
  const household: Household = {
    ...{ accounts: [], categories: [], tags: [], payees: [], rates: [], budgets: [] },
    lost: null,
    ...{ bookings: new Map(), trash: new Map(), matched: new Map() },
  }
  const group = await sends[0]<Made>('POST', '/group', { name: 'Home', baseCurrency: 'USD' })
  await join(group.id)
  const walk: Walk = { sends, random, household, groupId: group.id }
  for (const [from, to, rate] of RATES) {
    await addRate(walk, { from, to, rate, date: addDays(firstDay(), random.whole(0, 20)) })
  }
  await addAccounts(walk)
  await addCategories(walk)
  for (const name of ['Trip', 'Kids']) {
    household.tags.push((await sends[0]<Made>('POST', '/tag', { name })).id)
    household.payees.push((await sends[0]<Made>('POST', '/payee', { name: `${name} Ltd` })).id)
  }
  await addBudgets(walk)
  return walk
}

export async function addRate(
  { sends, household }: Walk,
  rate: { from: string; to: string; date: string; rate: string },
): Promise<void> {
  const { id } = await sends[0]<Made>('POST', '/exchange-rate', rate)
  household.rates.push({ id, ...rate })
}

async function addAccounts(walk: Walk): Promise<void> {
  const { sends, household, random, groupId } = walk
  const wanted: [Member, string, Account['type'], boolean, boolean][] = [
    [0, 'EUR', 'checking', true, true],
    [0, 'USD', 'checking', true, false],
    [0, 'JPY', 'checking', true, false],
    [0, 'EUR', 'creditCard', true, true],
    [0, 'USD', 'creditCard', true, false],
    [0, 'EUR', 'checking', false, false],
    [1, 'EUR', 'checking', true, true],
    [1, 'BHD', 'creditCard', true, true],
    [1, 'USD', 'checking', true, false],
  ]
  for (const [owner, currency, type, onBudget, isShared] of wanted) {
    const amount = BigInt(random.whole(-40_000, 200_000))
    const date = addDays(firstDay(), random.chance(0.6) ? 0 : random.whole(0, 100))
    const { id } = await sends[owner]<Made>('POST', '/account', {
      name: `Account ${household.accounts.length}`,
      ...{ currency, type, onBudget, openingDate: date, openingBalance: text(amount, currency) },
    })
    if (isShared) {
      await sends[owner]('PUT', `/account/${id}/share-group`, { groupId, permission: 'write' })
    }
    household.accounts.push({
      ...{ id, owner, currency, type, onBudget, isShared },
      ...{ isTrashed: false, isClosed: false },
    })
    household.bookings.set(`opening ${id}`, {
      ...{ is: 'single', id: `opening ${id}`, kind: 'opening', accountId: id, date },
      ...{ status: 'cleared', isPrivate: false, author: owner },
      parts: [{ amount, categoryId: null, payeeId: null, tagIds: [] }],
    })
  }
}

let serial = 0

export async function addCategory(
  { sends, household }: Walk,
  wanted: Pick<Category, 'owner' | 'kind' | 'parentId'>,
): Promise<string> {
  const { owner, kind, parentId } = wanted
  const json = { name: `Category ${++serial}`, kind, ...(parentId ? { parentId } : {}) }
  const { id } = await sends[owner]<Made>('POST', '/category', json)
  household.categories.push({ id, ...wanted, isExcluded: false })
  return id
}

async function addCategories(walk: Walk): Promise<void> {
  for (const owner of [0, 1] as const) {
    const shared = { owner, kind: 'expense' as const }
    const top = await addCategory(walk, { ...shared, parentId: null })
    const middle = await addCategory(walk, { ...shared, parentId: top })
    await addCategory(walk, { ...shared, parentId: middle })
    await addCategory(walk, { ...shared, parentId: top })
    await addCategory(walk, { ...shared, parentId: null })
    await addCategory(walk, { ...shared, parentId: null })
    await addCategory(walk, { owner, kind: 'income', parentId: null })
    await addCategory(walk, { owner, kind: 'income', parentId: null })
  }
}

const idsOf = ({ household }: Walk, owner: Member) =>
  household.categories
    .filter((one) => one.owner === owner && one.kind === 'expense')
    .map(({ id }) => id)

async function addBudgets(walk: Walk): Promise<void> {
  const { household } = walk
  const startsOn = addDays(today(), -130)
  const months: Rule = { unit: 'month', count: 1, anchor: '2026-01-01', weekend: 'keep' }
  const paydays: Rule = { unit: 'month', count: 1, anchor: '2026-01-25', weekend: 'before' }
  const fortnights: Rule = { unit: 'week', count: 2, anchor: '2026-02-06', weekend: 'keep' }
  const [ada, ben] = [idsOf(walk, 0), idsOf(walk, 1)]
  const [everyday = '', , , visa = '', , , giro = ''] = household.accounts.map(({ id }) => id)
  const shared = { startsOn, owner: 0 as const, isOfGroup: false, base: 'JPY' }
  const own = await addBudget(walk, { ...shared, mode: 'envelope', currency: 'EUR', rule: months })
  const limits = await addBudget(walk, {
    ...{ ...shared, mode: 'limit', currency: 'USD', rule: paydays },
    accountIds: household.accounts
      .filter(({ owner, id }) => owner === 0 || id === giro)
      .map(({ id }) => id),
  })
  const group = { ...shared, isOfGroup: true, base: 'USD' }
  const ours = await addBudget(walk, { ...group, mode: 'limit', currency: 'EUR', rule: fortnights })
  const pot = await addBudget(walk, {
    ...{ ...group, mode: 'envelope', currency: 'EUR', rule: { ...paydays, weekend: 'after' } },
    countPending: false,
  })
  for (const [at, id] of ada.slice(0, 5).entries()) {
    await addLine(
      walk,
      own,
      at === 3 ? { kind: 'category', ids: ada.slice(3, 4) } : { kind: 'category', ids: [id] },
    )
    await addLine(walk, limits, { kind: 'category', ids: [id, ...ada.slice(at + 2, at + 3)] })
  }
  await addLine(walk, limits, { kind: 'tag', ids: household.tags })
  await addLine(walk, limits, { kind: 'payee', ids: household.payees.slice(0, 1) })
  for (const budget of [limits, ours]) {
    await addLine(walk, budget, { kind: 'account', ids: [everyday, visa] })
    await addLine(walk, budget, { kind: 'everything', ids: [] })
    await addLine(walk, budget, { kind: 'tag', ids: household.tags.slice(1) })
  }
  for (const budget of [ours, pot]) {
    for (const at of [0, 2, 4]) {
      await addLine(walk, budget, { kind: 'category', ids: [ada[at] ?? '', ben[at] ?? ''] })
    }
  }
}

type Wanted = Pick<
  Budget,
  'mode' | 'currency' | 'rule' | 'startsOn' | 'owner' | 'isOfGroup' | 'base'
>

async function addBudget(
  { sends, household, groupId, random }: Walk,
  wanted: Wanted & Partial<Pick<Budget, 'accountIds' | 'countPending'>>,
): Promise<Budget> {
  const { mode, currency, rule, startsOn, owner, isOfGroup, accountIds = null } = wanted
  const policy = random.pick(['surplus', 'both', 'none', 'deficit'] as const)
  const countPending = wanted.countPending ?? true
  const { id } = await sends[owner]<Made>('POST', '/budget', {
    name: `Budget ${household.budgets.length}`,
    ...{ mode, currency, startsOn, policy, countPending, timeZone: 'UTC', lines: 'none' },
    period: rule.unit === 'month' ? rule : { ...rule, weekend: undefined },
    ...(isOfGroup ? { groupId } : {}),
    ...(accountIds ? { accounts: 'chosen', accountIds } : {}),
  })
  const budget: Budget = {
    ...{ ...wanted, id, accountIds, countPending, countTransfers: false },
    ...{ cards: [], incomeInNextPeriod: [], policies: [{ from: '', policy }], lines: [] },
    ...{ paymentLines: new Map(), amounts: new Map(), held: new Map(), movements: [] },
    ...{ targets: new Map(), closings: new Map() },
  }
  household.budgets.push(budget)
  return budget
}

export async function addLine(
  { sends, random }: Walk,
  budget: Budget,
  scope: Pick<Line, 'kind'> & { ids: string[] },
): Promise<void> {
  const isLimit = budget.mode === 'limit'
  const policy = random.pick(['none', 'surplus', 'deficit', 'both', null] as const)
  const cap = isLimit && random.chance(0.4) ? BigInt(random.whole(0, 20_000)) : null
  const amount = isLimit ? BigInt(random.whole(0, 50_000)) : null
  const parent = random.chance(0.3) ? linesNow(budget)[0] : undefined
  const parentLineId = parent?.id ?? null
  const { id } = await sends[0]<Made>('POST', `/budget/${budget.id}/line`, {
    ...{ name: `Line ${++serial}`, scope, policy, parentLineId },
    ...(amount === null ? {} : { amount: text(amount, budget.currency) }),
    ...(cap === null ? {} : { cap: text(cap, budget.currency) }),
  })
  // What a line is made with holds from the first open period.
  const line: Line = {
    ...{ id, kind: scope.kind, named: namedFrom(budget, scope.ids), parentLineId },
    ...{ said: [], endsIn: null, into: null },
  }
  const isOpen = ({ nominal }: Period) => !budget.closings.has(nominal)
  const from = budget.closings.size === 0 ? '' : (allPeriodsOf(budget).find(isOpen)?.nominal ?? '')
  say(line, { from, of: 'policy', value: policy })
  say(line, { from, of: 'cap', value: cap })
  say(line, { from, of: 'amount', value: amount })
  budget.lines.push(line)
}

/**
 * What a line names from now on holds in the past, too; but what an ended line of envelopes named stays with it in the periods
 * that it had.
 */
export const namedFrom = ({ mode, lines }: Budget, ids: string[]): Named[] =>
  ids.map((id) => {
    const ends = lines.flatMap(({ named }) =>
      named.flatMap((one) => (one.id === id && one.until !== null ? [one.until] : [])),
    )
    return { id, from: mode === 'limit' ? '' : (ends.toSorted().at(-1) ?? ''), until: null }
  })

export const allPeriodsOf = (budget: Budget) => periodsOf(budget, lastDay())
