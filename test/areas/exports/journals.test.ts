import { describe, expect, it } from 'vitest'
import { getUserAccounts } from '../../../src/areas/money/accounts/accounts.routes.ts'
import { createExchangeRate } from '../../../src/areas/money/exchange-rates/exchange-rates.routes.ts'
import { again } from '../../support/again.ts'
import { ok, type Principal } from '../../support/api.ts'
import { exported, newHousehold, newTraveller } from './exports.fixtures.ts'
import { needProgram, runOver } from './programs.ts'

const household = again(newHousehold)
const traveller = again(newTraveller)

/** The balances of the accounts of a journal by id, as another program reckons them. */
function balancesBy(text: string, balance: (name: string) => string | undefined) {
  const names = [...text.matchAll(/^account (\S.*?)(?:  ;|\n    note) id:(acc_\w+)/gm)]
  return Object.fromEntries(names.map(([, name = '', id = '']) => [id, balance(name)]))
}

async function balancesOf(as: Principal) {
  const { accounts } = await ok(getUserAccounts, { as })
  return Object.fromEntries(accounts.map(({ id, balance }) => [id, balance]))
}

/** Amounts of commodities that come first, in lines of a total and a name. */
function parseBalances(printed: string): Map<string, string> {
  const found = new Map<string, string>()
  for (const line of printed.split('\n')) {
    const [, amount, name] = /^\s*(?:[A-Z]{3} )?(-?[\d.,]+?)\.?\s{2,}(\S.*)$/.exec(line) ?? []
    if (amount !== undefined && name !== undefined) {
      found.set(name, amount)
    }
  }
  return found
}

/** The sums of the postings to each account, and that each transaction sums to zero in each currency. */
function sumsOf(text: string): Map<string, number> {
  const sums = new Map<string, number>()
  const add = (to: Map<string, number>, key: string, amount: number) =>
    to.set(key, Math.round(((to.get(key) ?? 0) + amount) * 1000) / 1000)
  for (const entry of text.split('\n\n')) {
    const weights = new Map<string, number>()
    const posting = /^ {4}(?:[*!] )?(\S.*?) {2}([A-Z]{3}) (-?[\d.]+)(?: @@ ([A-Z]{3}) ([\d.]+))?$/gm
    for (const [, name = '', currency = '', amount, cost, total] of entry.matchAll(posting)) {
      add(sums, name, Number(amount))
      add(
        weights,
        cost ?? currency,
        cost ? Math.sign(Number(amount)) * Number(total) : Number(amount),
      )
    }
    expect(
      [...weights.values()].every((sum) => sum === 0),
      entry,
    ).toBe(true)
  }
  return sums
}

describe.each(['hledger', 'ledger'] as const)('%s', (format) => {
  it('has transactions that balance, and sums that are the balances', async () => {
    const { me } = await household()
    const text = await exported(me, { format })
    const sums = sumsOf(text)
    const declared = new Set(
      [...text.matchAll(/^account (\S.*?)(?:  ;.*)?$/gm)].map(([, name]) => name),
    )
    expect([...sums.keys()].filter((name) => !declared.has(name))).toEqual([])
    const told = balancesBy(text, (name) => String(sums.get(name)))
    const balances = await balancesOf(me)
    expect(Object.keys(told).toSorted()).toEqual(Object.keys(balances).toSorted())
    for (const [id, balance] of Object.entries(balances)) {
      expect(Number(told[id]), id).toBe(Number(balance))
    }
  })
})

