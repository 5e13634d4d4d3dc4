import { describe, expect, it } from 'vitest'
import { createExport } from '../../../src/areas/data-rights/exports/exports.routes.ts'
import { setExportSchedule } from '../../../src/areas/data-rights/exports/schedules/schedules.routes.ts'
import { createTransactionLink } from '../../../src/areas/money/transactions/links/links.routes.ts'
import { call, ok } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { assert } from '../balance-assertions/asserting.ts'
import { share } from '../sharing/sharing.ts'
import { book, refusal } from '../transactions/booking.ts'
import { exported, makeExport } from './exports.fixtures.ts'
import { needProgram, runOver } from './programs.ts'

const OPTIONS = { assertions: true }

/** Everyday held 87.70 at the end of 2026-03-31, of which 12.30 went on that day; and a yen account that was never used. */
async function newMarch() {
  const me = await newUser()
  const everyday = await newAccount(me, {
    ...{ name: 'Everyday', openingBalance: '100', openingDate: '2026-03-30' },
  })
  const tokyo = await newAccount(me, { name: 'Tokyo', currency: 'JPY' })
  await book(me, everyday, { date: '2026-03-31', amount: '40' })
  await book(me, everyday, { kind: 'income', date: '2026-03-31', amount: '27.70' })
  await book(me, everyday, { date: '2026-04-01', amount: '5' })
  const of = (wanted: object) =>
    assert(me, everyday, { date: '2026-03-31', amount: '87.70', ...wanted })
  const ids = {
    end: (await of({})).id,
    start: (await of({ when: 'startOfDay', amount: '100' })).id,
    near: (await of({ date: '2026-04-01', amount: '82', tolerance: '0.80' })).id,
    unused: (await assert(me, tokyo, { date: '2026-03-31', amount: '0' })).id,
  }
  await of({ of: 'cleared', amount: '0' })
  return { me, everyday, tokyo, ids }
}

/** What checks journals of each format: its arguments before the file and after it. */
const PROGRAMS = {
  hledger: { program: 'hledger', before: ['check', '--strict', '-f'], after: [] },
  ledger: { program: 'ledger', before: ['--pedantic', '-f'], after: ['bal'] },
  beancount: { program: 'bean-check', before: [], after: [] },
}

/** Whether its program finds fault with a journal. */
function isRefused(format: keyof typeof PROGRAMS, text: string): boolean {
  const { program, before, after } = PROGRAMS[format]
  try {
    runOver(program, before, text, after)
    return false
  } catch {
    return true
  }
}

