import { afterAll, beforeAll, expect, it } from 'vitest'
import { WIPE_DATA } from '../../src/areas/data-rights/own-user/erasure/erasure.usecases.ts'
import { WIPE_KINDS } from '../../src/domain/owned-data.ts'
import { copyDemoData } from '../support/demo-data.ts'
import { temporaryFolder } from '../support/running.ts'
import {
  backUp,
  type DemoService,
  personOf,
  restore,
  signIn,
  signUp,
  withService,
} from './demo-service.ts'

const folder = temporaryFolder()

beforeAll(() => copyDemoData(folder.path))
afterAll(folder.remove)

/** Without what is another one's of the same data: ids and times. */
const plain = (body: unknown) =>
  JSON.stringify(body, (key, value: unknown) =>
    /id$|ids$|^createdAt$|^updatedAt$|^version$/i.test(key) ? undefined : value,
  )

interface Account {
  id: string
  permission: string
  balance: string
}

const ownAccounts = async ({ tell }: DemoService, token: string) =>
  (await tell<{ accounts: Account[] }>('/account', { token })).accounts.filter(
    ({ permission }) => permission === 'owner',
  )

it('shows the same accounts and budgets where the demo data is restored', async () => {
  await withService(folder.path, async (service) => {
    const { ask, tell } = service
    // The household: the only one of them with a budget of their own.
    const [first, second] = [await signIn(service, 'one'), await signUp(service, 'second')]
    const { archive } = await backUp(service, first)
    const report = await restore(service, second, archive)
    expect(report).toMatchObject({ state: 'done', error: null })
    expect((await backUp(service, second)).hash).toBe(report.contentHash)

    const newIds = new Map(report.idMap.map(({ from, to }) => [from, to]))
    const own = await ownAccounts(service, first)
    expect(own.length).toBeGreaterThan(5)
    for (const { id: account } of own) {
      const [before, after] = await Promise.all([
        ask(`/account/${account}`, { token: first }),
        ask(`/account/${newIds.get(account)}`, { token: second }),
      ])
      const { balance, clearedBalance } = await before.json<Record<string, unknown>>()
      expect(await after.json()).toMatchObject({ balance, clearedBalance })
    }
    type Budgets = { budgets: { id: string; name: string; startsOn: string }[] }
    const { budgets } = await tell<Budgets>('/budget', { token: second })
    const { budgets: all } = await tell<Budgets>('/budget', { token: first })
    expect(budgets.length).toBeGreaterThan(0)
    for (const budget of budgets) {
      const former = all.find(({ name }) => name === budget.name)
      // The first one is closed: what it keeps names lines by their ids.
      for (const period of [budget.startsOn, '2025-03-01', '2025-12-01', 'current']) {
        const [before, after] = await Promise.all([
          ask(`/budget/${former?.id}/period/${period}`, { token: first }),
          ask(`/budget/${budget.id}/period/${period}`, { token: second }),
        ])
        expect(plain(await after.json())).toBe(plain(await before.json()))
      }
    }
  })
})

/** Closes a month of an account as its statement says, and puts something in the trash. */
async function closeBooks(service: DemoService, token: string): Promise<void> {
  const { tell, ask } = service
  const own = new Set((await ownAccounts(service, token)).map(({ id }) => id))
  const { transactions } = await tell<{ transactions: { id: string; accountId: string }[] }>(
    '/transaction?kind=expense&from=2025-03-01&to=2025-03-31&limit=200',
    { token },
  )
  const [row, other] = transactions.filter(({ accountId }) => own.has(accountId))
  await ask(`/transaction/${other?.id}`, { token, method: 'DELETE' })
  const session = await tell<{ id: string }>('/reconciliation', {
    token,
    json: { accountId: row?.accountId, statementDate: '2025-03-31', closingBalance: '1000' },
  })
  await ask(`/reconciliation/${session.id}/finish`, { token, json: { adjust: true } })
  const lock = { through: '2025-02-28', kind: 'soft', reason: 'Sent', require: ['assertionsOk'] }
  await ask('/period-lock', { token, json: lock })
}

it('the demo data that was wiped comes back from its backup, to the byte', async () => {
  await withService(folder.path, async (service) => {
    const token = await signIn(service, 'one')
    await closeBooks(service, token)
    const { hash, archive } = await backUp(service, token)
    const before = await ownAccounts(service, token)
    await service.ask('/user/data/wipe', {
      ...{ token, json: { kinds: WIPE_KINDS, password: personOf('one').password } },
    })
    await service.workOn(WIPE_DATA, 8)
    expect(await ownAccounts(service, token)).toEqual([])
    const report = await restore(service, token, archive)
    expect(report).toMatchObject({ state: 'done', error: null, idMap: [], contentHash: hash })
    expect((await backUp(service, token)).hash).toBe(hash)
    const balances = (all: Account[]) => all.map(({ id, balance }) => `${id} ${balance}`).toSorted()
    expect(balances(await ownAccounts(service, token))).toEqual(balances(before))
  })
})
