import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { unzip } from '../support/archives.ts'
import { needProgram, runOver } from '../areas/exports/programs.ts'
import { copyDemoData } from '../support/demo-data.ts'
import { isProof } from '../support/rounds.ts'
import { temporaryFolder } from '../support/running.ts'
import { type DemoService, signIn, signUp, until, withService } from './demo-service.ts'

const folder = temporaryFolder()

beforeAll(() => copyDemoData(folder.path))
afterAll(folder.remove)

interface Account {
  id: string
  name: string
  type: string
  currency: string
  balance: string
  openingBalance: string
  openingDate: string | null
  permission: string
}

const NAMES = ['one', 'two'] as const
/** Who is tried, and in `npm run prove` the other one, too: their books differ in size, not in kind. */
const TRIED = isProof ? NAMES : NAMES.slice(0, 1)

const accountsOf = async ({ tell }: DemoService, token: string) =>
  (await tell<{ accounts: Account[] }>('/account', { token })).accounts.filter(
    ({ permission }) => permission === 'owner',
  )

/** The file of an export. */
async function exported(service: DemoService, token: string, json: object): Promise<Uint8Array> {
  const { id } = await service.tell<{ id: string }>('/export', { token, json })
  await until(service, `/export/${id}`, token)
  const answer = await service.ask(`/export/${id}/download`, { token })
  const bytes = new Uint8Array(await answer.arrayBuffer())
  await service.ask(`/export/${id}`, { token, method: 'DELETE' })
  return bytes
}

const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes)

const SIDES = ['Assets', 'Liabilities']

/** A balance as a program prints it, which may leave digits out that are zero. */
const balance = (currency: string, amount: string, account: string) =>
  `${currency} ${Number(amount)}  ${account}`

/** Accounts whose balance a program does not come to. @param printed in lines of currency, amount and account */
function unlike(accounts: Account[], printed: string, nameOf = (name: string) => name) {
  const found = new Set(
    printed.split('\n').map((line) => {
      const [, currency = '', amount = '', account = ''] =
        /^\s*([A-Z]{3})[\s,]+(-?[\d.]+)[\s,]+(.*?)\s*$/.exec(line) ?? []
      return balance(currency, amount, account)
    }),
  )
  return (
    accounts
      // One that was never used is not told.
      .filter((one) => Number(one.balance) !== 0)
      .filter((one) =>
        SIDES.every(
          (side) => !found.has(balance(one.currency, one.balance, `${side}:${nameOf(one.name)}`)),
        ),
      )
  )
}

describe('journals of the demo data', () => {
  const made = async (service: DemoService, token: string, format: string) => {
    const text = textOf(await exported(service, token, { format, options: { assertions: true } }))
    expect(text.length).toBeGreaterThan(10_000)
    return text
  }

  /** What each program prints of a journal that it has checked; balances in lines of currency, amount and account. */
  const printedBy = {
    hledger: (text: string) => {
      expect(runOver('hledger', ['check', '--strict', '-f'], text)).toBe('')
      return runOver('hledger', ['bal', '--flat', '-E', '-N', '-f'], text, SIDES)
    },
    ledger: (text: string) =>
      runOver('ledger', ['--pedantic', '-f'], text, [
        ...['bal', '--flat', '--empty', '--no-total'],
        ...SIDES,
      ]),
    'bean-query': (text: string) => {
      expect(runOver('bean-check', [], text)).toBe('')
      const query =
        "SELECT sum(position), account WHERE account ~ '^(Assets|Liabilities)' GROUP BY account"
      return runOver('bean-query', ['-f', 'csv'], text, [query]).replaceAll(
        /^ *(\S+) +([A-Z]{3}),/gm,
        '$2 $1 ',
      )
    },
  }

  it.for(['hledger', 'ledger', 'bean-query'] as const)(
    'pass the checks of %s, with the balances of the API',
    async (program, context) => {
      await withService(folder.path, async (service) => {
        for (const name of TRIED) {
          const token = await signIn(service, name)
          const text = await made(service, token, program.replace('bean-query', 'beancount'))
          needProgram(context, program)
          const nameOf = (of: string) => (program === 'bean-query' ? of.replaceAll(' ', '-') : of)
          const accounts = await accountsOf(service, token)
          expect(unlike(accounts, printedBy[program](text), nameOf)).toEqual([])
        }
      })
    },
  )
})

interface Import {
  id: string
  state: string
  questions: { key: string }[]
  accounts: { foreign: string; name?: string | null }[]
}

const ANSWERS: Record<string, unknown> = { dateOrder: 'MDY', decimal: '.', sign: 'asIs' }

