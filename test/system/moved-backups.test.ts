import { afterAll, expect, it } from 'vitest'
import { type Killable, killableOnNode, killableOnWorkerd } from '../support/killable.ts'
import { Person } from './person.ts'

// Somebody who moves from one host to the other and back, with all that they have.

const variables = {
  REGISTRATION: 'open',
  PASSWORD_COST: '4',
  USER_LIMIT_DATABASE_MS: '1000000',
}

const onNode = () => killableOnNode(variables)
const onWorkerd = () => killableOnWorkerd(variables)
/** There and back. */
const STOPS = [onWorkerd, onNode]

const hosts: Killable[] = []

afterAll(async () => {
  for (const host of hosts) {
    await host.kill()
    host.remove()
  }
})

async function personOn(name: string, host: Killable): Promise<Person> {
  hosts.push(host)
  const person = new Person()
  person.url = await host.start()
  await person.signUp(name)
  return person
}

interface Made {
  id: string
}

/** Books of a year that were reconciled, locked and budgeted, with a file, a part that is a transfer, and things in the trash. */
async function keepBooks(person: Person): Promise<void> {
  const post = (path: string, body: object) => person.ask<Made>('POST', path, body)
  const account = (name: string, more: object = {}) =>
    post('/account', { name, type: 'checking', currency: 'EUR', ...more })
  const everyday = await account('Everyday', { openingBalance: '1000', openingDate: '2025-01-01' })
  const savings = await account('Savings')
  const tokyo = await account('Tokyo', { currency: 'JPY' })
  const food = await post('/category', { name: 'Food', kind: 'expense' })
  const tag = await post('/tag', { name: 'Trip' })
  const expense = (date: string, more: object = {}) =>
    post('/transaction', {
      ...{ kind: 'expense', accountId: everyday.id, date, amount: '60', status: 'cleared' },
      ...more,
    })
  const whole = await expense('2025-01-10', {
    tagIds: [tag.id],
    splits: [
      { amount: '30', categoryId: food.id, note: 'Süß & „scharf“ 🌶' },
      { amount: '20', transferAccountId: savings.id },
      { amount: '10', transferAccountId: tokyo.id, transferAmount: '1600' },
    ],
  })
  const gone = await expense('2025-07-01')
  await person.ask('DELETE', `/transaction/${gone.id}`)
  const bytes = new TextEncoder().encode('%PDF-1.4\n%%EOF\n')
  const link = `linkKind=transaction&linkId=${whole.id}`
  await person.ask('POST', `/attachment?fileName=bill.pdf&${link}`, bytes)
  const statement = { statementDate: '2025-01-31', closingBalance: '938.60' }
  const session = await post('/reconciliation', { accountId: everyday.id, ...statement })
  await post(`/reconciliation/${session.id}/finish`, { adjust: true })
  const budget = await post('/budget', {
    ...{ name: 'Household', currency: 'EUR', mode: 'envelope', startsOn: '2026-01-01' },
    period: { unit: 'month', count: 1, anchor: '2026-01-01' },
  })
  const scope = { kind: 'category', ids: [food.id] }
  await post(`/budget/${budget.id}/line`, { name: 'Food', scope })
  await person.ask('POST', `/budget/${budget.id}/period/2026-01-01/close`)
  await post('/period-lock', { through: '2025-06-30', kind: 'soft', reason: 'Half a year' })
}

/** Balances by account, and whether the lock is intact: ids are others on each host. */
async function lookAt(person: Person) {
  const { accounts } = await person.ask<{ accounts: { name: string; balance: string }[] }>(
    ...(['GET', '/account'] as const),
  )
  const { periodLocks } = await person.ask<{ periodLocks: Made[] }>('GET', '/period-lock')
  const locks = await Promise.all(
    periodLocks.map(async ({ id }) => {
      const { intact } = await person.ask<{ intact: boolean }>(
        ...(['GET', `/period-lock/${id}?verify=true`] as const),
      )
      return { intact }
    }),
  )
  return { balances: accounts.map(({ name, balance }) => `${name} ${balance}`).toSorted(), locks }
}

it('a backup goes from Node to workerd and back, and holds the same each time', async () => {
  const ada = await personOn('ada', onNode())
  await keepBooks(ada)
  const first = await ada.backUp()
  const seen = await lookAt(ada)
  expect(seen.locks).toMatchObject([{ intact: true }])
  let hash = first.manifest?.contentHash
  let archive = await ada.download(first)
  for (const [at, newHost] of STOPS.entries()) {
    const name = `person-${at}`
    const person = await personOn(name, await newHost())
    const report = await person.restore(archive, 'moved')
    expect(report, name).toMatchObject({ state: 'done', error: null, archiveHash: hash })
    const again = await person.backUp()
    hash = again.manifest?.contentHash
    expect(hash, name).toBe(report?.contentHash)
    expect(await lookAt(person), name).toEqual(seen)
    archive = await person.download(again)
  }
})
