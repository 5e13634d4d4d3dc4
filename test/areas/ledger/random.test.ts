import { expect, it } from 'vitest'
import { getAccountByID } from '../../../src/areas/accounts/accounts.routes.ts'
import { getAccountDetails } from '../../../src/areas/accounts/details/details.routes.ts'
import {
  createTransaction,
  deleteTransaction,
  getTransaction,
  updateTransaction,
} from '../../../src/areas/transactions/transactions.routes.ts'
import {
  createTransfer,
  deleteTransfer,
  updateTransfer,
} from '../../../src/areas/transfers/transfers.routes.ts'
import { formatMoney, parseMoney } from '../../../src/domain/money.ts'
import { ok, rows } from '../../support/api.ts'
import { newAccount, newUser, type TestUser } from '../../support/world.ts'
import { newCategory } from '../transactions/booking.ts'
import { differencesOf } from './ledger.ts'
import {
  Model,
  type ModelPart,
  type ModelStatus,
  type Random,
  randomFrom,
  type Single,
} from './model.ts'

const STEPS = 150
const STATUSES = ['pending', 'uncleared', 'cleared', 'reconciled', 'void'] as const

interface Account {
  id: string
  currency: string
}

/** A user with accounts in three currencies, and the same books in plain memory beside it. */
async function newWorld(random: Random) {
  const me = await newUser()
  const accounts: Account[] = []
  for (const currency of ['EUR', 'EUR', 'JPY', 'BHD']) {
    accounts.push(await newAccount(me, { currency }))
  }
  const idsOf = async (kind: 'expense' | 'income') => [
    (await newCategory(me, kind)).id,
    (await newCategory(me, kind)).id,
    null,
  ]
  const categories = { expense: await idsOf('expense'), income: await idsOf('income') }
  return { me, accounts, categories, model: new Model(), random }
}

type World = Awaited<ReturnType<typeof newWorld>>

const dateIn = ({ random }: World) =>
  `2026-${String(random.whole(1, 4)).padStart(2, '0')}-${String(random.whole(1, 28)).padStart(2, '0')}`

const signOf = { expense: -1, income: 1, adjustment: 1 }

/** What to book: as the interface takes it, and what it means. */
function newSingle(world: World) {
  const { random, categories } = world
  const kind = random.pick<Single>(['expense', 'expense', 'income', 'adjustment'])
  const account = random.pick(world.accounts)
  const minor = random.whole(1, 50_000)
  const isNegative = kind === 'adjustment' && random.chance(0.5)
  const signed = isNegative ? -minor : minor * signOf[kind]
  const isSplit = kind !== 'adjustment' && random.chance(0.4)
  const parts = partsOf(world, kind, minor, isSplit)
  const [only] = parts
  const status = random.pick(STATUSES)
  return {
    json: {
      kind,
      accountId: account.id,
      date: dateIn(world),
      amount: formatMoney(isNegative ? -minor : minor, account.currency),
      status,
      ...(isSplit
        ? {
            categoryId: null,
            splits: parts.map((part) => ({
              amount: formatMoney(part.amount, account.currency),
              categoryId: part.categoryId,
            })),
          }
        : { categoryId: kind === 'adjustment' ? null : (only?.categoryId ?? null) }),
    },
    signed,
    status,
    // Spent is positive, earned negative; an adjustment is neither.
    parts:
      kind === 'adjustment'
        ? []
        : parts.map((part) => ({ ...part, amount: part.amount * -signOf[kind] })),
    isSplit,
    categories,
  }
}

