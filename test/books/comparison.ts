import {
  type Account,
  accountOf,
  anyDate,
  type Books,
  FIRST_MONTH,
  LAST_MONTH,
  minor,
} from './books.ts'
import type { Line } from './model.ts'

/** What the books say of something, and what they ought to say. */
export interface Difference {
  of: string
  said: unknown
  meant: unknown
}

interface Page {
  transactions: { id: string; runningBalance: string }[]
  nextCursor: string | null
}

/** The register page by page, as `[id, balance after it]`. */
async function registerOf({ send }: Books, { id, currency }: Account, limit: number) {
  const register: [string, bigint][] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const after: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`
    const page: Page = await send<Page>('GET', `/account/${id}/details?limit=${limit}${after}`)
    for (const row of page.transactions) {
      register.push([row.id, minor(row.runningBalance, currency)])
    }
    cursor = page.nextCursor
  }
  return register
}

interface AccountBody {
  balance: string
  clearedBalance: string
  reconciledBalance: string
  transactionCount: number
}

async function ofAccount(books: Books, account: Account): Promise<Difference[]> {
  const { send, model, random } = books
  const { id, currency } = account
  const body = await send<AccountBody>('GET', `/account/${id}`)
  const days = Array.from({ length: 5 }, () => anyDate(books))
  const onDays = await Promise.all(
    days.map((day) => send<{ balance: string }>('GET', `/account/${id}/balance?date=${day}`)),
  )
  return [
    {
      of: `account ${id}`,
      said: {
        balance: minor(body.balance, currency),
        cleared: minor(body.clearedBalance, currency),
        reconciled: minor(body.reconciledBalance, currency),
        count: body.transactionCount,
      },
      meant: { ...model.balances(id), count: model.of(id).length },
    },
    {
      of: `account ${id} on ${days.join(', ')}`,
      said: onDays.map(({ balance }) => minor(balance, currency)),
      meant: days.map((day) => model.balanceOn(id, day)),
    },
    {
      of: `register of ${id}`,
      said: await registerOf(books, account, random.pick([7, 50, 200])),
      meant: model.register(id),
    },
  ]
}

interface Node {
  id: string
  sums: { currency: string; lineCount: number; ownAmount: string; amount: string }[]
  children: Node[]
}

/** Earned is told as a positive amount. */
const direction = (kind: string) => (kind === 'income' ? -1n : 1n)

async function ofCategories(books: Books, from: string, to: string): Promise<Difference[]> {
  const { send, model, categories } = books
  const { categories: tops } = await send<{ categories: Node[] }>(
    'GET',
    `/category?view=tree&fromMonth=${from}&toMonth=${to}`,
  )
  const said = tops
    .flatMap((top) => [top, ...top.children])
    .flatMap(({ id, sums }) =>
      sums.map(({ currency, lineCount, ownAmount, amount }) =>
        [id, currency, lineCount, minor(ownAmount, currency), minor(amount, currency)].join(' '),
      ),
    )
  const activity = model.activity(from, to)
  const sumOf = (ids: string[], currency: string) =>
    [...activity].reduce(
      (sum, [key, { amount, count }]) => {
        const [categoryId = '', accountId = ''] = key.split(' ')
        const fits = ids.includes(categoryId) && accountOf(books, accountId).currency === currency
        return fits ? { amount: sum.amount + amount, count: sum.count + count } : sum
      },
      { amount: 0n, count: 0 },
    )
  const currencies = [...new Set(books.accounts.map(({ currency }) => currency))]
  const meant = (['expense', 'income'] as const).flatMap((kind) =>
    categories[kind].flatMap(({ id, parentId }) =>
      currencies.flatMap((currency) => {
        const below = parentId === null ? categories[kind].map((one) => one.id) : [id]
        const [own, all] = [sumOf([id], currency), sumOf(below, currency)]
        const turn = direction(kind)
        return all.count === 0
          ? []
          : [[id, currency, own.count, own.amount * turn, all.amount * turn].join(' ')]
      }),
    ),
  )
  return [
    { of: `categories from ${from} to ${to}`, said: said.toSorted(), meant: meant.toSorted() },
  ]
}

interface TotalsBody {
  count: number
  totals: { currency: string; inflow: string; outflow: string; net: string; count: number }[]
}

async function ofTotals(
  books: Books,
  query: string,
  isMeant: (line: Line) => boolean,
): Promise<Difference[]> {
  const path = `/transaction?totals=true&limit=1${query}`
  const { count, totals } = await books.send<TotalsBody>('GET', path)
  const lines = [...books.model.lines.values()].filter(isMeant)
  const byCurrency = Map.groupBy(lines, ({ accountId }) => accountOf(books, accountId).currency)
  return [
    {
      of: path,
      said: {
        count,
        totals: totals
          .map((total) => ({
            currency: total.currency,
            inflow: minor(total.inflow, total.currency),
            outflow: minor(total.outflow, total.currency),
            net: minor(total.net, total.currency),
            count: total.count,
          }))
          .toSorted((a, b) => (a.currency < b.currency ? -1 : 1)),
      },
      meant: {
        count: lines.length,
        totals: [...byCurrency]
          .map(([currency, some]) => ({ currency, ...books.model.totals(some) }))
          .toSorted((a, b) => (a.currency < b.currency ? -1 : 1)),
      },
    },
  ]
}

const asText = (value: unknown) =>
  JSON.stringify(value, (_, one: unknown) => (typeof one === 'bigint' ? String(one) : one))

/** Everything that the books say that they ought not to. */
export async function differencesIn(books: Books): Promise<Difference[]> {
  const { accounts, categories, random } = books
  const day = anyDate(books)
  const month = day.slice(0, 7)
  const account = random.pick(accounts)
  const category = random.pick(categories.expense).id
  const compared = await Promise.all([
    ...accounts.map((one) => ofAccount(books, one)),
    ofCategories(books, FIRST_MONTH, LAST_MONTH),
    ofCategories(books, month, month),
    ofTotals(books, '', () => true),
    ofTotals(books, `&from=${day}`, ({ date }) => date >= day),
    ofTotals(books, `&accountId=${account.id}`, ({ accountId }) => accountId === account.id),
    ofTotals(
      books,
      '&status=cleared&kind=transfer',
      (line) => [line.status, line.kind].join() === 'cleared,transfer',
    ),
    ofTotals(books, `&categoryId=${category}`, (line) => hasCategory(books, line, category)),
    ofTransfers(books, '', () => true),
    ofTransfers(books, `&categoryId=${category}`, (line) => hasCategory(books, line, category)),
  ])
  return compared.flat().filter(({ said, meant }) => asText(said) !== asText(meant))
}

/** Also by what stands below it. */
const hasCategory = (
  { categories }: Books,
  { parts, categoryId: own }: Pick<Line, 'parts' | 'categoryId'>,
  wanted: string,
) =>
  [own, ...parts.map((part) => part.categoryId)].some(
    (categoryId) =>
      categoryId === wanted ||
      categories.expense.some(({ id, parentId }) => id === categoryId && parentId === wanted),
  )

interface TransfersBody {
  transfers: {
    id: string
    currency: string
    categoryId: string | null
    from: { categoryId: string | null }
    to: { categoryId: string | null }
    fee: object | null
    fees: { amount: string; categoryId: string | null }[]
  }[]
  nextCursor: string | null
}

/** The transfers with what they are for, and their fees, page by page. */
async function ofTransfers(
  { send, model }: Books,
  query: string,
  isMeant: (line: Line) => boolean,
): Promise<Difference[]> {
  const said: string[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const after: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`
    const page: TransfersBody = await send<TransfersBody>(
      'GET',
      `/transfer?limit=200${query}${after}`,
    )
    for (const { id, currency, categoryId, from, to, fee, fees } of page.transfers) {
      const parts = fees.map((one) => `${minor(one.amount, currency)} ${one.categoryId}`)
      const isOne = fee !== null
      said.push(JSON.stringify([id, categoryId, from.categoryId, to.categoryId, isOne, parts]))
    }
    cursor = page.nextCursor
  }
  const meant = [...model.lines.values()]
    .filter((line) => line.kind === 'transfer' && line.line === 1 && isMeant(line))
    .map(({ header, categoryId = null, parts }) => {
      const fees = parts.map((one) => `${one.amount} ${one.categoryId}`)
      return JSON.stringify([header, ...Array(3).fill(categoryId), parts.length === 1, fees])
    })
  return [{ of: `transfers ${query}`, said: said.toSorted(), meant: meant.toSorted() }]
}
