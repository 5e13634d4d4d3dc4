import { expect, it } from 'vitest'
import {
  setImportMapping,
  listImportRows,
} from '../../../src/areas/intake/imports/imports.routes.ts'
import { getUserAccounts } from '../../../src/areas/money/accounts/accounts.routes.ts'
import {
  createTransaction,
  listTransactions,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import { listTransfers } from '../../../src/areas/money/transfers/transfers.routes.ts'
import { ok, type Principal } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { unzip } from '../../support/archives.ts'
import { committed, type ImportBody, uploaded } from '../imports/importing.ts'
import { fetchExport, makeExport, newHousehold } from './exports.fixtures.ts'

type Account = Awaited<ReturnType<typeof accountsOf>>[number]

const accountsOf = async (as: Principal) => (await ok(getUserAccounts, { as })).accounts

/** What an account holds, by its name. */
const balancesOf = async (as: Principal) =>
  (await accountsOf(as))
    .map(({ name, currency, balance }) => `${name}: ${currency} ${balance}`)
    .toSorted()

const countsOf = async (as: Principal) => ({
  transactions: (await ok(listTransactions, { as })).count,
  transfers: (await ok(listTransfers, { as })).count,
})

const WHAT = ['accounts', 'categories', 'payees', 'tags', 'transactions'] as const
const ALL = { scope: { what: [...WHAT] } }

/** The files of an export: one, or those in an archive. */
async function filesOf(
  as: Principal,
  json: Parameters<typeof makeExport>[1],
): Promise<Uint8Array[]> {
  const { id, state } = await makeExport(as, json)
  expect(state).toBe('ready')
  const bytes = new Uint8Array(await (await fetchExport(as, id)).arrayBuffer())
  return bytes[0] === 0x50 && bytes[1] === 0x4b ? Object.values(unzip(bytes)) : [bytes]
}

/** Accounts like these; where a format has the opening balance as one more transaction, without one. */
async function newAccounts(as: Principal, accounts: Account[], hasOpening: boolean) {
  const ids = new Map<string, string>()
  for (const { id, name, currency, type, openingBalance, openingDate } of accounts) {
    const opening = hasOpening ? { openingBalance, openingDate } : {}
    ids.set(id, (await newAccount(as as never, { name, currency, type, ...opening })).id)
  }
  return ids
}

/** The account that a file names: by its id, its name as the format writes it, or the end of its id. */
function accountFor(foreign: string, name: string, accounts: Account[]): Account | undefined {
  const plain = (text: string) => text.replaceAll(/[^\p{L}\d]/gu, '')
  return accounts.find(
    (one) =>
      one.id === foreign ||
      plain(one.name) === plain(name) ||
      (foreign.length >= 20 && one.id.endsWith(foreign.slice(-20))),
  )
}

async function imported(
  as: Principal,
  file: Uint8Array,
  accounts: Account[],
  ids: Map<string, string>,
): Promise<ImportBody> {
  let found = await uploaded(as, file)
  if (found.state === 'questions') {
    const accountMap = Object.fromEntries(
      found.accounts.map((one) => {
        const { foreign, name } = one as { foreign: string; name?: string | null }
        const account = accountFor(foreign, name ?? foreign, accounts)
        return [one.foreign, ids.get(account?.id ?? '') ?? 'ignore']
      }),
    )
    const answers = Object.fromEntries(
      found.questions
        .filter(({ key }) => key !== 'accounts' && key !== 'account')
        .map(({ key }) => [key, ANSWERS[key]]),
    )
    found = (await ok(setImportMapping, {
      ...{ as, id: found.id, json: { accountMap, ...answers } },
    })) as unknown as ImportBody
  }
  expect(found.questions).toEqual([])
  expect(found.state).toBe('previewed')
  return found
}

const ANSWERS: Record<string, unknown> = { dateOrder: 'MDY', decimal: '.', sign: 'asIs' }

it.each([
  { format: 'csv' },
  { format: 'csvExcel', options: { locale: 'de' } },
  { format: 'json', ...ALL },
  { format: 'ndjson', ...ALL },
])('an export as $format keeps free fields', async (json) => {
  const me = await newUser()
  const account = await newAccount(me)
  const metadata = {
    tool: 'x;"y"\\',
    name: String.raw`\"`,
    list: [1, { deep: null }],
    ü: true,
    '=1': 2.5,
  }
  const given = { accountId: account.id, kind: 'expense', date: '2026-01-05' } as const
  await ok(createTransaction, { as: me, json: { ...given, amount: '5.00', metadata } })
  await ok(createTransaction, { as: me, json: { ...given, amount: '6.00' } })
  const other = await newUser()
  const ids = await newAccounts(other, await accountsOf(me), true)
  for (const file of await filesOf(me, json as never)) {
    const { id } = await imported(other, file, await accountsOf(me), ids)
    const { rows } = await ok(listImportRows, { as: other, id })
    expect(rows.map(({ parsed }) => parsed.metadata)).toContainEqual(metadata)
    await committed(other, id)
  }
  const { transactions } = await ok(listTransactions, { as: other })
  expect(
    transactions.filter(({ kind }) => kind === 'expense').map((one) => [one.amount, one.metadata]),
  ).toEqual([
    ['6.00', null],
    ['5.00', metadata],
  ])
})

it.each([
  ['csv', { format: 'csv' }, true, 4],
  ['csvExcel', { format: 'csvExcel', options: { locale: 'de' } }, true, 4],
  ['json', { format: 'json', ...ALL }, true, 4],
  ['ndjson', { format: 'ndjson', ...ALL }, true, 4],
  // A file has one currency, and so have the transfers in it.
  ['qif', { format: 'qif' }, true, 2],
  // It has the sides of transfers, but does not say that they belong together.
  ['ofx', { format: 'ofx' }, false, undefined],
] as const)(
  'an export as %s brings the same balances to somebody who has nothing, once',
  async (_, json, hasOpening, transfers) => {
    const { me } = await newHousehold()
    const accounts = await accountsOf(me)
    const files = await filesOf(me, json as never)
    const other = await newUser()
    const ids = await newAccounts(other, accounts, hasOpening)
    for (const file of files) {
      const { id } = await imported(other, file, accounts, ids)
      const { state } = await committed(other, id, { transfers: 'match' })
      expect(state).toBe('done')
    }
    expect(await balancesOf(other)).toEqual(await balancesOf(me))
    const before = await countsOf(other)
    // All but the void one.
    expect(before.transactions).toBe((await countsOf(me)).transactions - 1)
    expect(before.transfers).toBe(transfers ?? before.transfers)
    for (const file of files) {
      const { id, counts } = await imported(other, file, accounts, ids)
      expect(counts['new']).toBe(0)
      await committed(other, id, { transfers: 'match' })
    }
    expect(await countsOf(other)).toEqual(before)
    expect(await balancesOf(other)).toEqual(await balancesOf(me))
  },
)
