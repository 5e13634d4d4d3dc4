import type { Call, MemoryService } from './memory-service.ts'

/** The code that one operation executes between its request and its answer. */
export interface Walk {
  name: string
  /** Stores what the request needs, and returns the request. */
  prepare: () => Promise<Call>
  /** True if the tasks that the request stores belong to the walk. */
  withTasks?: boolean
}

/** Registers a user with an account, categories, a payee and a tag, and returns walks with requests of that user. */
export async function walksOn({ send }: MemoryService): Promise<Walk[]> {
  const { accessToken: token } = await send<{ accessToken: string }>({
    method: 'POST',
    path: '/auth/register',
    body: { email: 'ada@coffer.test', password: 'three green boats at noon', name: 'Ada' },
  })
  const create = (path: string, body: unknown) =>
    send<{ id: string }>({ method: 'POST', path, token, body })

  const newAccount = (name: string, openingBalance = '0') =>
    create('/account', { name, type: 'checking', currency: 'EUR', openingBalance })
  const account = await newAccount('Everyday', '100.00')
  const food = await create('/category', { name: 'Food', kind: 'expense' })
  const travel = await create('/category', { name: 'Travel', kind: 'expense' })
  const payee = await create('/payee', { name: 'Bakery', aliases: ['BAKERY 21'] })
  const tag = await create('/tag', { name: 'Weekend' })

  const expense = (accountId = account.id) => ({
    ...{ kind: 'expense', accountId, date: '2026-06-14', amount: '12.50' },
    ...{ categoryId: food.id, payeeId: payee.id, tagIds: [tag.id], description: 'Cake' },
  })
  let serial = 0
  return [
    {
      name: 'POST /transaction',
      prepare: async () => ({ method: 'POST', path: '/transaction', token, body: expense() }),
    },
    {
      name: 'PATCH /transaction/bulk',
      prepare: async () => {
        const first = await create('/transaction', expense())
        const second = await create('/transaction', expense())
        const body = { ids: [first.id, second.id], changes: { categoryId: travel.id } }
        return { method: 'PATCH', path: '/transaction/bulk', token, body }
      },
    },
    {
      name: 'POST /import/{id}/commit',
      withTasks: true,
      prepare: async () => {
        const day = `2026-05-${10 + ++serial}`
        const file = `Date,Payee,Amount\n${day},BAKERY 21,-3.00\n${day},TEA,-2.00\n`
        const path = `/import?fileName=bank.csv&accountId=${account.id}`
        const { id } = await create(path, file)
        return { method: 'POST', path: `/import/${id}/commit`, token, body: {} }
      },
    },
    {
      name: 'DELETE /account/{id}',
      prepare: async () => {
        const { id } = await newAccount(`Old ${++serial}`, '20.00')
        await create('/transaction', expense(id))
        return { method: 'DELETE', path: `/account/${id}`, token }
      },
    },
    {
      name: 'GET /account',
      prepare: async () => ({ method: 'GET', path: '/account', token }),
    },
  ]
}
