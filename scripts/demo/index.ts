import type { LocalService } from '../lib/local-service.ts'
import { createAccountGroup } from '../../src/areas/money/accounts/folders/folders.usecases.ts'
import { createAccount } from '../../src/areas/money/accounts/accounts.usecases.ts'
import { DEMO_PASSWORD, login } from '../../src/areas/identity/auth/auth.usecases.ts'
import { register } from '../../src/areas/identity/auth/registration.usecases.ts'
import { createCategory } from '../../src/areas/money/categories/categories.usecases.ts'
import { createExchangeRate } from '../../src/areas/money/exchange-rates/exchange-rates.usecases.ts'
import { createGroup as startHousehold } from '../../src/areas/sharing/groups/groups.usecases.ts'
import {
  acceptGroupInvite,
  createGroupInvite,
} from '../../src/areas/sharing/groups/invites/invites.usecases.ts'
import { inviteAdministrator } from '../../src/areas/identity/invites/invites.usecases.ts'
import { createPayee } from '../../src/areas/money/payees/payees.usecases.ts'
import { shareAccountToGroup } from '../../src/areas/sharing/sharing/accounts.usecases.ts'
import { acceptShare, findShares } from '../../src/areas/sharing/sharing/sharing.usecases.ts'
import { createTransaction } from '../../src/areas/money/transactions/transactions.usecases.ts'
import { createTransfer } from '../../src/areas/money/transfers/transfers.usecases.ts'
import { createValuation } from '../../src/areas/money/valuations/valuations.usecases.ts'
import { addMonths, dateInZone, firstOfMonth } from '../../src/domain/calendar.ts'
import { formatMoney } from '../../src/domain/money.ts'
import { fromBase64Url } from '../../src/platform/secrets/crypto.ts'
import type { Caller, SignedIn } from '../../src/platform/context.ts'
import { addBudgets, addScheduledTarget } from './budgets.ts'
import { CATEGORIES } from './categories.ts'
import { addExamples, watchBalance } from './examples.ts'
import { exampleOf, exemplary } from './exemplary.ts'
import type { As, Person, Settled } from './person.ts'
import { HOUSEHOLD, SHARED } from './plan.ts'
import { addRecurring } from './recurring.ts'
import { addRules, addViews } from './rules.ts'
import { type Chance, chanceFrom } from './random.ts'

/** Minor units of what somebody takes along in cash from the till. */
const CASH = 2_000

const MONTHS = 24
const HALF_YEAR = 6
const SEED = 20_260_101

export const demoLogins = HOUSEHOLD.map(({ email, about }) => ({
  email,
  password: DEMO_PASSWORD,
  about,
}))

/**
 * Fills an empty database with a household of two and its administrator: two years up to today, made by
 * the service's own use cases and, but for the day, the same every time.
 */
export async function seed(service: LocalService): Promise<void> {
  const chance = chanceFrom(SEED)
  const today = dateInZone(Date.now(), 'UTC')
  const firstMonth = addMonths(firstOfMonth(today), 1 - MONTHS)
  const settled: Settled[] = []
  for (const person of HOUSEHOLD) {
    settled.push(await settle({ service, chance, today, firstMonth }, person))
  }
  const [admin, one, two] = settled
  if (admin && one && two) {
    await moveIn(firstMonth, one, two)
    await addExamples(today, admin, one, two)
    await addBudgets({ today, firstMonth }, one, two)
    await addViews(today, one)
    await addRecurring(today, one)
    await addRecurring(today, two)
    await addScheduledTarget(today, one)
    await watchBalance(today, one)
  }
}

interface Scene {
  service: LocalService
  chance: Chance
  /** The last day of the story. */
  today: string
  firstMonth: string
}

async function settle(scene: Scene, person: Person): Promise<Settled> {
  const caller = await signUp(scene, person)
  const as = actAs(scene, caller)
  const accounts = new Map<string, { id: string; currency: string }>()
  for (const { key, ...account } of person.accounts) {
    const opening = { ...account, openingDate: scene.firstMonth }
    const ids = exampleOf(key, 'acc', 'log')
    const opened = await createAccount(as('accounts.write', scene.firstMonth, ids), opening)
    accounts.set(key, opened.account)
  }
  for (const [order, { name, accounts: keys }] of person.folders.entries()) {
    const accountIds = keys.flatMap((key) => accounts.get(key)?.id ?? [])
    const ctx = as('accounts.write', scene.firstMonth, exampleOf(name, 'agr'))
    await createAccountGroup(ctx, { name, order, accountIds })
  }
  for (const name of new Set(person.spending.flatMap(({ descriptions }) => descriptions))) {
    const payee = { name, aliases: [bankWords(name)], archived: false, excludeFromReports: false }
    await createPayee(as('payees.write', scene.firstMonth, exampleOf(name, 'pay')), payee)
  }
  const isExample = accounts.has('everyday')
  const categories = await nameCategories(scene, as, isExample)
  const settled = { as, accounts, categories }
  // Rules take no chance from what is booked.
  const ruling = actAs({ ...scene, chance: chanceFrom(SEED + accounts.size) }, caller)
  await (person.isAdmin ? undefined : addRules(scene.firstMonth, { ...settled, as: ruling }))
  const book = new Book(scene, as, accounts, categories)
  for (let month = 0; month < MONTHS && person.spending.length > 0; month++) {
    await book.month(person, addMonths(scene.firstMonth, month), MONTHS - 1 - month)
    if (month % HALF_YEAR === HALF_YEAR - 1) {
      await book.worth(person, addMonths(scene.firstMonth, month), Math.floor(month / HALF_YEAR))
    }
  }
  return settled
}

