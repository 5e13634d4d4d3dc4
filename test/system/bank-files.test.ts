import { existsSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inProject } from '../../scripts/lib/project.ts'
import { startService } from '../support/releases.ts'
import type { Running } from '../support/running.ts'

// Real files of banks, where they are at hand; they are not part of the project.
const FILES = inProject('../shared/data/imports')

/** What of the answers is looked at. */
interface Body {
  id: string
  accessToken: string
  balance: string
  clearedBalance: string
  transactionCount: number
  count: number
  summary: object
  transactions: { runningBalance: string }[]
  totalsByCurrency: object[]
  budgetAccounts: { balance: string }[]
}

interface BankRow {
  /** `YYYY-MM-DD`. */
  date: string
  /** Signed decimal text, as in the file. */
  amount: string
  description: string
  externalId?: string
}

/** The transactions of an OFX 1 (SGML) file: tags end with their line. */
function readOfx(text: string): BankRow[] {
  return text
    .split('<STMTTRN>')
    .slice(1)
    .map((block) => {
      const field = (name: string) => new RegExp(`<${name}>(.*)`).exec(block)?.[1]?.trim() ?? ''
      const posted = field('DTPOSTED')
      return {
        date: `${posted.slice(0, 4)}-${posted.slice(4, 6)}-${posted.slice(6, 8)}`,
        amount: field('TRNAMT'),
        description: field('NAME'),
        externalId: field('FITID'),
      }
    })
}

/** The transactions of a QIF file: one letter, then the value; `^` ends a record. */
function readQif(text: string): BankRow[] {
  return text
    .split(/^\^\r?$/m)
    .filter((record) => /^D/m.test(record))
    .map((record) => {
      const field = (letter: string) =>
        new RegExp(`^${letter}(.*)`, 'm').exec(record)?.[1]?.trim() ?? ''
      const [month = '', day = '', year = ''] = field('D').split('/')
      return { date: `20${year}-${month}-${day}`, amount: field('T'), description: field('P') }
    })
}

describe.skipIf(!existsSync(FILES))('the rows of a bank file, sent one by one', () => {
  let service: Running

  beforeAll(async () => {
    service = await startService({ variables: { REGISTRATION: 'open', PASSWORD_COST: '4' } })
  })
  afterAll(() => service.stop())

  async function client() {
    let token = ''
    const send = async (method: string, path: string, json?: object) => {
      const response = await fetch(`${service.url}${path}`, {
        method,
        headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
        ...(json ? { body: JSON.stringify(json) } : {}),
      })
      return { status: response.status, body: (await response.json()) as Body }
    }
    const email = `${crypto.randomUUID()}@coffer.test`
    const { body } = await send('POST', '/auth/register', {
      email,
      password: 'fifteen characters or more',
      name: 'Ada',
    })
    token = body.accessToken
    return send
  }

  it.each([
    {
      file: 'ofx/actual-bank.ofx',
      read: readOfx,
      count: 10,
      sum: '-364.41',
      inflow: '0.00',
      outflow: '364.41',
    },
    {
      file: 'qif/actual-bank.qif',
      read: readQif,
      count: 18,
      sum: '394.06',
      inflow: '874.85',
      outflow: '480.79',
    },
  ])('$file give $sum on the account, in its details and on the home page', async (expected) => {
    const bankRows = expected.read(readFileSync(`${FILES}/${expected.file}`, 'utf8'))
    expect(bankRows).toHaveLength(expected.count)
    const send = await client()
    const { body: account } = await send('POST', '/account', {
      name: 'Bank',
      type: 'checking',
      currency: 'USD',
      openingDate: '2018-12-01',
    })
    for (const { amount, ...row } of bankRows) {
      const { status } = await send('POST', '/transaction', {
        ...row,
        kind: amount.startsWith('-') ? 'expense' : 'income',
        accountId: account.id,
        amount: amount.replace('-', ''),
        status: 'cleared',
      })
      expect(status).toBe(201)
    }

    const { body: now } = await send('GET', `/account/${account.id}`)
    expect([now.balance, now.clearedBalance, now.transactionCount]).toEqual([
      expected.sum,
      expected.sum,
      expected.count,
    ])
    const { body: details } = await send('GET', `/account/${account.id}/details`)
    expect(details.summary).toMatchObject({
      inflow: expected.inflow,
      outflow: expected.outflow,
      net: expected.sum,
    })
    expect([details.count, details.transactions[0]?.runningBalance]).toEqual([
      expected.count,
      expected.sum,
    ])
    const { body: home } = await send('GET', '/account/home-page')
    expect(home.totalsByCurrency).toMatchObject([
      { currency: 'USD', assets: expected.sum, netWorth: expected.sum, budget: expected.sum },
    ])
    expect(home.budgetAccounts[0]?.balance).toBe(expected.sum)
  })

  it('are not booked twice when they have the bank’s id', async () => {
    const send = await client()
    const { body: account } = await send('POST', '/account', {
      name: 'Bank',
      type: 'checking',
      currency: 'USD',
    })
    const [row] = readOfx(readFileSync(`${FILES}/ofx/actual-bank.ofx`, 'utf8'))
    const json = {
      kind: 'expense',
      accountId: account.id,
      date: row?.date,
      amount: row?.amount.replace('-', ''),
      externalId: row?.externalId,
    }
    const first = await send('POST', '/transaction', json)
    const second = await send('POST', '/transaction', json)
    expect([first.status, second.status, second.body.id]).toEqual([201, 200, first.body.id])
  })
})
