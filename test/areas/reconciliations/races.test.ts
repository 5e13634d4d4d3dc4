import { expect, it } from 'vitest'
import {
  finishReconciliation,
  undoReconciliation,
} from '../../../src/areas/money/reconciliations/reconciliations.routes.ts'
import { updateTransaction } from '../../../src/areas/money/transactions/transactions.routes.ts'
import { getAccountByID } from '../../../src/areas/money/accounts/accounts.routes.ts'
import { type Answer, ok, rows } from '../../support/api.ts'
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

type Books = Awaited<ReturnType<typeof newSession>>

const AMOUNT = { amount: '57.20' }

interface Answers {
  finished: Answer<unknown>
  changed: Answer<unknown>
}

/** What there is of a session in the end, and how both requests were answered. */
async function outcomeOf({ me, everyday, session }: Books, { finished, changed }: Answers) {
  const { reconciledBalance } = await ok(getAccountByID, { as: me, id: everyday.id })
  const { state, difference } = await look(me, session)
  return {
    ...{ state, difference, reconciledBalance },
    ...{ finished: toldBy(finished), changed: toldBy(changed) },
  }
}

const toldBy = ({ status, error }: Answer<unknown>) =>
  status === 200 ? 200 : `${error.code}: ${error.error}`

const CHANGED_FIRST = {
  ...{ state: 'open', difference: '10.00', reconciledBalance: '1000.00', changed: 200 },
  finished: expect.stringMatching(/^reconciliations\.difference: .*10\.00 EUR/),
}
const FINISHED_FIRST = {
  ...{ state: 'finished', difference: '0.00', reconciledBalance: '2149.80', finished: 200 },
  changed: expect.stringMatching(/^(transactions\.reconciled|request\.conflict): /),
}

it('a session is not finished over a row that changes meanwhile', async () => {
  const books = await newSession()
  const { me, shop, session } = books
  const changing: Answer<unknown>[] = []
  const meanwhile = async () => changing.push(await change(me, shop, AMOUNT))
  const finished = await serviceWith({ meanwhile }).call(finishReconciliation, {
    ...{ as: me, id: session.id, json: {} },
  })
  const [changed] = changing
  expect(changed && (await outcomeOf(books, { finished, changed }))).toEqual(CHANGED_FIRST)
})

it('a row is not changed when its session is finished meanwhile', async () => {
  const books = await newSession()
  const { me, shop, session } = books
  const finishing: Answer<unknown>[] = []
  const meanwhile = async () => finishing.push(await finish(me, session))
  const changed = await serviceWith({ meanwhile }).call(updateTransaction, {
    ...{ as: me, id: shop.id, json: AMOUNT },
  })
  const [finished] = finishing
  expect(finished && (await outcomeOf(books, { finished, changed }))).toEqual(FINISHED_FIRST)
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
    const outcome = await outcomeOf(books, { finished, changed })
    expect(outcome).toEqual(finished.status === 200 ? FINISHED_FIRST : CHANGED_FIRST)
  }
})

it('a session is not finished when another row of its account is reconciled meanwhile', async () => {
  const me = await newUser()
  const { everyday, coffee, later } = await newMarch(me)
  const { id } = await start(me, everyday, MARCH)
  await tick(me, { id }, { tick: [coffee.id] })
  const meanwhile = () => change(me, later, { status: 'reconciled' })
  const raced = await serviceWith({ meanwhile }).call(finishReconciliation, {
    as: me,
    id,
    json: {},
  })
  expect(refusal(raced)).toEqual([409, 'reconciliations.difference', 'adjust'])
  expect(await look(me, { id })).toMatchObject({ state: 'open', difference: '12.00' })
})

it('a session is not undone when the next one is finished meanwhile', async () => {
  const me = await newUser()
  const { everyday, coffee } = await newMarch(me)
  const { id } = await start(me, everyday, MARCH)
  await tick(me, { id }, { tick: [coffee.id] })
  expect((await finish(me, { id })).status).toBe(200)
  const meanwhile = async () => {
    const april = { statementDate: '2026-04-30', closingBalance: '2137.80' }
    expect((await finish(me, await start(me, everyday, april))).status).toBe(200)
  }
  const raced = await serviceWith({ meanwhile }).call(undoReconciliation, { as: me, id })
  expect(refusal(raced)).toEqual([409, 'reconciliations.notLast'])
  expect(await look(me, { id })).toMatchObject({ state: 'finished' })
})
