import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createTransaction } from '../../../src/areas/money/transactions/transactions.routes.ts'
import { addDays } from '../../../src/domain/calendar.ts'
import type { AppError } from '../../../src/domain/errors.ts'
import { ok, rows } from '../../support/api.ts'
import { dailyFile, historyFile, historyLines, historyZip } from '../../support/reference-rates.ts'
import { databaseWith } from '../../support/service.ts'
import { newAccount, newUser } from '../../support/world.ts'
import {
  type Bank,
  coverage,
  DAILY,
  datesOf,
  forgetNeeds,
  HISTORY,
  NIGHT,
  openBank,
  RECENT,
} from './bank.ts'
import { addSystem } from './rates.ts'

let bank: Bank

beforeAll(async () => {
  bank = await openBank()
})
afterAll(() => bank.close())
afterEach(async () => {
  bank.files.clear()
  bank.asked()
  await forgetNeeds()
})

const DAY = 24 * 60 * 60 * 1000
const cell = (rate: string) => () => rate

/** 7,000 working days, to 2000-01-21, with a week that is missing. */
const LINES = historyLines({
  days: 7000,
  columns: {
    USD: (date) => `1.${date.slice(2, 4)}`,
    JPY: cell('160.5'),
    XQQ: cell('2'),
    ISK: (date) => (date > '2008-12-03' && date < '2018-02-01' ? 'N/A' : '290'),
    CYP: (date) => (date < '2008' ? '0.5842' : 'N/A'),
  },
  skip: (date) => date > '2012-05-01' && date < '2012-05-10',
})

const publish = (lines = LINES, daily = dailyFile()) => {
  bank.files.set(DAILY, daily)
  bank.files.set(RECENT, historyFile(90))
  bank.files.set(HISTORY, historyZip(lines.join('\n')))
}

const account = async (currency: string, openingDate: string) =>
  newAccount(await newUser({ baseCurrency: 'EUR' }), { currency, openingDate })

const codeOf = (done: Promise<unknown>) =>
  done.then(
    () => 'done',
    (error: unknown) => (error as AppError).code,
  )

const filled = async (requestId: string) =>
  (
    await rows<{ content: string }>(
      "SELECT content FROM log_entries WHERE request_id = ? AND type = 'systemRates.filled' ORDER BY number",
      requestId,
    )
  ).map(({ content }) => JSON.parse(content) as Record<string, unknown>)

