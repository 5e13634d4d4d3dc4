import { describe, expect, it } from 'vitest'
import {
  createImport,
  replaceImportFile,
  listImportRows,
} from '../../../src/areas/intake/imports/imports.routes.ts'
import { getAccountByID } from '../../../src/areas/money/accounts/accounts.routes.ts'
import { type Expected, generate } from '../../domain/csv/hostile.fixtures.ts'
import { message, entry } from '../../domain/camt/camt.fixtures.ts'
import { call, ok, rows } from '../../support/api.ts'
import { randomFrom } from '../../support/random.ts'
import { rounds, SEED } from '../../support/rounds.ts'
import { newAccount, newUser, type TestUser } from '../../support/world.ts'
import { committed, csv, ofx, settled, upload, uploaded } from './importing.ts'

async function allRows(as: TestUser, id: string) {
  const found = []
  for (let cursor: string | null | undefined; cursor !== null;) {
    const query = { limit: '200', ...(cursor ? { cursor } : {}) }
    const page = await ok(listImportRows, { as, id, query })
    found.push(...page.rows)
    cursor = page.nextCursor
  }
  return found
}

const centsOf = (text: string) => Math.round(Number(text) * 100)
/** Of the 10,000 lines. */
const LINES = rounds(1000, 10_000)

const isGood = ({ booked }: Expected) => booked.includes(' ')

it(`${LINES} hostile lines: good rows are exact, bad ones are listed by their lines (COFFER_SEED=${SEED})`, async () => {
  const { text, expected } = generate(randomFrom(SEED).below, LINES)
  const me = await newUser()
  const account = await newAccount(me)
  const sent = await uploaded(me, text, { accountId: account.id })
  const { id, counts, state } = await settled(me, sent.id)
  expect(state).toBe('previewed')
  const found = (await allRows(me, id)).map(({ line, verdict, parsed, reason, errors }) => ({
    line,
    booked:
      verdict === 'new'
        ? `${parsed.date} ${centsOf(parsed.amount ?? '')}`
        : (errors[0]?.code ?? reason),
  }))
  const meant = expected.map(({ line, booked }) => {
    const [date, amount] = booked.split(' ')
    return { line, booked: amount === undefined ? booked : `${date} ${centsOf(amount)}` }
  })
  const at = found.findIndex((row, index) => JSON.stringify(row) !== JSON.stringify(meant[index]))
  expect([found.length, found[at]]).toEqual([meant.length, meant[at]])
  const good = expected.filter(isGood)
  expect(counts).toMatchObject({ rows: expected.length, new: good.length, duplicate: 0 })
  expect(await committed(me, id)).toMatchObject({ state: 'done', counts: { new: good.length } })
  const sum = good.reduce((total, { booked }) => total + centsOf(booked.split(' ')[1] ?? ''), 0)
  const { balance } = await ok(getAccountByID, { as: me, id: account.id })
  expect(centsOf(balance)).toBe(sum)
})

const XML = '<?xml version="1.0"?>'
const LAUGHS = `${XML}<!DOCTYPE lolz [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>`
const camt = message(entry('1.00', 'DBIT'))
const bank = ofx([{ id: '1', date: '2026-03-10', amount: '-1.00', name: 'TEA' }])

// More of what is wrong is in test/domain/bank-files/refused-files.test.ts.
describe('a file that is refused', () => {
  it.each([
    ['entities in CAMT', camt.replace(/<\?xml.*\?>/, LAUGHS), 'malformed'],
    [
      'lists within each other',
      `{"budget":{"accounts":[],"transactions":${'['.repeat(5000)}${']'.repeat(5000)}}}`,
      'malformed',
    ],
    ['OFX that breaks off', bank.slice(0, Math.floor(bank.length * 0.8)), 'truncated'],
    [
      '101 accounts',
      csv(
        Array.from({ length: 101 }, (_, at) => `2026-03-10,Account ${at},TEA,-1.00`),
        'Date,Account,Payee,Amount',
      ),
      'tooManyAccounts',
    ],
    [
      'long names of accounts',
      csv(
        Array.from({ length: 90 }, (_, at) => `2026-03-10,${at} ${'y'.repeat(9900)},TEA,-1.00`),
        'Date,Account,Payee,Amount',
      ),
      'malformed',
    ],
    [
      'long numbers of accounts that are none',
      csv(
        Array.from({ length: 90 }, (_, at) => `2026-03-10,${at}${'1'.repeat(9900)}!,TEA,-1.00`),
        'Date,Account,Payee,Amount',
      ),
      'malformed',
    ],
  ])('for %s leaves nothing', async (_, file, code) => {
    const me = await newUser()
    const account = await newAccount(me)
    const { status, error } = await upload(me, file, { accountId: account.id })
    expect([status, error.code]).toEqual([400, `imports.${code}`])
    expect(await rows('SELECT id FROM imports WHERE owner_id = ?', me.id)).toEqual([])
  })

  it('for its size leaves nothing, whether it says its length or not', async () => {
    const me = await newUser()
    const account = await newAccount(me)
    const body = new Uint8Array(25 * 1024 * 1024 + 1).fill(0x61)
    const query = { fileName: 'a.csv', accountId: account.id }
    const raw = { body, contentType: 'application/octet-stream' }
    const created = await call(createImport, { as: me, query, raw })
    expect([created.status, created.error.code]).toEqual([413, 'files.tooLarge'])
    expect(await rows('SELECT id FROM imports WHERE owner_id = ?', me.id)).toEqual([])
    const { id } = await uploaded(me, 'Date,Payee,Amount\n2026-03-10,TEA,-1.00\n', query)
    const { fileName } = query
    const replaced = await call(replaceImportFile, { as: me, id, query: { fileName }, raw })
    expect([replaced.status, replaced.error.code]).toEqual([413, 'files.tooLarge'])
  })
})

it('what is too long or cut within a row is an error of the row alone', async () => {
  const me = await newUser()
  const account = await newAccount(me)
  const lines = [
    `2026-03-10,TEA,-1.00${',x'.repeat(200)}`,
    `2026-03-11,${'y'.repeat(10_001)},-2.00`,
    `2026-03-12,${'z'.repeat(70_000)},-4.00`,
    '2026-03-13,MILK,-8.00',
    '2026-03-14,"BREAD,-16.00',
  ]
  const { id, counts, warnings } = await uploaded(me, csv(lines).trimEnd(), {
    ...{ accountId: account.id },
  })
  const found = await allRows(me, id)
  expect(found.map(({ line, verdict, errors }) => [line, verdict, errors[0]?.code])).toEqual([
    [2, 'error', 'tooManyFields'],
    [3, 'error', 'fieldTooLong'],
    [4, 'error', 'lineTooLong'],
    [5, 'new', undefined],
    [6, 'error', 'lastRecordCut'],
  ])
  expect(counts).toMatchObject({ rows: 5, new: 1, error: 4 })
  expect(warnings).toMatchObject([{ code: 'lastRecordCut', line: 6 }])
  // Nothing of a file is in an error but the first hundred characters of a cell.
  expect(JSON.stringify(found.map(({ errors }) => errors)).length).toBeLessThan(1_000)
  await committed(me, id)
  expect((await ok(getAccountByID, { as: me, id: account.id })).balance).toBe('-8.00')
})