describe('balance assertions', () => {
  it('are balance directives of the next day in beancount', async () => {
    const { me, ids } = await newMarch()
    const { lossy } = await makeExport(me, { format: 'beancount', options: OPTIONS })
    expect(lossy).toEqual(expect.arrayContaining(['clearedAssertions', 'reconciledAssertions']))
    const text = await exported(me, { format: 'beancount', options: OPTIONS })
    expect(text).toContain(`2026-04-01 balance Assets:Everyday 87.70 EUR\n  id: "${ids.end}"\n`)
    expect(text).toContain(`2026-03-31 balance Assets:Everyday 100.00 EUR\n  id: "${ids.start}"\n`)
    expect(text).toContain('2026-04-02 balance Assets:Everyday 82.00 ~ 0.80 EUR\n')
    expect(text).toContain('2026-04-01 open Assets:Tokyo JPY\n')
    expect(text.match(/ balance /g)).toHaveLength(4)
    const plain = await makeExport(me, { format: 'beancount' })
    expect(plain.lossy).toContain('balanceAssertions')
  })

  it.each(['hledger', 'ledger'] as const)(
    'are postings of zero behind all of their day in %s',
    async (format) => {
      const { me, ids } = await newMarch()
      const text = await exported(me, { format, options: OPTIONS })
      const head = (date: string, id: string) =>
        format === 'hledger'
          ? `${date} assertion  ; id:${id}\n`
          : `${date} assertion\n    ; id: ${id}\n`
      const end = `${head('2026-03-31', ids.end)}    Assets:Everyday  EUR 0.00 = EUR 87.70\n`
      const start = `${head('2026-03-31', ids.start)}    Assets:Everyday  EUR 0.00 = EUR 100.00\n`
      const yen = `${head('2026-03-31', ids.unused)}    Assets:Tokyo  JPY 0 = JPY 0\n`
      expect(text).toContain(end)
      expect(text).toContain(yen)
      expect(text).toContain('; 2026-04-01 Assets:Everyday  EUR 82.00, within EUR 0.80\n')
      const places = [start, '27.70', end, 'EUR -5.00'].map((part) => text.indexOf(part))
      expect(places).toEqual(places.toSorted((one, other) => one - other))
      expect(places[0]).toBeGreaterThan(text.indexOf('EUR -100.00'))
    },
  )

  it.for(['hledger', 'ledger', 'beancount'] as const)(
    'are checked by %s, which finds one that does not hold',
    async (format, context) => {
      const { me, everyday } = await newMarch()
      const wanted = { format, options: OPTIONS }
      const fine = await exported(me, wanted)
      await assert(me, everyday, { date: '2026-04-02', amount: '80' })
      const wrong = await exported(me, wanted)
      const until = { ...wanted, scope: { to: '2026-04-01', accountId: [everyday.id] } }
      const text = await exported(me, until)
      expect(text).not.toContain('Tokyo')
      expect(text).toContain('87.70')
      needProgram(context, PROGRAMS[format].program)
      expect([fine, wrong, text].map((one) => isRefused(format, one))).toEqual([false, true, false])
    },
  )

  it('are refused where some transactions are left out, and by formats without them', async () => {
    const { me } = await newMarch()
    const refused = async (format: string, scope: object) => {
      const json = { format, options: OPTIONS, scope } as never
      return call(createExport, { as: me, json })
    }
    for (const scope of [{ from: '2026-03-01' }, { text: 'x' }, { what: ['exchangeRates'] }]) {
      const answer = await refused('hledger', scope)
      expect(refusal(answer)).toEqual([400, 'exports.assertionsOfSome', 'options.assertions'])
      expect(answer.error.error).toContain(`\`${Object.keys(scope)[0]}\``)
    }
    for (const format of ['csv', 'json', 'qif', 'ofx']) {
      expect(refusal(await refused(format, {}))).toEqual([
        ...[400, 'exports.notAnOption', 'options.assertions'],
      ])
    }
    const json = { every: 'week', day: 1, keep: 1, options: OPTIONS, scope: { text: 'x' } } as const
    const schedule = await call(setExportSchedule, { as: me, path: { format: 'ledger' }, json })
    expect(schedule.error.code).toBe('exports.assertionsOfSome')
  })

  it('of accounts that others share are left out where private rows are in the sum', async (context) => {
    const { me, everyday } = await newMarch()
    const friend = await newUser()
    await share(me, everyday, friend)
    await book(me, everyday, { date: '2026-03-31', amount: '1', private: true })
    const scope = { shared: true, accountId: [everyday.id] }
    const text = await exported(friend, { format: 'hledger', options: OPTIONS, scope })
    expect(text).toContain('= EUR 100.00')
    expect(text).not.toContain('= EUR 87.70')
    needProgram(context, 'hledger')
    expect(isRefused('hledger', text)).toBe(false)
  })
})

it('links between transactions are links in beancount', async (context) => {
  const { me, everyday } = await newMarch()
  const bought = await book(me, everyday, { date: '2026-04-03', amount: '9' })
  const back = await book(me, everyday, { kind: 'income', date: '2026-04-04', amount: '9' })
  const { id } = await ok(createTransactionLink, {
    ...{ as: me, id: back.id, json: { kind: 'refundOf', transactionId: bought.id } },
  })
  const text = await exported(me, { format: 'beancount' })
  expect([...text.matchAll(/^(\S+) .* \^(\S+)$/gm)].map(([, day, link]) => [day, link])).toEqual([
    ['2026-04-03', id],
    ['2026-04-04', id],
  ])
  needProgram(context, 'bean-check')
  expect(isRefused('beancount', text)).toBe(false)
})