describe('hledger', () => {
  it('writes a transfer between currencies with its total cost', async () => {
    const { me, transfer } = await traveller()
    const text = await exported(me, { format: 'hledger' })
    expect(text).toContain(
      [
        `2026-03-20 transfer  ; id:${transfer.id}`,
        '    Assets:Everyday  EUR -100.00',
        '    Assets:Tokyo  JPY 15840 @@ EUR 99.00',
        '    Expenses:Fees  EUR 1.00',
        '',
      ].join('\n'),
    )
    expect(
      text.startsWith('; scope: all accounts\n\ncommodity EUR 1000.00\ncommodity JPY 1000.\n'),
    ).toBe(true)
  })

  it('is read by hledger, which comes to the same balances', async (context) => {
    const { me } = await household()
    await ok(createExchangeRate, {
      as: me,
      json: { from: 'EUR', to: 'JPY', date: '2026-03-01', rate: '158.4' },
    })
    const text = await exported(me, {
      format: 'hledger',
      scope: { what: ['transactions', 'exchangeRates'] },
    })
    expect(text).toContain('P 2026-03-01 EUR JPY 158.4\n')
    needProgram(context, 'hledger')
    expect(runOver('hledger', ['check', '--strict', '-f'], text)).toBe('')
    const printed = runOver('hledger', ['bal', '--flat', '-E', '-N', '-f'], text, [
      'Assets',
      'Liabilities',
    ])
    const found = parseBalances(printed)
    expect(balancesBy(text, (name) => found.get(name))).toEqual(await balancesOf(me))
  })

  it('names one place for all accounts that are not exported', async (context) => {
    const { me, tokyo, everyday } = await traveller()
    const of = (id: string) => exported(me, { format: 'hledger', scope: { accountId: [id] } })
    const away = await of(tokyo.id)
    expect(away).toContain('    Assets:Tokyo  JPY 15840\n    Equity:Transfers  JPY -15840\n')
    expect(away).toContain('; scope: accounts Tokyo\n')
    const home = await of(everyday.id)
    expect(home).toContain('    Expenses:Fees  EUR 1.00\n    Equity:Transfers  EUR 99.00\n')
    expect(home).not.toContain('Tokyo')
    needProgram(context, 'hledger')
    for (const text of [away, home]) {
      expect(runOver('hledger', ['check', '--strict', '-f'], text)).toBe('')
    }
  })
})

describe('ledger', () => {
  it('is read by ledger, which comes to the same balances', async (context) => {
    const { me } = await household()
    const text = await exported(me, { format: 'ledger' })
    needProgram(context, 'ledger')
    const before = ['--pedantic', '-f']
    const printed = runOver('ledger', before, text, [
      'bal',
      '--flat',
      '--empty',
      '--no-total',
      'Assets',
      'Liabilities',
    ])
    const found = parseBalances(printed)
    expect(balancesBy(text, (name) => found.get(name))).toEqual(await balancesOf(me))
  })
})

describe('beancount', () => {
  it('opens each account on the day of its first use, and balances', async () => {
    const { me, transfer, everyday } = await traveller()
    const text = await exported(me, { format: 'beancount' })
    expect(text).toContain(
      `2026-03-19 open Assets:Everyday EUR\n  id: "${everyday.id}"\n  name: "Everyday"\n`,
    )
    expect(text).toContain(
      [
        '2026-03-20 * "" "transfer"',
        `  id: "${transfer.id}"`,
        '  Assets:Everyday  -100.00 EUR',
        '  Assets:Tokyo  15840 JPY @@ 99.00 EUR',
        '  Expenses:Fees  1.00 EUR',
        '',
      ].join('\n'),
    )
    expect(text.match(/ open Assets:Everyday /g)).toHaveLength(1)
  })

  it('is read by bean-check and bean-query, which come to the same balances', async (context) => {
    const { me } = await household()
    const text = await exported(me, { format: 'beancount' })
    needProgram(context, 'bean-check')
    expect(runOver('bean-check', [], text)).toBe('')
    needProgram(context, 'bean-query')
    const query =
      "SELECT account, sum(number) WHERE account ~ '^(Assets|Liabilities)' GROUP BY account"
    const printed = runOver('bean-query', ['-f', 'csv'], text, [query])
    if (printed !== undefined) {
      const found = new Map(
        printed.split('\n').map((line) => line.trim().split(/\s*,\s*/) as [string, string]),
      )
      const opened = [
        ...text.matchAll(/ open ((?:Assets|Liabilities)\S+) [A-Z]{3}\n  id: "(acc_\w+)"/g),
      ]
      const told = Object.fromEntries(
        opened.map(([, name = '', id = '']) => [id, Number(found.get(name))]),
      )
      const balances = Object.entries(await balancesOf(me)).map(([id, balance]) => [
        id,
        Number(balance),
      ])
      expect(told).toEqual(Object.fromEntries(balances))
    }
  })
})