function partsOf(world: World, kind: Single, minor: number, isSplit: boolean): ModelPart[] {
  const { random, categories } = world
  const anyCategory = () => random.pick(categories[kind === 'income' ? 'income' : 'expense'])
  if (!isSplit) {
    return [{ amount: minor, categoryId: anyCategory() }]
  }
  const amounts = Array.from({ length: random.whole(1, 4) }, () => {
    const amount = random.whole(-2_000, 20_000)
    return amount === 0 ? 1 : amount
  })
  const rest = minor - amounts.reduce((sum, amount) => sum + amount, 0)
  const all = rest === 0 ? [...amounts, 1, -1] : [...amounts, rest]
  return all.map((amount) => ({ amount, categoryId: anyCategory() }))
}

async function create(world: World) {
  const { json, signed, status, parts } = newSingle(world)
  const { id } = await ok(createTransaction, { as: world.me, json })
  const { accountId, date } = json
  world.model.put({ id, header: id, line: 1, accountId, date, signed, status, parts })
}

const singles = ({ model }: World) =>
  [...model.lines.values()].filter(({ id }) => !id.includes('-'))
const legs = ({ model }: World) => [...model.lines.values()].filter(({ id }) => id.includes('-'))

/** Makes a transaction over into any other. */
async function rewrite(world: World) {
  const { id, header, accountId: now } = world.random.pick(singles(world))
  const { json, signed, status, parts, isSplit } = newSingle(world)
  const { kind } = await ok(getTransaction, { as: world.me, id })
  if (kind === 'adjustment' && json.accountId !== now) {
    // Only an adjustment stays on its account.
    await ok(updateTransaction, { as: world.me, id, json: { kind: 'expense', force: true } })
  }
  const whole = { ...json, ...(isSplit ? {} : { splits: [] }), force: true }
  await ok(updateTransaction, { as: world.me, id, json: whole })
  const { accountId, date } = json
  world.model.put({ id, header, line: 1, accountId, date, signed, status, parts })
}

async function changeStatus(world: World) {
  const line = world.random.pick(singles(world))
  const status = world.random.pick(STATUSES)
  await ok(updateTransaction, { as: world.me, id: line.id, json: { status, force: true } })
  world.model.put({ ...line, status })
}

async function redate(world: World) {
  const line = world.random.pick(singles(world))
  const date = dateIn(world)
  await ok(updateTransaction, { as: world.me, id: line.id, json: { date, force: true } })
  world.model.put({ ...line, date })
}

async function remove(world: World) {
  const { id, header } = world.random.pick([...world.model.lines.values()])
  const query = { force: 'true' }
  if (header !== id) {
    await ok(deleteTransfer, { as: world.me, id: header, query })
  } else {
    await ok(deleteTransaction, { as: world.me, id, query })
  }
  world.model.drop(header)
}

function newTransfer(world: World) {
  const { random, accounts, categories } = world
  const from = random.pick(accounts)
  const to = random.pick(accounts.filter(({ id }) => id !== from.id))
  const minor = random.whole(2, 50_000)
  const feeMinor = random.chance(0.4) ? random.whole(1, minor - 1) : 0
  const isSame = from.currency === to.currency
  const arrives = isSame ? minor - feeMinor : random.whole(1, 9_000_000)
  const fee =
    feeMinor === 0 ? null : { amount: feeMinor, categoryId: random.pick(categories.expense) }
  return {
    json: {
      fromAccountId: from.id,
      toAccountId: to.id,
      date: dateIn(world),
      amount: formatMoney(minor, from.currency),
      toAmount: formatMoney(arrives, to.currency),
      fee: fee && { ...fee, amount: formatMoney(feeMinor, from.currency) },
      status: random.pick(STATUSES),
    },
    minor,
    arrives,
    parts: fee ? [fee] : [],
  }
}

function putTransfer(
  { model }: World,
  { json, minor, arrives, parts }: ReturnType<typeof newTransfer>,
  booked: { id: string; from: { id: string }; to: { id: string } },
) {
  const { date, status, fromAccountId, toAccountId } = json
  const shared = { header: booked.id, date, status }
  model.put(
    { ...shared, id: booked.from.id, line: 1, accountId: fromAccountId, signed: -minor, parts },
    { ...shared, id: booked.to.id, line: 2, accountId: toAccountId, signed: arrives, parts: [] },
  )
}