/** The two share a household: each lets the other see what is for both, and both count it. */
async function moveIn(date: string, one: Settled, two: Settled): Promise<void> {
  const ctx = one.as('groups.write', date, exampleOf('household', 'grp'))
  const { id: groupId } = await startHousehold(ctx, { name: 'Our household', kind: 'household' })
  const { code } = await createGroupInvite(one.as('groups.write', date), groupId, {
    role: 'member',
  })
  await acceptGroupInvite(two.as('groups.write', date), { code: code ?? '' })
  for (const { by, account, permission } of SHARED) {
    const [owner, receiver] = by === 'one' ? [one, two] : [two, one]
    const accountId = owner.accounts.get(account)?.id ?? ''
    await shareAccountToGroup(owner.as('shares.write', date), accountId, { groupId, permission })
    const page = { limit: SHARED.length, after: undefined }
    const { rows } = await findShares(receiver.as('shares.read', date), 'received', page)
    const share = rows.find((received) => received.accountId === accountId)
    await acceptShare(receiver.as('shares.write', date), share?.id ?? '', true)
  }
}

/** Returns the name as a bank writes it. */
const bankWords = (name: string) => `POS ${name.toUpperCase()} 0417`

async function signUp({ service, firstMonth }: Scene, person: Person): Promise<Caller> {
  const { email, name } = person
  const inThePast = { access: 'public', now: noon(firstMonth) } as const
  await register(exemplary(service.makeContext(inThePast), exampleOf(email, 'usr')), {
    email,
    name,
    password: DEMO_PASSWORD,
    baseCurrency: 'EUR',
    locale: 'en-IE',
    timeZone: 'Europe/Dublin',
    inviteCode: person.isAdmin
      ? await inviteAdministrator(
          exemplary(service.makeContext(inThePast), exampleOf(email, 'inv')),
        )
      : undefined,
  })
  // A session of today: one of the past would end before the story does.
  const signedIn = await login(service.makeContext({ access: 'public' }), {
    email,
    password: DEMO_PASSWORD,
  })
  if (!('accessToken' in signedIn)) {
    throw new Error('a person of the demo data has a second factor')
  }
  const { accessToken, user } = signedIn
  const claims = new TextDecoder().decode(fromBase64Url(accessToken.split('.')[1] ?? ''))
  const { sid } = JSON.parse(claims) as { sid: string }
  return { userId: user.id, sessionId: sid, tokenHash: null, profile: user }
}

const noon = (date: string) => Date.parse(`${date}T12:00:00Z`)

const actAs =
  ({ service, chance }: Scene, caller: Caller): As =>
  (permission, date, ids = []) => {
    const now = noon(date)
    const ports = { now: () => now, random: (count: number) => chance.bytes(count) }
    const ctx = service.makeContext({ access: permission, caller, now, ports }) as SignedIn
    return exemplary(ctx, ids)
  }

async function nameCategories(
  { firstMonth }: Scene,
  as: As,
  isExample: boolean,
): Promise<Map<string, string>> {
  const ids = new Map<string, string>()
  const create = async (name: string, kind: 'income' | 'expense', parentId?: string) => {
    const ctx = as('categories.write', firstMonth, isExample ? exampleOf(name, 'cat') : [])
    const { id } = await createCategory(ctx, {
      name,
      kind,
      order: 0,
      archived: false,
      excludeFromBudget: false,
      excludeFromReports: false,
      ...(parentId ? { parentId } : {}),
    })
    ids.set(name, id)
  }
  for (const name of CATEGORIES.income) {
    await create(name, 'income')
  }
  for (const name of CATEGORIES.expense) {
    await create(name, 'expense')
  }
  for (const name of CATEGORIES.housing) {
    await create(name, 'expense', ids.get('Housing'))
  }
  return ids
}

