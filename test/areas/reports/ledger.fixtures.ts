import { acceptShare } from '../../../src/areas/sharing/sharing/sharing.routes.ts'
import { createTransactions } from '../../../src/areas/money/transactions/bulk/bulk.routes.ts'
import { createCategory } from '../../../src/areas/money/categories/categories.routes.ts'
import { createExchangeRate } from '../../../src/areas/money/exchange-rates/exchange-rates.routes.ts'
import { createPayee } from '../../../src/areas/money/payees/payees.routes.ts'
import { createTag } from '../../../src/areas/money/tags/tags.routes.ts'
import { createTransfer } from '../../../src/areas/money/transfers/transfers.routes.ts'
import { addDays } from '../../../src/domain/calendar.ts'
import { ok } from '../../support/api.ts'
import { type Random, randomFrom } from '../../support/random.ts'
import { newAccount, newUser, type TestUser } from '../../support/world.ts'
import { share } from '../sharing/sharing.ts'

// A random ledger of two people, as a list of lines that is kept apart from the service.

export const DIGITS: Record<string, number> = { EUR: 2, USD: 2, JPY: 0, BHD: 3 }

export const textOf = (minor: bigint, currency: string): string => {
  const digits = DIGITS[currency] ?? 0
  const text = String(minor < 0n ? -minor : minor).padStart(digits + 1, '0')
  const [whole, rest] = [text.slice(0, text.length - digits), text.slice(text.length - digits)]
  return `${minor < 0n ? '-' : ''}${whole}${digits > 0 ? `.${rest}` : ''}`
}

export interface BookAccount {
  id: string
  name: string
  owner: TestUser
  currency: string
  onBudget: boolean
  /** Who sees it. */
  seenBy: string[]
}

export interface BookCategory {
  id: string
  name: string
  kind: 'expense' | 'income'
  parent: BookCategory | undefined
  isExcluded: boolean
}

/** A line of an expense or income; spent and earned are positive. */
export interface BookLine {
  transaction: string
  line: number
  account: BookAccount
  day: string
  side: 'earned' | 'spent'
  category: BookCategory | undefined
  minor: bigint
  payee: string | undefined
  tags: string[]
  member: TestUser
  isPrivate: boolean
  /** By its row or by its payee. */
  isExcluded: boolean
}

/** Whatever else moves a balance. */
export interface BookMove {
  account: BookAccount
  day: string
  minor: bigint
  /** The other account of a transfer. */
  counter: BookAccount | undefined
  member: TestUser
  isPrivate: boolean
}

export interface BookRate {
  from: string
  to: string
  date: string
  rate: string
}

export interface Ledger {
  ada: TestUser
  ben: TestUser
  accounts: BookAccount[]
  categories: BookCategory[]
  lines: BookLine[]
  moves: BookMove[]
  rates: BookRate[]
  names: Map<string, string>
  first: string
  days: number
}

/** Labels of an owner, which are all that can be on the owner's accounts. */
interface Labels {
  categories: BookCategory[]
  payees: string[]
  excludedPayees: ReadonlySet<string>
  tags: string[]
}

async function newLabels(as: TestUser, names: Map<string, string>): Promise<Labels> {
  const make = async (
    name: string,
    kind: 'expense' | 'income',
    parent?: BookCategory,
    isExcluded = false,
  ): Promise<BookCategory> => {
    const json = {
      name,
      kind,
      excludeFromReports: isExcluded,
      ...(parent ? { parentId: parent.id } : {}),
    }
    const { id } = await ok(createCategory, { as, json })
    return { id, name, kind, parent, isExcluded: isExcluded || parent?.isExcluded === true }
  }
  const living = await make('Living', 'expense')
  const food = await make('Food', 'expense', living)
  const work = await make('Work', 'expense', undefined, true)
  const categories = [
    ...[living, food, work, await make('Rent', 'expense', living)],
    ...[await make('Sweets', 'expense', food), await make('Travel', 'expense', work)],
    ...[await make('Salary', 'income'), await make('Gifts', 'income', undefined, true)],
  ]
  const payees: string[] = []
  const tags: string[] = []
  for (let at = 0; at < 5; at++) {
    const json = { name: `Payee ${at}`, excludeFromReports: at === 4 }
    const payee = await ok(createPayee, { as, json })
    const tag = await ok(createTag, { as, json: { name: `Tag ${at}` } })
    payees.push(payee.id)
    tags.push(tag.id)
    names.set(payee.id, `Payee ${at}`).set(tag.id, `Tag ${at}`)
  }
  categories.forEach(({ id, name }) => names.set(id, name))
  return { categories, payees, excludedPayees: new Set(payees.slice(4)), tags }
}

