import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Condition, ConditionOp } from '../../src/domain/conditions/conditions.ts'
import { rows } from '../support/api.ts'
import { send } from '../support/sample-parts.ts'
import { newAccount, newUser, type TestUser } from '../support/world.ts'
import { attend, inWords, longestOfEach, showLongest, slowness, startWatch } from './stopwatch.ts'
import { crowd, fill, share } from './volume.ts'

// What searches take of the database by conditions for which each line must be looked at: with much on many own accounts, much on
// one own account, and much on one that somebody else shares.

let household: TestUser
let owner: TestUser
let receiver: TestUser
let crowded: string
let stopWatch = () => {}

beforeAll(async () => {
  household = await newUser()
  await newAccount(household)
  await fill(household.id)
  ;[owner, receiver] = [await newUser(), await newUser()]
  crowded = (await newAccount(owner)).id
  await crowd(owner.id, crowded)
  await share(crowded, receiver.id)
  stopWatch = startWatch()
})

afterAll(() => stopWatch())

const text = (op: ConditionOp, value: string): Condition => ({ field: 'text', op, value })

/** Conditions for which each line must be looked at, by a name. */
async function slowConditions(): Promise<Record<string, Condition>> {
  const idsOf = async (table: string, most: number) =>
    (
      await rows<{ id: string }>(
        `SELECT id FROM ${table} WHERE owner_id = ? ORDER BY id LIMIT ${most}`,
        household.id,
      )
    ).map(({ id }) => id)
  const [categoryIds, payeeIds] = [await idsOf('categories', 20), await idsOf('payees', 50)]
  const category: Condition = { field: 'categoryId', op: 'is', value: categoryIds[0] ?? '' }
  return {
    status: { field: 'status', op: 'is', value: 'pending' },
    short: text('contains', 'o'),
    contained: text('contains', 'bought'),
    word: text('word', 'bought'),
    pattern: text('like', '*ought*'),
    letters: text('like', '*o*u*g*h*t*s*h*o*p*'),
    butCategory: { all: [text('contains', 'bought'), { not: category }] },
    butText: { all: [text('contains', 'bought'), { not: text('contains', 'shop 77') }] },
    noNote: { field: 'note', op: 'isEmpty' },
    payeeRaw: { field: 'payeeRaw', op: 'contains', value: 'shop' },
    rareRaw: { field: 'payeeRaw', op: 'contains', value: 'shop 799' },
    split: { field: 'isSplit', op: 'is', value: true },
    notCategory: { not: category },
    payees: { field: 'payeeId', op: 'oneOf', value: payeeIds },
    categories: {
      any: categoryIds.map((value): Condition => ({ field: 'categoryId', op: 'within', value })),
    },
    nowhere: { any: Array.from({ length: 20 }, (_, at) => text('contains', `nowhere ${at}`)) },
  }
}

const changes = { note: 'changed' }

/** All that a condition is asked of, on all accounts of somebody and on one of them. */
async function searchBy(
  me: TestUser,
  who: string,
  name: string,
  condition: Condition,
): Promise<void> {
  const [account] = await rows<{ id: string }>(
    `SELECT e.account_id AS id FROM entries e WHERE e.owner_id = ? AND e.side = 'account'
      GROUP BY 1 ORDER BY count(*) DESC LIMIT 1`,
    me === receiver ? owner.id : me.id,
  )
  const ask = async (what: string, method: string, path: string, body?: object) => {
    attend(`${who}, ${name}, ${what}`)
    const response = await send(me, method, path, body)
    expect(response.status, `${who}, ${name}, ${what}`).toBeLessThan(500)
    return (await response.text()).startsWith('{') ? response.status : 0
  }
  const query = (more: object) =>
    new URLSearchParams({ condition: JSON.stringify(condition), ...more }).toString()
  const pages = async (what: string, path: string, more: object = {}) => {
    attend(`${who}, ${name}, ${what}`)
    const first = await send(me, 'GET', `${path}?${query({ ...more, limit: 1 })}`)
    const { nextCursor } = (await first.json()) as { nextCursor: string | null }
    expect(first.status, what).toBe(200)
    if (nextCursor !== null) {
      await ask(`${what}, next page`, 'GET', `${path}?${query({ ...more, cursor: nextCursor })}`)
    }
  }
  await pages('list', '/transaction')
  await pages('sorted list', '/transaction', { sort: 'amount' })
  await pages('oldest first', '/transaction', { sort: 'date' })
  await pages('list with totals', '/transaction', { totals: true })
  await pages('list of an account', '/transaction', { accountId: account?.id })
  await pages('register', `/account/${account?.id}/transaction`)
  const filter = { condition }
  await ask('bulk', 'PATCH', '/transaction/bulk', { filter, changes, dryRun: true })
  const rule = { name: 'One', condition: { field: 'note', op: 'is', value: 'x' }, changes }
  await ask('rules', 'POST', '/rule/run', { rule, filter, dryRun: true })
}

it('lets no search hold the database for long, whoever owns what it looks at', async () => {
  const before = slowness()
  for (const [name, condition] of Object.entries(await slowConditions())) {
    await searchBy(household, 'household', name, condition)
    await searchBy(owner, 'owner', name, condition)
    await searchBy(receiver, 'receiver', name, condition)
  }
  showLongest()
  const slower = Math.max(before, slowness())
  const tooLong = longestOfEach().filter(({ isBatch, ms, most }) => !isBatch && ms > slower * most)
  expect(tooLong.map(inWords)).toEqual([])
}, 600_000)
