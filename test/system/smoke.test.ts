import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { type NodeProcess, runNode, temporaryFolder } from '../support/running.ts'
import { Person } from './person.ts'

// The release as an operator first has it. `npm run test:system` tests all of it.

const root = temporaryFolder()
let service: NodeProcess

const start = async () => {
  service = await runNode(inject('nodeRelease'), root.path, {
    REGISTRATION: 'open',
    PASSWORD_COST: '4',
  })
}

beforeAll(start)
afterAll(async () => {
  await service?.stop()
  root.remove()
})

it('starts in an empty folder, books, and still has the books after it was started again', async () => {
  const ada = new Person()
  ada.url = service.url
  await ada.signUp('ada')
  const { id: accountId } = await ada.ask<{ id: string }>('POST', '/account', {
    ...{ name: 'Everyday', type: 'checking', currency: 'EUR' },
    ...{ openingBalance: '250', openingDate: '2026-01-01' },
  })
  const booking = { kind: 'expense', accountId, date: '2026-01-05', amount: '42.3' }
  await ada.ask('POST', '/transaction', booking)
  await service.stop()
  await start()
  ada.url = service.url
  expect(await ada.ask('GET', `/account/${accountId}`)).toMatchObject({
    balance: '207.70',
    transactionCount: 2,
  })
  expect(await ada.ask('GET', '/health')).toMatchObject({ status: 'ok' })
})
