import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { work } from '../../../src/areas/index.ts'
import { fetchRatesJob } from '../../../src/areas/money/exchange-rates/system/system.jobs.ts'
import { addDays } from '../../../src/domain/calendar.ts'
import type { AppError } from '../../../src/domain/errors.ts'
import { settingsOf } from '../../../src/env.ts'
import { rows } from '../../support/api.ts'
import {
  dailyFile,
  historyFile,
  historyLines,
  historyZip,
  QUOTED,
} from '../../support/reference-rates.ts'
import { contextWith, databaseWith } from '../../support/service.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { addSystem, forgetSystemRates } from './rates.ts'

const SOURCE = 'https://www.ecb.example/stats/eurofxref/eurofxref-daily.xml'
const settings = settingsOf({ ...env, EXCHANGE_RATES_URL: SOURCE })
/** When the file of 2026-11-20 is the last one. */
const now = Date.parse('2026-11-21T03:17:00Z')

afterEach(async () => {
  vi.restoreAllMocks()
  await forgetSystemRates()
})

const answering = (body: BodyInit, status = 200) =>
  vi
    .spyOn(globalThis, 'fetch')
    .mockImplementation(() => Promise.resolve(new Response(body, { status })))

function run(changed: Parameters<typeof contextWith>[0] = {}) {
  const ctx = contextWith({ settings, now, ...changed })
  return { ctx, done: fetchRatesJob.run(ctx, {}, []) }
}

const stored = () =>
  rows<{ from_currency: string; to_currency: string; date: string; rate: string }>(
    'SELECT from_currency, to_currency, date, rate FROM system_exchange_rates ORDER BY date DESC, rowid',
  )

const codeOf = (done: Promise<unknown>) =>
  done.then(
    () => 'done',
    (error: unknown) => (error as AppError).code,
  )

const logOf = async (requestId: string) =>
  (
    await rows<{ changes: string }>(
      "SELECT content AS changes FROM log_entries WHERE request_id = ? AND type = 'systemRates.fetched'",
      requestId,
    )
  ).map(({ changes }) => JSON.parse(changes) as unknown)

describe('fetching the reference rates', () => {
  it('stores a rate of the euro for every currency of the day, exactly, and logs them once', async () => {
    const fetch = answering(dailyFile())
    const { ctx, done } = run()
    await done
    expect(fetch).toHaveBeenCalledExactlyOnceWith(
      SOURCE,
      expect.objectContaining({ method: 'GET' }),
    )
    const found = await stored()
    expect(found.map(({ to_currency: code }) => code)).toEqual(QUOTED)
    expect(found[0]).toEqual({
      from_currency: 'EUR',
      to_currency: 'USD',
      date: '2026-11-20',
      rate: '1.0842',
    })
    expect(found.map(({ rate }) => rate)).toContain('17192.6')
    expect(await logOf(ctx.requestId)).toMatchObject([
      { from: 'EUR', after: { '2026-11-20': { USD: '1.0842', ZAR: '19.0672' } } },
    ])
    expect(ctx.cost.trips).toBe(2)
  })

  it('adds nothing the second time, and keeps what somebody corrected', async () => {
    await addSystem('EUR', 'USD', '2026-11-20', '1.1')
    answering(dailyFile())
    await run().done
    const once = await rows('SELECT * FROM system_exchange_rates ORDER BY id')
    expect(once).toHaveLength(QUOTED.length)
    const { ctx, done } = run()
    await done
    expect(await rows('SELECT * FROM system_exchange_rates ORDER BY id')).toEqual(once)
    expect((await stored()).find(({ to_currency: code }) => code === 'USD')?.rate).toBe('1.1')
    expect(await logOf(ctx.requestId)).toEqual([])
  })

  it('adds each once, however many run at the same moment', async () => {
    answering(dailyFile())
    await Promise.all([run().done, run().done, run().done])
    expect(await stored()).toHaveLength(QUOTED.length)
  })

  it('takes the file of 90 days, and later only the day that is new', async () => {
    answering(historyFile(64))
    await run().done
    expect(await stored()).toHaveLength(64 * QUOTED.length)
    answering(historyFile(64, '2026-11-21'))
    const { ctx, done } = run()
    await done
    expect(await stored()).toHaveLength(65 * QUOTED.length)
    const [log] = (await logOf(ctx.requestId)) as { after: object }[]
    expect(Object.keys(log?.after ?? {})).toEqual(['2026-11-21'])
  })

  it('stores all or nothing', async () => {
    answering(dailyFile())
    const around = async (trip: number, go: () => Promise<D1Result[]>) => {
      if (trip === 2) {
        throw new Error('killed')
      }
      return go()
    }
    const database = databaseWith(around).withSession('first-primary')
    expect(await codeOf(run({ database }).done)).not.toBe('done')
    expect(await stored()).toEqual([])
    await run().done
    expect(await stored()).toHaveLength(QUOTED.length)
  })

  it('knows withdrawn currencies, and passes over codes that nobody knows', async () => {
    answering(dailyFile('2022-12-30', { HRK: '7.5365', XQQ: '2', USD: '1.0666' }))
    await run().done
    expect((await stored()).map(({ to_currency: code }) => code)).toEqual(['HRK', 'USD'])
  })

  it('reads the history, too, as far back as somebody needs it', async () => {
    const { id } = await newAccount(await newUser(), { currency: 'USD', openingDate: '2025-11-20' })
    const lines = historyLines({ days: 400, columns: { USD: () => '1.25', XQQ: () => '2' } })
    const files = new Map<string, BodyInit>([
      ['eurofxref-daily.xml', dailyFile()],
      ['eurofxref-hist.zip', historyZip(lines.join('\n'))],
    ])
    vi.spyOn(globalThis, 'fetch').mockImplementation((url) => {
      const address = typeof url === 'string' ? url : ''
      const body = files.get(address.split('/').at(-1) ?? '')
      return Promise.resolve(new Response(body ?? null, { status: body ? 200 : 404 }))
    })
    await run().done
    await rows('UPDATE accounts SET deleted_at = 1 WHERE id = ?', id)
    const dollars = (await stored()).filter(({ to_currency: code }) => code === 'USD')
    expect([dollars.length, dollars.at(-1)]).toMatchObject([
      262,
      { date: '2025-11-20', rate: '1.25' },
    ])
  })

  it('is off until a source is configured', async () => {
    const fetch = answering(dailyFile())
    const off = settingsOf({ ...env, EXCHANGE_RATES_URL: '' })
    await run({ settings: off }).done
    expect(fetch).not.toHaveBeenCalled()
    expect(await stored()).toEqual([])
  })

  it('is started by the clock every night', () => {
    expect(work.jobs).toContain(fetchRatesJob)
    expect(work.schedule['17 3 * * *']).toContain(fetchRatesJob.kind)
  })
})

