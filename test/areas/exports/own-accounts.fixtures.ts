import { expect } from 'vitest'
import {
  setImportMapping,
  listImportRows,
  updateImportRow,
} from '../../../src/areas/intake/imports/imports.routes.ts'
import { getUserAccounts } from '../../../src/areas/money/accounts/accounts.routes.ts'
import { listTransactions } from '../../../src/areas/money/transactions/transactions.routes.ts'
import { listTransfers } from '../../../src/areas/money/transfers/transfers.routes.ts'
import { ok, type Principal } from '../../support/api.ts'
import { unzip } from '../../support/archives.ts'
import { newUser } from '../../support/world.ts'
import { committed, type ImportBody, uploaded } from '../imports/importing.ts'
import { fetchExport, makeExport, newHousehold } from './exports.fixtures.ts'

const WHAT = ['accounts', 'categories', 'payees', 'tags', 'transactions'] as const
const ALL = { scope: { what: [...WHAT] } }

const WISHES = {
  csv: { format: 'csv' },
  csvExcel: { format: 'csvExcel', options: { locale: 'de' } },
  json: { format: 'json', ...ALL },
  ndjson: { format: 'ndjson', ...ALL },
  qif: { format: 'qif' },
  ofx: { format: 'ofx' },
} as const

export type Format = keyof typeof WISHES

/** The files of an export: one, or those in an archive. */
export async function filesOf(as: Principal, format: Format): Promise<Uint8Array[]> {
  const { id, state } = await makeExport(as, WISHES[format] as never)
  expect(state).toBe('ready')
  const bytes = new Uint8Array(await (await fetchExport(as, id)).arrayBuffer())
  return bytes[0] === 0x50 && bytes[1] === 0x4b ? Object.values(unzip(bytes)) : [bytes]
}

export const accountsOf = async (as: Principal) => (await ok(getUserAccounts, { as })).accounts

export const balancesOf = async (as: Principal) =>
  (await accountsOf(as)).map(({ currency, balance }) => `${currency} ${balance}`).toSorted()

const countsOf = async (as: Principal) => ({
  transactions: (await ok(listTransactions, { as })).count,
  transfers: (await ok(listTransfers, { as })).count,
})

const ANSWERS: Record<string, unknown> = { dateOrder: 'MDY', decimal: '.', sign: 'asIs' }

const CURRENCIES: Record<string, string> = { Tokyo: 'JPY', Dinar: 'BHD' }

/** Uploads a file, and answers its questions: each account with what `accountFor` says of it. */
export async function read(
  as: Principal,
  file: Uint8Array,
  accountFor: (foreign: string, name: string) => string,
): Promise<ImportBody> {
  const found = await uploaded(as, file)
  if (found.state !== 'questions') {
    return found
  }
  const accountMap = Object.fromEntries(
    found.accounts.map((one) => {
      const { foreign, name, accountId } = one as typeof one & { name?: string | null }
      return [foreign, accountId ?? accountFor(foreign, name ?? foreign)]
    }),
  )
  const others = found.questions.filter(({ key }) => !['account', 'accounts'].includes(key))
  const answers = Object.fromEntries(others.map(({ key }) => [key, ANSWERS[key]]))
  // QIF says no currency.
  const newAccounts = Object.fromEntries(
    found.accounts.flatMap((one) => {
      const { foreign, currency } = one as typeof one & { currency?: string | null }
      return currency === null ? [[foreign, { currency: CURRENCIES[foreign] ?? 'EUR' }]] : []
    }),
  )
  const json = { accountMap, ...answers, newAccounts }
  return (await ok(setImportMapping, { as, id: found.id, json })) as unknown as ImportBody
}

/** An export creates the same accounts with the same balances for somebody who has nothing. */
export async function createSame(format: Format): Promise<void> {
  const { me } = await newHousehold()
  const other = await newUser()
  for (const file of await filesOf(me, format)) {
    const found = await read(other, file, () => 'create')
    expect(found).toMatchObject({ state: 'previewed', questions: [], counts: { error: 0 } })
    expect((await committed(other, found.id, { transfers: 'match' })).state).toBe('done')
  }
  expect(await balancesOf(other)).toEqual(await balancesOf(me))
  if (['csv', 'csvExcel', 'json', 'ndjson'].includes(format)) {
    expect((await countsOf(other)).transfers).toBe((await countsOf(me)).transfers)
  }
}

/** An export adds nothing to the accounts that it came from. */
export async function addNothing(format: Format): Promise<void> {
  const { me } = await newHousehold()
  const [balances, counts] = [await balancesOf(me), await countsOf(me)]
  const accounts = await accountsOf(me)
  const plain = (text: string) => text.replaceAll(/[^\p{L}\d]/gu, '')
  const ownFor = (foreign: string, name: string) =>
    accounts.find(
      (one) =>
        one.id === foreign ||
        plain(one.name) === plain(name) ||
        (foreign.length >= 20 && one.id.endsWith(foreign.slice(-20))),
    )?.id ?? 'ignore'
  for (const file of await filesOf(me, format)) {
    const { id, counts: found } = await read(me, file, ownFor)
    const { rows } = await ok(listImportRows, { as: me, id, query: { verdict: 'new' } })
    // QIF has no ids, and a row that says nothing but its day and amount is only suggested.
    expect(rows.filter(({ suggestedMatchId }) => suggestedMatchId === null)).toEqual([])
    expect(found).toMatchObject(format === 'qif' ? { error: 0 } : { new: 0, error: 0 })
    const decision = { decision: 'skip' } as const
    for (const row of rows) {
      await ok(updateImportRow, { as: me, path: { id, rowId: row.id }, json: decision })
    }
    expect((await committed(me, id, { transfers: 'match' })).state).toBe('done')
  }
  expect([await balancesOf(me), await countsOf(me)]).toEqual([balances, counts])
}
