import { describe, expect, it } from 'vitest'
import { fetchRaw, type Principal } from '../../support/api.ts'
import { costOf } from '../../support/sample-parts.ts'
import { newUser } from '../../support/world.ts'
import { exported, newHousehold, tableOf } from '../exports/exports.fixtures.ts'
import { storeShare } from '../../support/stored.ts'

const list = (as: Principal, path: string) =>
  fetchRaw(path, { headers: { Authorization: `Bearer ${as.accessToken}` } })

/** All pages of a list as tables, from the address of the first on. */
async function pagesOf(as: Principal, first: string): Promise<string[]> {
  const pages: string[] = []
  let path: string | undefined = first
  while (path !== undefined) {
    const response: Response = await list(as, path)
    expect(response.status).toBe(200)
    pages.push(await response.text())
    path = /^<(.*)>; rel="next"$/.exec(response.headers.get('Link') ?? '')?.[1]
  }
  return pages
}

const bodyOf = (table: string) => table.slice(table.indexOf('\r\n') + 2)

describe('the list of transactions as a table', () => {
  it('has what the export has, page by page', async () => {
    const { me, everyday } = await newHousehold()
    const pages = await pagesOf(me, '/transaction.csv?sort=date&limit=4')
    expect(pages.length).toBeGreaterThan(4)
    const [head] = pages[0]?.split('\r\n') ?? []
    const whole = await exported(me, { format: 'csv' })
    expect(`${head}\r\n${pages.map(bodyOf).join('')}`).toBe(whole)
    const selected = await pagesOf(
      me,
      `/transaction.csv?sort=date&accountId=${everyday.id}&kind=expense&from=2026-03-20`,
    )
    const ids = tableOf(selected.join(''))
      .filter(({ partOf }) => partOf === '')
      .map(({ id }) => id)
    const wanted = tableOf(whole).filter(
      ({ accountId, date = '', kind, partOf }) =>
        accountId === everyday.id && date >= '2026-03-20' && kind === 'expense' && partOf === '',
    )
    expect(ids).toEqual(wanted.map(({ id }) => id))
    expect(ids.length).toBeGreaterThan(2)
    // The newest come first, as in JSON.
    const newest = tableOf(await (await list(me, '/transaction.csv?limit=2')).text())
    expect(newest[0]?.['date']).toBe(tableOf(whole).at(-1)?.['date'])
  })

  it('is a file that is saved, and costs one trip', async () => {
    const { me } = await newHousehold()
    const response = await list(me, '/transaction.csv')
    const { headers } = response
    expect(headers.get('Content-Type')).toBe('text/csv; charset=utf-8')
    expect(headers.get('Content-Disposition')).toContain('attachment; filename="transactions.csv"')
    expect(costOf(headers).trips).toBe(1)
    await response.text()
  })

  it('is empty but for its head where there is nothing', async () => {
    const text = await (await list(await newUser(), '/transaction.csv')).text()
    expect(text.split('\r\n')).toHaveLength(2)
    expect(tableOf(text)).toEqual([])
  })

  it('names nothing of others but their accounts', async () => {
    const { me, everyday, odd } = await newHousehold()
    const friend = await newUser()
    await storeShare(everyday.id, { user: friend })
    const lines = tableOf(await (await list(friend, '/transaction.csv?limit=200')).text())
    expect(lines.length).toBeGreaterThan(5)
    expect(new Set(lines.map(({ account }) => account))).toEqual(new Set(['Everyday']))
    for (const { category, payee, tags, counterAccount } of lines) {
      expect([category, payee, tags]).toEqual(['', '', ''])
      expect(counterAccount).not.toBe(odd.name)
    }
    for (const wrong of ['limit=0', 'totals=true']) {
      expect((await list(me, `/transaction.csv?${wrong}`)).status, wrong).toBe(400)
    }
  })
})
