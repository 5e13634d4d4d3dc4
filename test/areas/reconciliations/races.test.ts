import { expect, it } from 'vitest'
import { finishReconciliation } from '../../../src/areas/money/reconciliations/finishing/finishing.routes.ts'
import { updateTransaction } from '../../../src/areas/money/transactions/transactions.routes.ts'
import { getAccountByID } from '../../../src/areas/money/accounts/accounts.routes.ts'
import { ok, rows } from '../../support/api.ts'
import { rounds } from '../../support/rounds.ts'
import { serviceWith } from '../../support/service.ts'
import { newUser } from '../../support/world.ts'
import { change, refusal } from '../transactions/booking.ts'
import { finish, look, MARCH, newMarch, start, tick, undo } from './reconciling.ts'

// Example 12, with requests that really run at once.

const ROUNDS = rounds(3, 100)

it('of two that finish at once, one does', async () => {
  const me = await newUser()
  const { everyday, coffee } = await newMarch(me)
  const session = await start(me, everyday, MARCH)
  await tick(me, session, { tick: [coffee.id] })
  for (let round = 0; round < ROUNDS; round++) {
    const both = await Promise.all([finish(me, session), finish(me, session)])
    const refused = both.filter(({ status }) => status !== 200)
    expect(refused.map(refusal)).toEqual([[409, 'reconciliations.notOpen']])
    const undone = await Promise.all([undo(me, session), undo(me, session)])
    expect(undone.filter(({ status }) => status !== 200).map(refusal)).toEqual([
      [409, 'reconciliations.notFinished'],
    ])
  }
  const told = await rows(
    `SELECT type FROM log_entries WHERE resource_id = ? AND type = 'reconciliation.finished'`,
    session.id,
  )
  expect(told).toHaveLength(ROUNDS)
})

/** A session that would be finished without a difference, and a row below its last day that is not ticked by hand. */
async function newSession() {
  const me = await newUser()
  const { everyday, coffee, shop } = await newMarch(me)
  const session = await start(me, everyday, MARCH)
  await tick(me, session, { tick: [coffee.id] })
  return { me, everyday, shop, session }
}

type Session = Awaited<ReturnType<typeof newSession>>
type Answer = Awaited<ReturnType<typeof change>> | Awaited<ReturnType<typeof finish>>

const AMOUNT = { amount: '57.20' }

async function expectFinished(
  { me, everyday }: Session,
  changed: Pick<Answer, 'status' | 'error'>,
) {
  const { reconciledBalance } = await ok(getAccountByID, { as: me, id: everyday.id })
  expect([changed.status, reconciledBalance]).toEqual([409, '2149.80'])
  expect(['transactions.reconciled', 'request.conflict']).toContain(changed.error.code)
}

async function expectChanged(
  { me, everyday, session }: Session,
  changed: Pick<Answer, 'status'>,
  finished: Pick<Answer, 'error'>,
) {
  const { reconciledBalance } = await ok(getAccountByID, { as: me, id: everyday.id })
  expect([changed.status, reconciledBalance]).toEqual([200, '1000.00'])
  expect(finished.error).toMatchObject({
    code: 'reconciliations.difference',
    error: expect.stringContaining('10.00 EUR'),
  })
  expect(await look(me, session)).toMatchObject({ state: 'open', difference: '10.00' })
}

it('a session is not finished over a row that changes meanwhile', async () => {
  const books = await newSession()
  const { me, shop, session } = books
  let changed: Answer | undefined
  const meanwhile = async () => (changed = await change(me, shop, AMOUNT))
  const finished = await serviceWith({ meanwhile }).call(finishReconciliation, {
    ...{ as: me, id: session.id, json: {} },
  })
  await expectChanged(books, changed ?? finished, finished)
})

it('a row is not changed when its session is finished meanwhile', async () => {
  const books = await newSession()
  const { me, shop, session } = books
  let finished: Answer | undefined
  const meanwhile = async () => (finished = await finish(me, session))
  const changed = await serviceWith({ meanwhile }).call(updateTransaction, {
    ...{ as: me, id: shop.id, json: AMOUNT },
  })
  expect(finished?.status).toBe(200)
  await expectFinished(books, changed)
})

it('of a change and a finish at the same moment, one comes first, whichever', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const books = await newSession()
    const { me, shop, session } = books
    const finishing = () => finish(me, session)
    const changing = () => change(me, shop, AMOUNT)
    const isFirst = round % 2 === 0
    const [one, other] = await Promise.all(
      isFirst ? [finishing(), changing()] : [changing(), finishing()],
    )
    const [finished, changed] = isFirst ? [one, other] : [other, one]
    await (finished.status === 200
      ? expectFinished(books, changed)
      : expectChanged(books, changed, finished))
  }
})
