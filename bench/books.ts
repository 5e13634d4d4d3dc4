import { Agent, request } from 'node:http'
import { ACCOUNTS, amountOf, CATEGORIES, dateOf, TOTAL, wordsOf } from './ledger-data.ts'

/** What an account spends, or earns, in minor units. The last categories are those of incomes. */
export interface Booked {
  account: number
  date: string
  amount: number
  category: number
  payee: number
}

/** The transactions by their numbers, and how many categories they have. */
export interface Contents {
  expenses: number
  incomes: number
  bookedOf: (n: number) => Booked
}

const LEDGER: Contents = {
  ...{ expenses: CATEGORIES, incomes: 0 },
  bookedOf: (n) => ({
    ...{ account: n % ACCOUNTS, date: dateOf(n), amount: amountOf(n) },
    ...{ category: n % CATEGORIES, payee: n % PAYEES },
  }),
}

/** How many transactions one request may bring. */
export const AT_ONCE = 500
/** How many there are. */
export const PAYEES = 100

const LOGIN = { email: 'bench@coffer.test', password: 'only for this one bench' }

/** A user of a running service with ten accounts, and `TOTAL` transactions in them. */
export interface Books {
  accounts: string[]
  categories: string[]
  payees: string[]
  tags: string[]
  /** How long the transactions took to store. */
  filledInSeconds: number
  call: <Body>(method: 'GET' | 'POST' | 'PUT', path: string, body?: object) => Promise<Body>
  /** What a request is sent with. */
  headers: () => Record<string, string>
  /** Takes a fresh access token. */
  signIn: () => Promise<void>
  /** The transaction of that number, as a request says it. */
  row: (n: number) => object
  /** A request for `AT_ONCE` of them. */
  some: (first: number) => object
  close: () => void
}

export async function fillBooks(
  url: string,
  { expenses, incomes, bookedOf }: Contents = LEDGER,
): Promise<Books> {
  const agent = new Agent({ keepAlive: true })
  let token = ''
  const headers = () => ({ 'Content-Type': 'application/json', Authorization: `Bearer ${token}` })
  const call: Books['call'] = (method, path, body) =>
    send(agent, { method, url: url + path, headers: headers(), body })

  const registered = await call<{ accessToken: string }>('POST', '/auth/register', {
    ...LOGIN,
    name: 'Bench',
  })
  token = registered.accessToken
  const make = async (count: number, path: string, bodyOf: (n: number) => object) => {
    const ids: string[] = []
    for (let n = 0; n < count; n++) {
      ids.push((await call<{ id: string }>('POST', path, bodyOf(n))).id)
    }
    return ids
  }
  const accounts = await make(ACCOUNTS, '/account', (n) => ({
    name: `Account ${n}`,
    type: 'checking',
    currency: 'EUR',
  }))
  const kindOf = (category: number) => (category < expenses ? 'expense' : 'income')
  const categories = await make(expenses + incomes, '/category', (n) => ({
    name: `Category ${n}`,
    kind: kindOf(n),
  }))
  const payees = await make(PAYEES, '/payee', (n) => ({ name: `Shop ${n}` }))
  const tags = await make(10, '/tag', (n) => ({ name: `Tag ${n}` }))

  const row = (n: number) => {
    const { account, date, amount, category, payee } = bookedOf(n)
    return {
      kind: kindOf(category),
      accountId: accounts[account],
      date,
      amount: (amount / 100).toFixed(2),
      description: wordsOf(n),
      payeeId: payees[payee],
      categoryId: categories[category],
      status: 'cleared',
    }
  }
  const some = (first: number) => ({
    transactions: Array.from({ length: AT_ONCE }, (_, at) => row(first + at)),
  })
  const filledAt = performance.now()
  for (let first = 0; first < TOTAL; first += AT_ONCE) {
    await call('POST', '/transaction/bulk', some(first))
  }
  return {
    accounts,
    categories,
    payees,
    tags,
    filledInSeconds: (performance.now() - filledAt) / 1000,
    call,
    headers,
    signIn: async () => {
      token = (await call<{ accessToken: string }>('POST', '/auth/v2/login', LOGIN)).accessToken
    },
    row,
    some,
    close: () => agent.destroy(),
  }
}

interface Sent {
  method: string
  url: string
  headers: Record<string, string>
  body: object | undefined
}

const send = <Body>(agent: Agent, { method, url, headers, body }: Sent): Promise<Body> =>
  new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, agent }, (response) => {
      const chunks: Buffer[] = []
      response
        .on('data', (chunk: Buffer) => chunks.push(chunk))
        .once('end', () => {
          const text = Buffer.concat(chunks).toString()
          if ((response.statusCode ?? 500) >= 300) {
            reject(new Error(`${method} ${url}: ${response.statusCode} ${text.slice(0, 300)}`))
          } else {
            resolve(JSON.parse(text) as Body)
          }
        })
    })
    sent.once('error', reject).end(body && JSON.stringify(body))
  })
