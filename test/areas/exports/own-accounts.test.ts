import { describe, expect, it } from 'vitest'
import { setImportMapping } from '../../../src/areas/exchange/imports/imports.routes.ts'
import {
  listImportRows,
  updateImportRow,
} from '../../../src/areas/exchange/imports/rows/rows.routes.ts'
import { getUserAccounts } from '../../../src/areas/money/accounts/accounts.routes.ts'
import {
  createTransaction,
  deleteTransaction,
  listTransactions,
  updateTransaction,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import { matchTransfer } from '../../../src/areas/money/transfers/matching/matching.routes.ts'
import { listTransfers } from '../../../src/areas/money/transfers/transfers.routes.ts'
import { call, ok, type Principal } from '../../support/api.ts'
import { unzip } from '../../support/archives.ts'
import { newAccount, newUser } from '../../support/world.ts'
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

type Format = keyof typeof WISHES

/** The files of an export: one, or those in an archive. */
async function filesOf(as: Principal, format: Format): Promise<Uint8Array[]> {
  const { id, state } = await makeExport(as, WISHES[format] as never)
  expect(state).toBe('ready')
  const bytes = new Uint8Array(await (await fetchExport(as, id)).arrayBuffer())
  return bytes[0] === 0x50 && bytes[1] === 0x4b ? Object.values(unzip(bytes)) : [bytes]
}

const accountsOf = async (as: Principal) => (await ok(getUserAccounts, { as })).accounts

const balancesOf = async (as: Principal) =>
  (await accountsOf(as)).map(({ currency, balance }) => `${currency} ${balance}`).toSorted()

const countsOf = async (as: Principal) => ({
  transactions: (await ok(listTransactions, { as })).count,
  transfers: (await ok(listTransfers, { as })).count,
})

const ANSWERS: Record<string, unknown> = { dateOrder: 'MDY', decimal: '.', sign: 'asIs' }

const CURRENCIES: Record<string, string> = { Tokyo: 'JPY', Dinar: 'BHD' }

/** Uploads a file, and answers its questions: each account with what `accountFor` says of it. */
async function read(
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

describe('an export of accounts in several currencies', () => {
  it.each(['csv', 'csvExcel', 'json', 'ndjson', 'qif', 'ofx'] as const)(
    'as %s creates the same accounts with the same balances for somebody who has nothing',
    async (format) => {
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
    },
  )

  it.each(['csv', 'csvExcel', 'json', 'ndjson', 'qif', 'ofx'] as const)(
    'as %s adds nothing to the accounts that it came from',
    async (format) => {
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
    },
  )

  it('as csv adds nothing where a transaction was edited, moved to the trash or matched since', async () => {
    const { me, everyday, odd, labelled, voided, paid } = await newHousehold()
    const out = { kind: 'expense', accountId: everyday.id, date: '2026-04-01', amount: '60.00' }
    const one = await ok(createTransaction, { as: me, json: out as never })
    const back = { ...out, kind: 'income', accountId: odd.id }
    const other = await ok(createTransaction, { as: me, json: back as never })
    const [file = new Uint8Array()] = await filesOf(me, 'csv')
    const edited = { amount: '6.50', date: '2026-07-01', force: true }
    await ok(updateTransaction, { as: me, id: labelled.id, json: edited })
    await call(deleteTransaction, { as: me, id: paid.id })
    await ok(matchTransfer, {
      as: me,
      json: { fromTransactionId: one.id, toTransactionId: other.id },
    })
    const balances = await balancesOf(me)
    const { id, counts } = await read(me, file, () => 'ignore')
    expect(counts).toMatchObject({ new: 0, matched: 0, error: 0 })
    await committed(me, id, { transfers: 'match' })
    expect(await balancesOf(me)).toEqual(balances)
    expect((await read(me, file, () => 'ignore')).counts).toMatchObject({ new: 0, matched: 0 })
    expect(voided.status).toBe('void')
  })

  it('as csv is never read in the currency of another account', async () => {
    const { me } = await newHousehold()
    const other = await newUser()
    const tokyo = await newAccount(other, { name: 'Tokyo' })
    const [file = new Uint8Array()] = await filesOf(me, 'csv')
    const { id } = await read(other, file, () => 'create')
    const found = (await ok(setImportMapping, { as: other, id, json: { currency: 'EUR' } })) as {
      counts: object
    }
    const { rows } = await ok(listImportRows, { as: other, id, query: { accountId: tokyo.id } })
    expect(rows.length).toBeGreaterThan(0)
    expect(rows.map(({ verdict, reason, errors }) => [verdict, reason, errors[0]?.code])).toEqual(
      rows.map(() => ['error', null, 'currencyMismatch']),
    )
    expect(found.counts).toMatchObject({ error: rows.length })
  })
})