describe('rates of the past', () => {
  it('are fetched once, from the day on that somebody needs them', async () => {
    publish()
    // A Sunday, on which the rate of the Friday before holds.
    await account('USD', '2016-11-20')
    const me = await newUser({ baseCurrency: 'EUR' })
    const { id: accountId } = await newAccount(me, { openingDate: '2012-03-04' })
    await ok(createTransaction, {
      as: me,
      json: {
        ...{ kind: 'expense', accountId, amount: '5', date: '2012-05-06' },
        ...{ originalAmount: '800', originalCurrency: 'JPY' },
      },
    })
    const { requestId } = await bank.night()
    expect(bank.asked()).toEqual([DAILY, HISTORY])
    const dollars = await datesOf('USD')
    expect(dollars[0]).toBe('2016-11-18')
    expect(dollars.length).toBe(LINES.filter((line) => line > '2016-11-18' && line < '2027').length)
    // The file has no day from 2012-05-02 to 2012-05-09.
    expect((await datesOf('JPY')).slice(0, 2)).toEqual(['2012-05-01', '2012-05-10'])
    expect(await datesOf('ISK')).toEqual(['2026-11-20'])
    expect(await coverage('USD')).toEqual([
      { state: 'read', from: '2016-11-18', through: '2026-11-20' },
    ])
    const steps = await filled(requestId)
    expect(steps.map(({ rates }) => rates)).toEqual([5000, expect.any(Number)])
    expect(steps[0]).toMatchObject({ file: HISTORY, unknown: ['XQQ'], lastDate: '2026-11-19' })

    await bank.night()
    expect(bank.asked()).toEqual([DAILY])
    publish(LINES, dailyFile('2026-11-23'))
    await bank.night({ now: NIGHT + 3 * DAY })
    expect(bank.asked()).toEqual([DAILY])
    expect(await coverage('USD')).toEqual([
      { state: 'read', from: '2016-11-18', through: '2026-11-23' },
    ])
  })

  it('have holes, of which the bank is not asked again', async () => {
    publish()
    await account('ISK', '2012-06-15')
    await account('KWD', '2010-01-01')
    await bank.night()
    const crowns = await datesOf('ISK')
    // The last one before the hole is carried forward into it.
    expect(crowns.slice(0, 2)).toEqual(['2008-12-03', '2018-02-01'])
    expect(await coverage('ISK')).toEqual([
      { state: 'read', from: '2008-12-03', through: '2008-12-03' },
      { state: 'none', from: '2012-06-15', through: '2018-01-31' },
      { state: 'read', from: '2018-02-01', through: '2026-11-20' },
    ])
    expect(await datesOf('KWD')).toEqual([])
    expect(await coverage('KWD')).toEqual([
      { state: 'none', from: '2010-01-01', through: '2026-11-20' },
    ])
    bank.asked()
    publish(LINES, dailyFile('2026-11-23'))
    await bank.night({ now: NIGHT + 3 * DAY })
    expect(bank.asked()).toEqual([DAILY])
    expect(await coverage('KWD')).toEqual([
      { state: 'none', from: '2010-01-01', through: '2026-11-23' },
    ])
  })

  it('come from the file of 90 days if that reaches, also for a hole in the middle', async () => {
    publish()
    await account('USD', '2026-10-01')
    await bank.night()
    expect(bank.asked()).toEqual([DAILY, RECENT])
    expect((await datesOf('USD'))[0]).toBe('2026-10-01')
    await rows(`UPDATE rate_coverage SET through_date = '2026-11-08' WHERE currency = 'USD'`)
    await rows(`INSERT INTO rate_coverage VALUES ('USD', 'read', '2026-11-14', '2026-11-20', 0)`)
    await rows(`DELETE FROM system_exchange_rates WHERE date BETWEEN '2026-11-09' AND '2026-11-13'`)
    await bank.night()
    expect(bank.asked()).toEqual([DAILY, RECENT])
    expect(await datesOf('USD')).toContain('2026-11-11')
    expect(await coverage('USD')).toEqual([
      { state: 'read', from: '2026-10-01', through: '2026-11-20' },
    ])
    // A day or two may have been a holiday: one that was no weekend is looked for.
    publish(LINES, dailyFile('2026-11-24'))
    bank.files.set(RECENT, historyFile(90, '2026-11-24'))
    await bank.night({ now: NIGHT + 4 * DAY })
    expect(bank.asked()).toEqual([DAILY, RECENT])
    expect(await datesOf('USD')).toContain('2026-11-23')
  })

  it('never replace what an administrator typed', async () => {
    publish()
    await account('USD', '2020-01-01')
    await addSystem('EUR', 'USD', '2021-03-03', '9')
    await bank.night()
    const [typed] = await rows<{ rate: string }>(
      "SELECT rate FROM system_exchange_rates WHERE to_currency = 'USD' AND date = '2021-03-03'",
    )
    expect(typed?.rate).toBe('9')
    expect(await datesOf('USD')).toContain('2021-03-04')
  })

  it('of a currency that ended are needed until it did', async () => {
    publish()
    await rows(
      "UPDATE accounts SET currency = 'CYP', opening_date = '2007-06-01' WHERE id = ?",
      [(await account('USD', '2026-11-20')).id].join(''),
    )
    await bank.night()
    expect((await datesOf('CYP')).at(0)).toBe('2007-06-01')
    expect((await coverage('CYP')).at(-1)?.through).toBe('2007-12-31')
    await bank.night()
    expect(bank.asked()).toEqual([DAILY, HISTORY, DAILY])
  })
})