/** The account that a file names: by its id, the end of that, or its name as the format writes it. */
function accountFor({ foreign, name }: Import['accounts'][number], accounts: Account[]) {
  const plain = (text: string) => text.replaceAll(/[^\p{L}\d]/gu, '')
  return accounts.find(
    (one) =>
      one.id === foreign ||
      plain(one.name) === plain(name ?? foreign) ||
      (foreign.length >= 20 && one.id.endsWith(foreign.slice(-20))),
  )
}

/** Imports a file into accounts that have these ids, by those of the file. */
async function imported(
  service: DemoService,
  token: string,
  bytes: Uint8Array,
  { accounts, ids }: { accounts: Account[]; ids: ReadonlyMap<string, string> },
): Promise<void> {
  const sent = await service.tell<Import>('/import?fileName=demo', { token, bytes })
  let found = await until<Import>(service, `/import/${sent.id}`, token)
  if (found.state === 'questions') {
    const accountMap = Object.fromEntries(
      found.accounts.map((one) => [
        one.foreign,
        ids.get(accountFor(one, accounts)?.id ?? '') ?? 'ignore',
      ]),
    )
    const answers = found.questions
      .filter(({ key }) => key !== 'accounts' && key !== 'account')
      .map(({ key }) => [key, ANSWERS[key]])
    await service.ask(`/import/${sent.id}/mapping`, {
      ...{ token, method: 'PUT', json: { accountMap, ...Object.fromEntries(answers) } },
    })
    found = await until<Import>(service, `/import/${sent.id}`, token)
  }
  expect(found).toMatchObject({ state: 'previewed', questions: [] })
  await service.ask(`/import/${sent.id}/commit`, { token, json: { transfers: 'match' } })
  await until(service, `/import/${sent.id}`, token)
}

const WHAT = ['accounts', 'categories', 'payees', 'tags', 'transactions']

interface Side {
  accountId: string
  currency: string
}

/** How many transfers somebody has between own accounts, and how many of them are within one currency. */
async function transfersOf({ tell }: DemoService, token: string, own: Account[]) {
  const ids = new Set(own.map(({ id }) => id))
  const all: { from: Side; to: Side }[] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const page: { transfers: { from: Side; to: Side }[]; nextCursor: string | null } = await tell(
      `/transfer?limit=200${cursor === '' ? '' : `&cursor=${cursor}`}`,
      { token },
    )
    all.push(...page.transfers)
    cursor = page.nextCursor
  }
  const between = all.filter(({ from, to }) => ids.has(from.accountId) && ids.has(to.accountId))
  const within = between.filter(({ from, to }) => from.currency === to.currency)
  return { all: between.length, within: within.length }
}

/** Adds accounts like these; where a format has the opening balance as one more transaction, without one. */
async function newAccounts(
  { tell }: DemoService,
  token: string,
  accounts: Account[],
  hasOpening: boolean,
) {
  const ids = new Map<string, string>()
  for (const { id, openingBalance, openingDate, name, type, currency } of accounts) {
    const opening = hasOpening && openingDate !== null ? { openingBalance, openingDate } : {}
    const json = { name, type, currency, ...opening }
    ids.set(id, (await tell<{ id: string }>('/account', { token, json })).id)
  }
  return ids
}

const balancesOf = (accounts: Account[]) =>
  accounts.map(({ name, currency, balance: of }) => `${name}: ${currency} ${of}`).toSorted()

describe('exports of the demo data', () => {
  const formats = [
    ['csv', {}, true, 'all'],
    ['csvExcel', { options: { locale: 'de' } }, true, 'all'],
    ['json', { scope: { what: WHAT } }, true, 'all'],
    ['ndjson', { scope: { what: WHAT } }, true, 'all'],
    // A file has one currency.
    ['qif', {}, true, 'within'],
    // It does not say which sides belong together.
    ['ofx', {}, false, undefined],
  ] as const
  it.each(formats)(
    'bring the same balances to an empty user as %s',
    async (format, more, hasOpening, joined) => {
      await withService(folder.path, async (service) => {
        for (const name of TRIED) {
          const token = await signIn(service, name)
          const accounts = await accountsOf(service, token)
          const file = await exported(service, token, { format, ...more })
          const other = await signUp(service, `${format}-${name}`)
          const ids = await newAccounts(service, other, accounts, hasOpening)
          const isArchive = file[0] === 0x50 && file[1] === 0x4b
          for (const part of isArchive ? Object.values(unzip(file)) : [file]) {
            await imported(service, other, part, { accounts, ids })
          }
          const there = await accountsOf(service, other)
          expect(balancesOf(there)).toEqual(balancesOf(accounts))
          if (joined) {
            const { [joined]: before } = await transfersOf(service, token, accounts)
            const { [joined]: after } = await transfersOf(service, other, there)
            expect([after, before > 50]).toEqual([before, true])
          }
        }
      })
    },
  )
})