const FIRST = '2023-01-01'
const DAYS = 1095

/** Rates of the dollar from the first day, of the yen from the second month, and of the dinar from the third year. */
function anyRates(random: Random): BookRate[] {
  const rates = new Map<string, BookRate>()
  for (let at = 0; at < 40; at++) {
    const [from, to, whole, since] = random.pick([
      ['USD', 'EUR', 0, 0],
      ['EUR', 'JPY', 150, 40],
      ['EUR', 'BHD', 0, 730],
    ] as const)
    const date = addDays(FIRST, random.whole(since, DAYS - 30))
    const rate = `${whole}.${random.whole(4000, 9999)}`
    rates.set(`${from} ${date}`, { from, to, date, rate })
  }
  return [{ from: 'USD', to: 'EUR', date: '2022-12-01', rate: '0.8' }, ...rates.values()]
}

/** Two people with five accounts in four currencies, of which each sees one of the other's. */
export async function newLedger(seed: number, transactions: number): Promise<Ledger> {
  const random = randomFrom(seed)
  const ada = await newUser({ name: 'Ada', baseCurrency: 'EUR' })
  const ben = await newUser({ name: 'Ben', baseCurrency: 'EUR' })
  const names = new Map([
    [ada.id, 'Ada'],
    [ben.id, 'Ben'],
  ])
  const labels = new Map([
    [ada.id, await newLabels(ada, names)],
    [ben.id, await newLabels(ben, names)],
  ])
  const rates = anyRates(random)
  for (const as of [ada, ben]) {
    for (const json of rates) {
      await ok(createExchangeRate, { as, json })
    }
  }
  const open = async (owner: TestUser, name: string, currency: string, more: object = {}) => {
    const opening = { openingBalance: '100', openingDate: addDays(FIRST, 3) }
    const { id } = await newAccount(owner, { name, currency, ...opening, ...more })
    names.set(id, name)
    return { id, name, owner, currency, onBudget: true, seenBy: [owner.id] } as BookAccount
  }
  const accounts = [
    await open(ada, 'Everyday', 'EUR'),
    await open(ada, 'Savings', 'EUR'),
    await open(ada, 'Dollars', 'USD'),
    await open(ada, 'Yen', 'JPY'),
    await open(ben, 'Own', 'EUR'),
    await open(ben, 'Dinars', 'BHD'),
  ]
  for (const [at, receiver] of [
    [0, ben],
    [2, ben],
    [4, ada],
  ] as const) {
    const account = accounts[at]
    if (account) {
      const { id } = await share(account.owner, account, receiver, { permission: 'write' })
      await ok(acceptShare, { as: receiver, id, json: { includeInTotals: true } })
      account.seenBy.push(receiver.id)
    }
  }
  const ledger: Ledger = {
    ...{ ada, ben, accounts, rates, names, first: FIRST, days: DAYS },
    categories: [...labels.values()].flatMap(({ categories }) => categories),
    ...{ lines: [], moves: [] },
  }
  for (const account of accounts) {
    ledger.moves.push({
      ...{ account, day: addDays(FIRST, 3), counter: undefined, isPrivate: false },
      ...{ minor: 100n * 10n ** BigInt(DIGITS[account.currency] ?? 0), member: account.owner },
    })
  }
  await bookTransactions(ledger, labels, random, transactions)
  for (let at = 0; at < transactions / 20; at++) {
    await bookTransfer(ledger, labels, random)
  }
  return ledger
}