describe('a run that ends early', () => {
  it.each([3, 4, 5, 6])('goes on where it was: killed at round trip %i', async (at) => {
    publish()
    await account('USD', '2001-01-01')
    await account('JPY', '2001-01-01')
    const around = async (trip: number, go: () => Promise<D1Result[]>) => {
      if (trip >= at) {
        throw new Error('killed')
      }
      return go()
    }
    const database = databaseWith(around).withSession('first-primary')
    expect(await codeOf(bank.night({ database }))).not.toBe('done')
    const before = await datesOf('USD')
    const { requestId } = await bank.night()
    const stored = (await filled(requestId)).reduce((sum, { rates }) => sum + Number(rates), 0)
    const all = LINES.filter((line) => line >= '2001-01-01' && line < '2027').length
    expect([(await datesOf('USD')).length, (await datesOf('JPY')).length]).toEqual([all, all])
    expect(stored).toBe(2 * (all - before.length))
    // A Monday covers the weekend before it.
    expect(await coverage('USD')).toEqual([
      { state: 'read', from: '2000-12-30', through: '2026-11-20' },
    ])
  })

  it('keeps what came before the place where the table is cut off', async () => {
    const at = LINES.findIndex((line) => line.startsWith('2015-06-15'))
    const cut = [...LINES.slice(0, at), LINES[at]?.slice(0, 14) ?? '']
    publish(cut)
    await account('USD', '2010-01-01')
    expect(await codeOf(bank.night())).toBe('exchangeRates.malformedFile')
    expect((await datesOf('USD'))[0]).toBe('2015-06-16')
    // It ends with a line, and yet too early.
    publish(LINES.slice(0, at + 1))
    expect(await codeOf(bank.night())).toBe('exchangeRates.malformedFile')
    expect((await datesOf('USD'))[0]).toBe('2015-06-15')
    publish()
    const { requestId } = await bank.night()
    expect(await filled(requestId)).toMatchObject([{ lastDate: '2015-06-14' }])
    expect((await datesOf('USD'))[0]).toBe('2010-01-01')
  })

  it('does not mind a cut behind what is needed', async () => {
    const at = LINES.findIndex((line) => line.startsWith('2015-06-15'))
    publish([...LINES.slice(0, at), '2015-06-'])
    await account('USD', '2015-06-18')
    await bank.night()
    expect((await datesOf('USD'))[0]).toBe('2015-06-18')
  })
})

describe('a history that is not of its form changes nothing', () => {
  const zip = historyZip(LINES.join('\n'))
  const changed = (change: (text: string) => string) => historyZip(change(LINES.join('\n')))
  it.each<[string, Uint8Array | string, string]>([
    ['nothing', '', 'malformedFile'],
    ['a page', '<!DOCTYPE html>', 'malformedFile'],
    ['an archive that is cut off', zip.slice(0, -500), 'malformedFile'],
    ['a table without days', historyZip('Date,USD,'), 'malformedFile'],
    ['an empty table', historyZip(''), 'malformedFile'],
    ['another heading', changed((text) => text.replace('Date', 'Day')), 'malformedFile'],
    ['a column twice', changed((text) => text.replace('JPY', 'USD')), 'malformedFile'],
    ['a column without a code', changed((text) => text.replace('JPY', 'yen')), 'malformedFile'],
    ['days to come', changed((text) => text.replace('2026-11-20', '2026-11-23')), 'malformedFile'],
    ['no date', changed((text) => text.replace('2026-11-20', '20 November')), 'malformedFile'],
    ['a rate of zero', changed((text) => text.replace('1.26', '0')), 'malformedFile'],
  ])('%s', async (_, body, code) => {
    publish()
    bank.files.set(HISTORY, body)
    await account('USD', '2016-11-20')
    expect(await codeOf(bank.night())).toBe(`exchangeRates.${code}`)
    // Those of the day have come all the same.
    expect(await datesOf('USD')).toEqual(['2026-11-20'])
  })

  it('more than 8 MiB, and what unpacks to more than 64 MiB', async () => {
    publish()
    await account('USD', '2016-11-20')
    bank.files.set(HISTORY, new Uint8Array(8 * 1024 * 1024 + 1))
    expect(await codeOf(bank.night())).toBe('outbound.failed')
    bank.files.set(HISTORY, historyZip(`${LINES.join('\n')}\n${' '.repeat(64 * 1024 * 1024)}`))
    expect(await codeOf(bank.night())).toBe('exchangeRates.malformedFile')
    bank.files.delete(HISTORY)
    expect(await codeOf(bank.night())).toBe('exchangeRates.sourceFailed')
    expect(await datesOf('USD')).toEqual([addDays('2026-11-21', -1)])
  })
})
