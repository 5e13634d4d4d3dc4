import { expect, it } from 'vitest'
import { createTag } from '../../../src/areas/money/tags/tags.routes.ts'
import { ok, rows } from '../../support/api.ts'
import { differencesOf } from '../ledger/ledger.ts'
import { type Random, randomFrom } from '../../support/random.ts'
import { newCategory } from '../transactions/booking.ts'
import {
  bringBack,
  dropAccount,
  dropTransaction,
  dropTransfer,
  erase,
  newBooks,
  stored,
  work,
} from './trashing.ts'
import { rounds, SEED } from '../../support/rounds.ts'

const STEPS = rounds(40, 400)

interface Thing {
  kind: 'account' | 'transaction' | 'transfer'
  id: string
  accountIds: string[]
}

/** Accounts in two currencies with transactions of every kind and transfers between them, with fees and tags. */
async function newWorld(random: Random) {
  const books = await newBooks()
  const { me, one, two, yen } = books
  const food = await newCategory(me)
  const { id: tagId } = await ok(createTag, { as: me, json: { name: 'Trip' } })
  const accounts = [one, two, yen]
  const things: Thing[] = accounts.map(({ id }) => ({ kind: 'account', id, accountIds: [id] }))
  const date = () => `2026-0${random.whole(1, 4)}-1${random.whole(0, 9)}`
  const status = () => random.pick(['pending', 'cleared', 'reconciled', 'void'] as const)
  for (let at = 0; at < 10; at++) {
    const account = random.pick(accounts)
    const kind = random.pick(['expense', 'adjustment'] as const)
    const { id } = await books.spend({
      accountId: account.id,
      kind,
      amount: String(random.whole(1, 90)),
      ...(kind === 'expense' ? { categoryId: food.id } : {}),
      date: date(),
      status: status(),
      externalId: random.chance(0.5) ? `bank-${at}` : null,
      tagIds: random.chance(0.5) ? [tagId] : [],
    })
    things.push({ kind: 'transaction', id, accountIds: [account.id] })
  }
  for (let at = 0; at < 8; at++) {
    const from = random.pick(accounts)
    const to = random.pick(accounts.filter(({ id }) => id !== from.id))
    const isSame = from.currency === to.currency
    const { id } = await books.move(to, {
      fromAccountId: from.id,
      amount: String(random.whole(2, 90)),
      ...(isSame ? {} : { toAmount: String(random.whole(1, 9000)) }),
      fee: random.chance(0.5) ? { amount: '1', categoryId: food.id } : null,
      categoryId: random.chance(0.5) ? food.id : null,
      date: date(),
      status: status(),
      tagIds: random.chance(0.5) ? [tagId] : [],
    })
    things.push({ kind: 'transfer', id, accountIds: [from.id, to.id] })
  }
  return { me, accounts, things }
}

const drop = { account: dropAccount, transaction: dropTransaction, transfer: dropTransfer }

it.each([1, SEED])(
  'keeps everything to the byte through any sequence of deletions and restorations (seed %i)',
  async (seed) => {
    const random = randomFrom(seed)
    const { me, accounts, things } = await newWorld(random)
    const whole = await stored(me)
    const gone = new Set<Thing>()
    const isReachable = ({ kind, accountIds }: Thing) =>
      kind === 'account' ||
      !things.some((one) => one.kind === 'account' && gone.has(one) && accountIds.includes(one.id))
    for (let at = 0; at < STEPS; at++) {
      const thing = random.pick(things)
      if (gone.has(thing)) {
        const { status } = await bringBack(me, thing.kind, thing.id)
        expect(status).toBe(isReachable(thing) ? 200 : 409)
        gone[isReachable(thing) ? 'delete' : 'add'](thing)
      } else if (isReachable(thing)) {
        await drop[thing.kind](me, thing)
        gone.add(thing)
      }
      expect(await differencesOf(me), `after ${at + 1} steps`).toEqual([])
    }
    for (const thing of [...gone].toSorted(({ kind }) => (kind === 'account' ? -1 : 1))) {
      expect((await bringBack(me, thing.kind, thing.id)).status).toBe(200)
    }
    expect(await stored(me)).toEqual(whole)

    const doomed = random.pick(accounts)
    const ofOthers = () =>
      Promise.all(
        ['account_balances', 'account_periods'].map((table) =>
          rows(
            `SELECT k.* FROM ${table} k JOIN accounts a ON a.id = k.account_id
              WHERE a.owner_id = ? AND a.id <> ? ORDER BY 1, 2, 3`,
            me.id,
            doomed.id,
          ),
        ),
      )
    const before = await ofOthers()
    await dropAccount(me, doomed)
    await erase(me, 'account', doomed.id)
    await work(me.id)
    expect(await ofOthers()).toEqual(before)
    expect(await differencesOf(me)).toEqual([])
  },
)
