import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { inProject } from '../../scripts/lib/project.ts'
import { startService } from '../support/releases.ts'

interface Copy {
  cursor: string
  accounts: Map<string, { id: string }>
  transactions: Map<string, object>
}
type Sync = (server: object, copy?: Copy) => Promise<Copy>

it('runs the client of the guide, which keeps a copy', async () => {
  const text = readFileSync(inProject('docs/guides/clients.md'), 'utf8')
  const [, program = ''] = /```js\n(.*?)```/s.exec(text) ?? []
  expect(program.trim().split('\n').length).toBeLessThanOrEqual(60)
  const { sync } = (await import(`data:text/javascript,${encodeURIComponent(program)}`)) as {
    sync: Sync
  }

  const service = await startService({ variables: { REGISTRATION: 'open' } })
  const send = async (token: string, method: string, path: string, body?: object) => {
    const response = await fetch(service.url + path, {
      method,
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    expect(response.status, path).toBeLessThan(300)
    return (await response.json()) as Record<string, string>
  }
  try {
    const [ana = '', ben = ''] = await Promise.all(
      ['ana', 'ben'].map(async (name) => {
        const user = { email: `${name}@coffer.test`, password: 'a sea of green tea', name }
        return (await send('', 'POST', '/auth/register', user))['accessToken']
      }),
    )
    const saved: Copy[] = []
    const server = {
      ...{ api: service.url, token: ben },
      save: async (copy: Copy) => void saved.push(copy),
    }
    const isEqual = async (copy: Copy) => {
      const { accounts } = await send(ben, 'GET', '/account')
      const { transactions } = await send(ben, 'GET', '/transaction')
      expect([...copy.accounts.values()]).toEqual(accounts)
      const byId = (rows: Iterable<unknown>) =>
        [...rows].toSorted((a, b) => ((a as { id: string }).id < (b as { id: string }).id ? -1 : 1))
      expect(byId(copy.transactions.values())).toEqual(byId(transactions as never))
    }
    const account = async (token: string) =>
      (await send(token, 'POST', '/account', { name: 'A', type: 'checking', currency: 'EUR' }))[
        'id'
      ]
    const book = async (token: string, accountId: string | undefined) =>
      (
        await send(token, 'POST', '/transaction', {
          ...{ kind: 'expense', accountId, date: '2026-11-20', amount: '1.00' },
        })
      )['id']

    const [own, theirs] = [await account(ben), await account(ana)]
    await book(ben, own)
    let copy = await sync(server)
    await isEqual(copy)

    const { id: userId } = await send(ben, 'GET', '/user/profile')
    const lunch = await book(ana, theirs)
    const share = await send(ana, 'POST', '/share', { resourceId: theirs, userId })
    await send(ben, 'POST', `/share/${share['id']}/accept`, {})
    copy = await sync(server, copy)
    expect(copy.transactions.has(lunch ?? '')).toBe(true)
    await isEqual(copy)

    await send(ana, 'PATCH', `/transaction/${lunch}`, { private: true })
    await book(ana, theirs)
    await send(ben, 'DELETE', `/transaction/${await book(ben, own)}`)
    copy = await sync(server, copy)
    await isEqual(copy)

    await send(ana, 'DELETE', `/share/${share['id']}`)
    copy = await sync(server, copy)
    expect([...copy.accounts.keys()]).toEqual([own])
    await isEqual(copy)
    expect(saved.at(-1)).toEqual(copy)

    // Somebody else's cursor: it starts anew.
    const { cursor } = await send(ana, 'GET', '/event')
    await isEqual(await sync(server, { ...copy, cursor: cursor ?? '', transactions: new Map() }))
  } finally {
    await service.stop()
  }
})