/** Writes one person's months. */
class Book {
  readonly #scene: Scene
  readonly #as: As
  readonly #accounts: Map<string, { id: string; currency: string }>
  readonly #categories: Map<string, string>

  constructor(
    scene: Scene,
    as: As,
    accounts: Map<string, { id: string; currency: string }>,
    categories: Map<string, string>,
  ) {
    this.#scene = scene
    this.#as = as
    this.#accounts = accounts
    this.#categories = categories
  }

  async month(person: Person, month: string, monthsAgo: number): Promise<void> {
    await this.#rates(month)
    const once = person.once.filter((one) => one.monthsAgo === monthsAgo)
    for (const fixed of [...person.fixed, ...once]) {
      const { kind, account, category, description, day, minor, isRuled } = fixed
      const wanted = { kind, account, category, description, minor, isRuled }
      await this.#book(dayOf(month, day), wanted)
    }
    for (const move of person.moves) {
      await this.#move(dayOf(month, move.day), move)
    }
    for (const habit of person.spending) {
      for (let time = 0; time < habit.perMonth; time++) {
        const { chance } = this.#scene
        const { account, category, descriptions, amount, splitWith, cashTo, isRuled } = habit
        await this.#book(dayOf(month, chance.between(1, 28)), {
          kind: 'expense',
          ...{ account, category, isRuled },
          minor: chance.between(...amount),
          ...described(chance.pick(descriptions)),
          ...(splitWith && time % 4 === 0 ? { splitWith } : {}),
          ...(cashTo && time === 0 ? { cashTo } : {}),
        })
      }
    }
  }

  async worth({ worth }: Person, date: string, time: number): Promise<void> {
    for (const { account: key, minor, step } of worth) {
      const account = this.#accounts.get(key)
      if (account) {
        const value = formatMoney(minor + time * step, account.currency)
        const ctx = this.#as('valuations.write', date)
        await createValuation(ctx, { accountId: account.id, date, value })
      }
    }
  }

  async #rates(date: string): Promise<void> {
    const { chance } = this.#scene
    const rates = {
      USD: chance.between(10_500, 11_500) / 10_000,
      JPY: chance.between(15_600, 16_900) / 100,
      BHD: chance.between(4000, 4400) / 10_000,
    }
    for (const [to, rate] of Object.entries(rates)) {
      const ctx = this.#as('exchangeRates.write', date)
      await createExchangeRate(ctx, { from: 'EUR', to, date, rate: String(rate) })
    }
  }

  async #book(
    date: string,
    wanted: {
      kind: 'income' | 'expense'
      account: string
      category: string
      description: string
      payeeRaw?: string
      minor: number
      splitWith?: string
      cashTo?: string
      isRuled?: true | undefined
    },
  ): Promise<void> {
    const account = this.#accounts.get(wanted.account)
    if (!account || date > this.#scene.today) {
      return
    }
    const { kind, description, minor } = wanted
    const money = (part: number) => formatMoney(part, account.currency)
    const categoryId = this.#categories.get(wanted.category)
    const rest = Math.ceil(minor / 4)
    const wallet = this.#accounts.get(wanted.cashTo ?? '')
    const parts = wanted.splitWith
      ? {
          splits: [
            { amount: money(minor - rest), categoryId },
            { amount: money(rest), categoryId: this.#categories.get(wanted.splitWith) },
            ...(wallet ? [{ amount: money(CASH), transferAccountId: wallet.id }] : []),
          ],
        }
      : wanted.isRuled
        ? {}
        : { categoryId }
    await createTransaction(this.#as('transactions.write', date), {
      kind,
      accountId: account.id,
      date,
      amount: money(minor + (wallet ? CASH : 0)),
      description,
      payeeRaw: wanted.payeeRaw,
      status: date < addMonths(this.#scene.today, -1) ? 'cleared' : 'uncleared',
      ...parts,
    })
  }

  async #move(date: string, move: Person['moves'][number]): Promise<void> {
    const [from, to] = [this.#accounts.get(move.from), this.#accounts.get(move.to)]
    if (!from || !to || date > this.#scene.today) {
      return
    }
    await createTransfer(this.#as('transfers.write', date), {
      fromAccountId: from.id,
      toAccountId: to.id,
      date,
      amount: formatMoney(move.minor, from.currency),
      description: move.description,
      status: 'cleared',
      categoryId: this.#categories.get(move.category ?? ''),
      ...(move.toMinor === undefined ? {} : { toAmount: formatMoney(move.toMinor, to.currency) }),
    })
  }
}

/** Returns the description of a purchase, with the bank's text. */
const described = (name: string) => ({ description: name, payeeRaw: bankWords(name) })

const dayOf = (month: string, day: number) => `${month.slice(0, 8)}${String(day).padStart(2, '0')}`
