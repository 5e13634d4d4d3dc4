import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { demoLogins, ensureDemoData } from '../../scripts/lib/demo-data.ts'
import { withLocalService } from '../../scripts/lib/local-service.ts'
import { createApp } from '../../src/app.ts'
import { makeDataExportJob } from '../../src/areas/data-rights/exports/exports.jobs.ts'
import { runOver } from '../areas/exports/programs.ts'
import { temporaryFolder } from '../support/running.ts'

const folder = temporaryFolder()
const app = createApp()
const nowhere = { waitUntil: () => undefined, passThroughOnException: () => undefined, props: {} }

interface Account {
  name: string
  currency: string
  balance: string
  permission: string
}

interface Made {
  texts: Record<string, string>
  accounts: Account[]
}

const FORMATS = ['hledger', 'ledger', 'beancount'] as const

/** What somebody of the demo data exports, and their accounts. */
async function journalsOf({ email, password }: { email: string; password: string }): Promise<Made> {
  return withLocalService(folder.path, async ({ env, makeContext }) => {
    const ask = async (path: string, token = '', json?: object) => {
      const request = new Request(`http://coffer.test${path}`, {
        method: json ? 'POST' : 'GET',
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
        ...(json ? { body: JSON.stringify(json) } : {}),
      })
      const response = await app.fetch(request, env, nowhere)
      expect(response.ok, path).toBe(true)
      return response
    }
    const login = await ask('/auth/v2/login', '', { email, password })
    const { accessToken } = await login.json<{ accessToken: string }>()
    const texts: Record<string, string> = {}
    for (const format of FORMATS) {
      const { id } = await (await ask('/export', accessToken, { format })).json<{ id: string }>()
      await makeDataExportJob.run(makeContext(), { exportId: id }, [])
      texts[format] = await (await ask(`/export/${id}/download`, accessToken)).text()
    }
    const { accounts } = await (await ask('/account', accessToken)).json<{ accounts: Account[] }>()
    return { texts, accounts: accounts.filter(({ permission }) => permission === 'owner') }
  })
}

const made: Made[] = []

beforeAll(async () => {
  await ensureDemoData(folder.path)
  for (const login of demoLogins) {
    made.push(await journalsOf(login))
  }
})
afterAll(folder.remove)

describe('journals of the demo data', () => {
  it('are in three languages', () => {
    const sizes = made.flatMap(({ texts }) => FORMATS.map((format) => texts[format]?.length ?? 0))
    expect(sizes).toHaveLength(3 * demoLogins.length)
    expect(Math.max(...sizes)).toBeGreaterThan(100_000)
  })

  it('pass the checks of the programs that are here, with the balances of the API', () => {
    for (const { texts, accounts } of made) {
      const { hledger = '', ledger = '', beancount = '' } = texts
      expect(runOver('hledger', ['check', '--strict', '-f'], hledger) ?? '').toBe('')
      expect(runOver('bean-check', [], beancount) ?? '').toBe('')
      const query = ['Assets', 'Liabilities']
      const sums = [
        runOver('hledger', ['bal', '--flat', '-E', '-N', '-f'], hledger, query),
        runOver('ledger', ['--pedantic', '-f'], ledger, [
          ...['bal', '--flat', '--empty', '--no-total'],
          ...query,
        ]),
      ]
      for (const printed of sums.filter((one) => one !== undefined)) {
        const lines = printed.split('\n').map((line) => line.trim().replaceAll(/ {2,}/g, '  '))
        const missing = accounts
          // One that was never used is not told.
          .filter(({ balance }) => Number(balance) !== 0)
          .filter(({ name, currency, balance }) => {
            const amount = `${currency} ${balance}`
            return !['Assets', 'Liabilities'].some((side) =>
              lines.includes(`${amount}  ${side}:${name}`),
            )
          })
        expect(missing).toEqual([])
      }
    }
  })
})