type Sent = NonNullable<
  NonNullable<Parameters<typeof ok<typeof createTransactions>>[1]>['json']
>['transactions'][number]

const NO_LABELS: Labels = { categories: [], payees: [], excludedPayees: new Set(), tags: [] }

/** Most is booked on few days, so that cells have several lines. */
const anyDay = (random: Random) =>
  addDays(FIRST, random.chance(0.5) ? random.whole(0, DAYS - 1) : 15 * random.whole(0, 72))

async function bookTransactions(
  ledger: Ledger,
  labels: Map<string, Labels>,
  random: Random,
  count: number,
): Promise<void> {
  const waiting = new Map<string, { sent: Sent; keep: (id: string) => void }[]>()
  for (let at = 0; at < count; at++) {
    const account = random.pick(ledger.accounts)
    const member =
      random.chance(0.3) && account.seenBy.includes(ledger.ben.id) ? ledger.ben : account.owner
    const one = anyTransaction(ledger, labels, random, { account, member })
    waiting.set(member.id, [...(waiting.get(member.id) ?? []), one])
  }
  for (const as of [ledger.ada, ledger.ben]) {
    const all = waiting.get(as.id) ?? []
    for (let at = 0; at < all.length; at += 200) {
      const some = all.slice(at, at + 200)
      const { results } = await ok(createTransactions, {
        as,
        json: { transactions: some.map(({ sent }) => sent) },
      })
      some.forEach(({ keep }, index) => keep(results[index]?.transaction?.id ?? ''))
    }
  }
}