describe('what is not exactly a file of rates changes nothing', () => {
  const daily = dailyFile()
  const usd = "<Cube currency='USD' rate='1.0842'/>"
  const swap = (from: string, to: string) => {
    expect(daily).toContain(from)
    return daily.replace(from, to)
  }
  const bomb = `<!DOCTYPE a [<!ENTITY a "1"><!ENTITY b "${'&a;'.repeat(50)}">]>`

  it.each<[string, () => BodyInit]>([
    ['nothing', () => ''],
    ['a page', () => '<!DOCTYPE html><html><body>Not found</body></html>'],
    ['another document', () => '<rates><USD>1.0842</USD></rates>'],
    ['half a file', () => daily.slice(0, daily.length / 2)],
    ['a file without its end', () => daily.slice(0, -1)],
    ['two files', () => daily + daily],
    ['a file with a document type', () => swap('<gesmes:Envelope', `${bomb}<gesmes:Envelope`)],
    ['an entity from elsewhere', () => swap('1.0842', '&file;')],
    ['another vocabulary', () => swap('2002-08-01/eurofxref', '2003-08-01/eurofxref')],
    ['no day', () => swap("<Cube time='2026-11-20'>", '<Cube>')],
    ['a day that does not exist', () => swap('2026-11-20', '2026-02-30')],
    ['a day to come', () => dailyFile('2026-11-23')],
    ['a day without rates', () => dailyFile('2026-11-20', {})],
    ['no days', () => historyFile(0)],
    ['a day twice', () => historyFile(2).replace('2026-11-19', '2026-11-20')],
    ['a currency twice', () => swap(usd, usd + usd)],
    ['a currency in lower case', () => swap("'USD'", "'usd'")],
    ['the euro itself', () => swap("'USD'", "'EUR'")],
    ['no currency', () => swap("currency='USD' ", '')],
    ['no rate', () => swap(" rate='1.0842'", '')],
    ['a rate of zero', () => swap('1.0842', '0')],
    ['a negative rate', () => swap('1.0842', '-1.0842')],
    ['a rate in words', () => swap('1.0842', 'N/A')],
    ['a rate with a comma', () => swap('1.0842', '1,0842')],
    ['a rate with an exponent', () => swap('1.0842', '1e3')],
    ['a rate of endless digits', () => swap('1.0842', `1.${'0'.repeat(5000)}`)],
    ['something within a rate', () => swap(usd, "<Cube currency='USD' rate='1'><Cube/></Cube>")],
    ['something else within a day', () => swap(usd, `<Rate currency='USD' rate='1.0842'/>`)],
    ['depth without end', () => '<a>'.repeat(20_000)],
    ['another encoding', () => swap('UTF-8', 'UTF-16')],
    ['bytes that are no UTF-8', () => new Uint8Array([...new TextEncoder().encode(daily), 0xff])],
    ['NUL', () => `${daily}\u0000`],
  ])('%s', async (_, body) => {
    await addSystem('EUR', 'USD', '2026-11-19', '1.1')
    answering(body())
    expect(await codeOf(run().done)).toBe('exchangeRates.malformedFile')
    expect(await stored()).toHaveLength(1)
  })

  it('an error, a redirect, silence, or more than 256 KiB', async () => {
    answering(daily, 500)
    expect(await codeOf(run().done)).toBe('exchangeRates.sourceFailed')
    answering('', 302)
    expect(await codeOf(run().done)).toBe('outbound.failed')
    answering(historyFile(300))
    expect(await codeOf(run().done)).toBe('outbound.failed')
    vi.spyOn(globalThis, 'fetch').mockRejectedValue(new Error('no route'))
    expect(await codeOf(run().done)).toBe('outbound.failed')
    expect(await stored()).toEqual([])
  })

  it('and a source within the own network is never called', async () => {
    const fetch = answering(daily)
    const inner = settingsOf({ ...env, EXCHANGE_RATES_URL: 'http://127.0.0.1/rates' })
    expect(await codeOf(run({ settings: inner }).done)).toBe('outbound.refusedAddress')
    expect(fetch).not.toHaveBeenCalled()
  })

  it('a file may be a day ahead, where it is tomorrow already', async () => {
    answering(dailyFile(addDays('2026-11-21', 1)))
    await run().done
    expect(await stored()).toHaveLength(QUOTED.length)
  })
})
