import { expect, it } from 'vitest'
import { createTag } from '../../../src/areas/money/tags/tags.routes.ts'
import { matchTransfer } from '../../../src/areas/money/transfers/transfers.routes.ts'
import { ok, rows } from '../../support/api.ts'
import { SEED } from '../../support/rounds.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { differencesOf } from '../ledger/ledger.ts'
import { type Random, randomFrom } from '../../support/random.ts'
import { flawsOfLog } from '../ledger/replay.ts'
import { book, newCategory } from '../transactions/booking.ts'
import { converted, revert, stored, unmatch } from './matched.ts'

const STEPS = 60
const STATUSES = ['pending', 'uncleared', 'cleared', 'reconciled'] as const

/** Expenses and incomes with anything on them, on accounts in two currencies. */
async function newWorld(random: Random) {
  const me = await newUser()
  const accounts = await Promise.all(
    ['EUR', 'EUR', 'JPY'].map((currency) => newAccount(me, { currency })),
  )
  const tag = async (name: string) => (await ok(createTag, { as: me, json: { name } })).id
  const tags = [await tag('One'), await tag('Two'), await tag('Three')]
  const categories = {
    expense: [(await newCategory(me)).id, null],
    income: [(await newCategory(me, 'income')).id, null],
  }
  const perhaps = <Value>(value: Value) => (random.chance(0.5) ? value : null)
  const all = Array.from({ length: 24 }, async (_, at) => {
    const kind = at % 2 === 0 ? ('expense' as const) : ('income' as const)
    return book(me, random.pick(accounts), {
      kind,
      amount: String(random.whole(50, 52)),
      date: `2026-03-${random.whole(10, 20)}`,
      status: random.pick(STATUSES),
      categoryId: random.pick(categories[kind]),
      tagIds: tags.filter(() => random.chance(0.5)),
      description: perhaps(`Words ${at}`) ?? '',
      payeeRaw: perhaps(`RAW ${at}`),
      note: perhaps(`Note ${at}`),
      time: perhaps('12:34'),
      externalId: perhaps(`id-${at}`),
      metadata: perhaps({ at }),
      reviewed: random.chance(0.5),
      private: random.chance(0.5),
    })
  })
  return { me, accounts, free: await Promise.all(all), transfers: [] as { id: string }[] }
}

const moneyOf = async ({ balances }: Awaited<ReturnType<typeof stored>>) =>
  balances?.map((row) => ({ ...(row as object), last_date: null }))

it.each([1, SEED])(
  'moves no balance, and brings everything back to the byte, whatever is matched and parted (seed %i)',
  async (seed) => {
    const random = randomFrom(seed)
    const { me, accounts, free, transfers } = await newWorld(random)
    const before = await stored(me)
    const take = <Item>(items: Item[]) => items.splice(random.whole(0, items.length - 1), 1)[0]
    const singles: { id: string }[] = []
    const convert = async () => {
      const row = take(free)
      const account = accounts.find(({ id }) => id !== row?.accountId)
      if (row && account) {
        const isOther = account.currency !== row.currency
        const more = { force: true, ...(isOther ? { toAmount: '77' } : {}) }
        await converted(me, row, account, more)
        singles.push(row)
      }
    }
    const restore = async (row = take(singles)) => {
      const { body } = row ? await revert(me, row, { force: 'true' }) : {}
      free.push(...[body?.from, body?.to].filter((one) => one !== undefined && one !== null))
    }
    const part = async (id = '') => {
      const { from, to } = await unmatch(me, { id }, { force: 'true' })
      free.push(from, to)
    }
    const join = async () => {
      const from = free.find(({ kind }) => kind === 'expense')
      const to = free.find(
        (row) =>
          row.kind === 'income' &&
          row.accountId !== from?.accountId &&
          (row.currency !== from?.currency || Number(row.amount) <= Number(from.amount)),
      )
      if (from && to) {
        const isShort = from.currency === to.currency && from.amount !== to.amount
        const json = {
          fromTransactionId: from.id,
          toTransactionId: to.id,
          force: true,
          ...(isShort ? { fee: {} } : {}),
        }
        transfers.push(await ok(matchTransfer, { as: me, json }))
        free.splice(free.indexOf(from), 1)
        free.splice(free.indexOf(to), 1)
      }
    }
    for (let at = 1; at <= STEPS; at++) {
      await (random.chance(0.6) || transfers.length === 0 ? join() : part(take(transfers)?.id))
      await (random.chance(0.3) ? convert() : random.chance(0.4) ? restore() : undefined)
      free.push(...free.splice(0, random.whole(0, free.length)))
      if (at % 20 === 0) {
        for (const row of singles.splice(0)) {
          await restore(row)
        }
        const now = await stored(me)
        expect([await moneyOf(now), await differencesOf(me)], `after ${at} steps`).toEqual([
          await moneyOf(before),
          [],
        ])
      }
    }
    for (const { id } of transfers) {
      await part(id)
    }
    expect(await stored(me)).toEqual(before)
    expect(await differencesOf(me)).toEqual([])
    expect(await flawsOfLog(me)).toEqual([])
    const kept = await rows(
      "SELECT 1 FROM transactions WHERE owner_id = ? AND kind = 'transfer'",
      me.id,
    )
    expect(kept).toEqual([])
  },
)