function anyTransaction(
  { lines, moves, accounts }: Ledger,
  labels: Map<string, Labels>,
  random: Random,
  { account, member }: { account: BookAccount; member: TestUser },
) {
  const own = labels.get(account.owner.id) ?? NO_LABELS
  const maybe = <Item>(items: readonly Item[], chance = 0.7): Item | undefined =>
    random.chance(chance) ? random.pick(items) : undefined
  const some = (items: readonly string[]) =>
    [...new Set([maybe(items, 0.4), maybe(items, 0.3)])].filter((one) => one !== undefined)
  const kind = random.chance(0.3) ? ('income' as const) : ('expense' as const)
  // An income on a category for expenses is a refund.
  const isFit = (one: BookCategory) => kind === 'income' || one.kind === 'expense'
  const categories = own.categories.filter(isFit)
  const day = anyDay(random)
  const status = random.pick(['cleared', 'uncleared', 'pending', 'void', 'cleared'] as const)
  const isPrivate = random.chance(0.1)
  const excludeFromReports = random.chance(0.1)
  const whole = { payee: maybe(own.payees), tags: some(own.tags) }
  const minorOf = () => BigInt(random.whole(1, random.chance(0.2) ? 9 : 20_000))
  const keepLine = (
    id: string,
    line: number,
    minor: bigint,
    category: BookCategory | undefined,
    more: Pick<BookLine, 'payee' | 'tags'>,
  ) => {
    const isSpent = kind === 'expense' || category?.kind === 'expense'
    const signed = kind === 'expense' ? -minor : minor
    lines.push({
      ...{ transaction: id, line, account, day, category, member, isPrivate, ...more },
      isExcluded: excludeFromReports || own.excludedPayees.has(more.payee ?? ''),
      ...{ side: isSpent ? 'spent' : 'earned', minor: isSpent ? -signed : signed },
    })
  }
  const base = {
    ...{ kind, accountId: account.id, date: day, status, private: isPrivate },
    excludeFromReports,
    ...(whole.payee ? { payeeId: whole.payee } : {}),
    tagIds: whole.tags,
  }
  if (kind === 'income' || random.chance(0.6)) {
    const [minor, category] = [minorOf(), maybe(categories)]
    const amount = textOf(minor, account.currency)
    const sent: Sent = { ...base, amount, ...(category ? { categoryId: category.id } : {}) }
    const keep = (id: string) => {
      if (status !== 'void') {
        keepLine(id, 2, minor, category, whole)
      }
    }
    return { sent, keep }
  }
  const parts = [30_000n + minorOf(), minorOf(), -minorOf()].map((minor) => ({
    ...{ minor, category: maybe(categories), payee: maybe(own.payees, 0.4), tags: some(own.tags) },
  }))
  const target = accounts.find(
    (one) => one.owner === account.owner && one !== account && one.currency === account.currency,
  )
  const moved = target && member === account.owner && random.chance(0.4) ? minorOf() : 0n
  const total = parts.reduce((sum, { minor }) => sum + minor, moved)
  const sent: Sent = {
    ...{ ...base, amount: textOf(total, account.currency) },
    splits: [
      ...parts.map(({ minor, category, payee, tags }) => ({
        ...{ amount: textOf(minor, account.currency), tagIds: tags },
        ...(category ? { categoryId: category.id } : {}),
        ...(payee ? { payeeId: payee } : {}),
      })),
      ...(target && moved > 0n
        ? [{ amount: textOf(moved, account.currency), transferAccountId: target.id }]
        : []),
    ],
  }
  const keep = (id: string) => {
    if (status === 'void') {
      return
    }
    parts.forEach(({ minor, category, payee, tags }, at) => {
      const more = { payee: payee ?? whole.payee, tags: [...new Set([...tags, ...whole.tags])] }
      keepLine(id, 2 + at, minor, category, more)
    })
    if (target && moved > 0n) {
      const both = { day, member, isPrivate }
      moves.push({ ...both, account, counter: target, minor: -moved })
      moves.push({ ...both, account: target, counter: account, minor: moved })
    }
  }
  return { sent, keep }
}

async function bookTransfer(
  { accounts, lines, moves }: Ledger,
  labels: Map<string, Labels>,
  random: Random,
): Promise<void> {
  const from = random.pick(accounts)
  const to = random.pick(accounts.filter((one) => one.owner === from.owner && one !== from))
  const as = from.owner
  const own = labels.get(as.id)
  const [moved, arrived] = [BigInt(random.whole(100, 9999)), BigInt(random.whole(100, 9999))]
  const fee = random.chance(0.5) ? BigInt(random.whole(1, 99)) : 0n
  const category = own?.categories[0]
  const tag = random.chance(0.5) ? own?.tags[0] : undefined
  const day = anyDay(random)
  const isSame = from.currency === to.currency
  const isExcluded = random.chance(0.3)
  const { id } = await ok(createTransfer, {
    as,
    json: {
      ...{ fromAccountId: from.id, toAccountId: to.id, date: day },
      excludeFromReports: isExcluded,
      amount: textOf(moved + fee, from.currency),
      ...(isSame ? {} : { toAmount: textOf(arrived, to.currency) }),
      ...(fee > 0n
        ? {
            fee: {
              amount: textOf(fee, from.currency),
              ...(category ? { categoryId: category.id } : {}),
            },
          }
        : {}),
      ...(tag ? { tagIds: [tag] } : {}),
    },
  })
  const both = { day, member: as, isPrivate: false }
  moves.push({ ...both, account: from, counter: to, minor: -moved })
  moves.push({ ...both, account: to, counter: from, minor: isSame ? moved : arrived })
  if (fee > 0n) {
    lines.push({
      ...{ transaction: id, line: 9, account: from, category, minor: fee, side: 'spent', ...both },
      ...{ payee: undefined, tags: tag ? [tag] : [], isExcluded },
    })
  }
}