async function transfer(world: World) {
  const wanted = newTransfer(world)
  putTransfer(world, wanted, await ok(createTransfer, { as: world.me, json: wanted.json }))
}

async function rewriteTransfer(world: World) {
  const { header: id } = world.random.pick(legs(world))
  const wanted = newTransfer(world)
  const json = { ...wanted.json, force: true }
  putTransfer(world, wanted, await ok(updateTransfer, { as: world.me, id, json }))
}

/** Of one leg only, which void ones do not allow. */
async function changeLeg(world: World) {
  const leg = world.random.pick(legs(world))
  if (leg.status !== 'void') {
    const status = world.random.pick<ModelStatus>(['pending', 'uncleared', 'cleared', 'reconciled'])
    await ok(updateTransaction, { as: world.me, id: leg.id, json: { status, force: true } })
    world.model.put({ ...leg, status })
  }
}

const step = (world: World) => {
  const { random } = world
  const moves = [
    create,
    create,
    transfer,
    ...(singles(world).length > 0 ? [rewrite, changeStatus, redate] : []),
    ...(legs(world).length > 0 ? [rewriteTransfer, changeLeg] : []),
    ...(world.model.lines.size > 10 ? [remove] : []),
  ]
  return random.pick(moves)(world)
}

/** The register page by page, as `[id, balance after it]`. */
async function registerOf(as: TestUser, { id, currency }: Account) {
  const register: [string, number][] = []
  let cursor: string | null = null
  do {
    const query = { limit: 7, ...(cursor === null ? {} : { cursor }) }
    const page: {
      transactions: { id: string; runningBalance: string }[]
      nextCursor: string | null
    } = await ok(getAccountDetails, { as, id, query })
    for (const { id: transactionId, runningBalance } of page.transactions) {
      register.push([transactionId, parseMoney(runningBalance, currency, { signed: true })])
    }
    cursor = page.nextCursor
  } while (cursor !== null)
  return register
}

/** All that can be seen of the books: by the interface, and of the months in the database. */
async function seenBooks({ me, accounts }: World) {
  const seen = []
  for (const account of accounts) {
    const { id, currency } = account
    const view = await ok(getAccountByID, { as: me, id })
    const minor = (text: string) => parseMoney(text, currency, { signed: true })
    seen.push({
      balance: minor(view.balance),
      cleared: minor(view.clearedBalance),
      reconciled: minor(view.reconciledBalance),
      count: view.transactionCount,
      register: await registerOf(me, account),
    })
  }
  const months = await rows<{ key: string; activity: number }>(
    `SELECT account_id || ' ' || month || ' ' || category_id AS key, activity_minor AS activity
     FROM category_months WHERE account_id IN (SELECT id FROM accounts WHERE owner_id = ?)`,
    me.id,
  )
  return {
    accounts: seen,
    months: new Map(months.map(({ key, activity }) => [key, activity])),
    differences: await differencesOf(me),
  }
}

const modelledBooks = ({ accounts, model }: World): Awaited<ReturnType<typeof seenBooks>> => ({
  accounts: accounts.map(({ id }) => ({
    ...model.balances(id),
    count: model.of(id).length,
    register: model.register(id),
  })),
  months: model.categoryMonths(),
  differences: [],
})

const fresh = crypto.getRandomValues(new Uint32Array(1))[0] ?? 0

it.each([1, fresh])(
  'agrees with books kept in memory after any sequence of writes (seed %i)',
  async (seed) => {
    const world = await newWorld(randomFrom(seed))
    for (let at = 1; at <= STEPS; at++) {
      await step(world)
      if (at % 30 === 0) {
        expect(await seenBooks(world), `after ${at} steps`).toEqual(modelledBooks(world))
      }
    }
  },
  60_000,
)
