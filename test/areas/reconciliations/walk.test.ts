import { expect, it } from 'vitest'
import { getReconciliation } from '../../../src/areas/money/reconciliations/reconciliations.routes.ts'
import { createPayee } from '../../../src/areas/money/payees/payees.routes.ts'
import { createTag } from '../../../src/areas/money/tags/tags.routes.ts'
import {
  deleteTransaction,
  getTransaction,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import { call, ok } from '../../support/api.ts'
import { rounds, SEED } from '../../support/rounds.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { differencesOf } from '../ledger/ledger.ts'
import { randomFrom } from '../../support/random.ts'
import { book, change, type Changes, newCategory } from '../transactions/booking.ts'
import { bringBack, dropTransaction } from '../trash/trashing.ts'
import { finish, start, tick, undo } from './reconciling.ts'

// Random steps of people who reconcile, beside a model in memory: after each, the five numbers are the same.

interface Row {
  id: string
  minor: number
  status: 'uncleared' | 'cleared' | 'reconciled'
  isThere: boolean
  /** What else was said of it. */
  said: Changes
}

interface Session {
  id: string
  opening: number
  closing: number
  ticks: Set<Row>
  /** Once it is finished: what was reconciled before, and what each row was. */
  finished?: { reconciled: number; rows: Map<Row, { minor: number; status: Row['status'] }> }
}

const STEPS = rounds(60, 3000)
const toldOf = ({ minor, status, said }: Row) => ({
  amount: text(Math.abs(minor)),
  status,
  ...said,
})
const text = (minor: number) => (minor / 100).toFixed(2)
const sum = (list: Row[]) => list.reduce((total, { minor }) => total + minor, 0)

it(`the five numbers are those of a model (seed ${SEED})`, async () => {
  const random = randomFrom(SEED)
  const me = await newUser()
  const account = await newAccount(me)
  const other = await newAccount(me)
  const [food, salary] = [await newCategory(me), await newCategory(me, 'income')]
  const payee = await ok(createPayee, { as: me, json: { name: 'Corner Shop' } })
  const tag = await ok(createTag, { as: me, json: { name: 'Trip' } })
  const rows: Row[] = []
  /** Those that are finished, and an open one at the end. */
  const sessions: Session[] = []
  const open = () => sessions.find(({ finished }) => !finished)
  const last = () => sessions.findLast(({ finished }) => finished)
  const there = () => rows.filter(({ isThere }) => isThere)
  const reconciled = () => sum(there().filter(({ status }) => status === 'reconciled'))
  const canTick = ({ isThere, status }: Row) => isThere && status !== 'reconciled'
  const ticksOf = ({ ticks }: Session) => [...ticks].filter(canTick)
  const numbersOf = (session: Session) => {
    const { opening, closing, finished } = session
    const before = finished ? finished.reconciled : reconciled()
    const cleared = finished ? closing : before + sum(ticksOf(session))
    return {
      openingBalance: text(opening),
      reconciledBalance: text(before),
      openingDifference: text(before - opening),
      clearedBalance: text(cleared),
      difference: text(closing - cleared),
    }
  }
  const amount = () => random.whole(1, 9999)
  const steps: Record<string, () => Promise<void>> = {
    book: async () => {
      const minor = random.chance(0.5) ? amount() : -amount()
      const status = random.chance(0.5) ? 'cleared' : 'uncleared'
      const { id } = await book(me, account, {
        ...{ kind: minor < 0 ? 'expense' : 'income', date: '2026-03-10' },
        ...{ amount: text(Math.abs(minor)), status },
      })
      rows.push({ id, minor, status, isThere: true, said: {} })
    },
    edit: async () => {
      const [row, minor] = [random.pick(there()), amount()]
      const answer = await change(me, row, { amount: text(minor), force: true })
      expect(answer.status, answer.text).toBe(200)
      row.minor = Math.sign(row.minor) * minor
    },
    // Free at any time, reconciled or not, with force and without.
    say: async () => {
      const row = random.pick(there())
      // A category of expenses makes an income a refund; an expense has none of incomes.
      const category = random.pick([row.minor < 0 ? food : salary, food, null])
      const news = random.pick<Changes>([
        { description: `Shop ${random.below(9)}` },
        { note: random.pick(['Found', null]) },
        { categoryId: category?.id ?? null },
        { payeeId: random.pick([payee.id, null]) },
        { tagIds: random.pick([[tag.id], []]) },
        { reviewed: random.chance(0.5) },
        { private: random.chance(0.5) },
      ])
      const force = random.pick([{}, { force: false }, { force: true }])
      const answer = await change(me, row, { ...news, ...force })
      expect(answer.status, answer.text).toBe(200)
      Object.assign(row.said, news)
      expect(answer.body).toMatchObject(toldOf(row))
    },
    refuse: async () => {
      const row = random.pick(there())
      const json = random.pick<Changes>([
        { amount: text(Math.abs(row.minor) + 1) },
        { date: '2026-03-11' },
        { status: 'void' },
        { status: 'uncleared' },
        { accountId: other.id },
        { splits: [{ amount: text(Math.abs(row.minor) + 1) }, { amount: '-0.01' }] },
      ])
      if (row.status === 'reconciled') {
        const isDropped = random.chance(0.2)
        const answer = await (isDropped
          ? call(deleteTransaction, { as: me, id: row.id })
          : change(me, row, { ...json, ...random.pick([{}, { note: 'No' }, { force: false }]) }))
        expect([answer.status, answer.error.code]).toEqual([409, 'transactions.reconciled'])
        expect(await ok(getTransaction, { as: me, id: row.id })).toMatchObject(toldOf(row))
      }
    },
    unreconcile: async () => {
      const row = random.pick(there())
      await change(me, row, { status: 'cleared', force: true })
      row.status = 'cleared'
    },
    drop: async () => {
      const row = random.pick(there())
      await dropTransaction(me, row)
      row.isThere = false
    },
    bringBack: async () => {
      const row = random.pick(rows)
      if (!row.isThere) {
        expect((await bringBack(me, 'transaction', row.id)).status).toBe(200)
        row.isThere = true
      }
    },
    start: async () => {
      if (!open()) {
        const closing = random.whole(-9999, 9999)
        const { id } = await start(me, account, {
          ...{ statementDate: '2026-03-31', closingBalance: text(closing) },
        })
        const ticks = new Set(there().filter(({ status }) => status === 'cleared'))
        sessions.push({ id, opening: last()?.closing ?? 0, closing, ticks })
      }
    },
    tick: async () => {
      const session = open()
      const some = there().filter((row) => canTick(row) && random.chance(0.5))
      if (session && some.length > 0) {
        const [on, off] = [some.slice(0, some.length / 2), some.slice(some.length / 2)]
        await tick(me, session, {
          ...{ tick: on.map(({ id }) => id), untick: off.map(({ id }) => id) },
        })
        on.forEach((row) => session.ticks.add(row))
        off.forEach((row) => session.ticks.delete(row))
      }
    },
    finish: async () => {
      const session = open()
      if (session) {
        const [before, ticked] = [reconciled(), ticksOf(session)]
        session.closing = before + sum(ticked)
        await tick(me, session, { closingBalance: text(session.closing) })
        const answer = await finish(me, session)
        expect(answer.status, answer.text).toBe(200)
        const were = ticked.map((row) => [row, { ...row }] as const)
        session.finished = { reconciled: before, rows: new Map(were) }
        ticked.forEach((row) => (row.status = 'reconciled'))
      }
    },
    undo: async () => {
      const session = last()
      if (session?.finished && !open()) {
        const answer = await undo(me, session)
        expect(answer.status, answer.text).toBe(200)
        const back = [...session.finished.rows].filter(
          ([row, was]) => row.isThere && row.status === 'reconciled' && row.minor === was.minor,
        )
        expect(answer.body.kept).toHaveLength(session.finished.rows.size - back.length)
        back.forEach(([row, { status }]) => (row.status = status))
        session.ticks = new Set(back.map(([row]) => row))
        delete session.finished
      }
    },
  }
  const often = [
    'book',
    'book',
    'edit',
    'unreconcile',
    'drop',
    'bringBack',
    'tick',
    'tick',
    'say',
    'say',
    'refuse',
  ]
  for (let step = 0; step < STEPS; step++) {
    const name = step < 4 ? 'book' : random.pick([...often, 'start', 'finish', 'undo'])
    if (there().length < 3 && name === 'drop') {
      continue
    }
    await steps[name]?.()
    const shown = [open(), last()].filter((session) => session !== undefined)
    for (const session of shown) {
      const { drift, driftSum, ...told } = await ok(getReconciliation, { as: me, id: session.id })
      expect(told, `step ${step}: ${name}`).toMatchObject(numbersOf(session))
      if (session.finished) {
        const gone = [...session.finished.rows].map(
          ([row, was]) => (row.isThere && row.status === 'reconciled' ? row.minor : 0) - was.minor,
        )
        expect(driftSum).toBe(text(gone.reduce((total, minor) => total + minor, 0)))
        expect(drift.length).toBeGreaterThanOrEqual(gone.filter((minor) => minor !== 0).length)
      } else {
        expect(told.rows.ticked).toBe(ticksOf(session).length)
      }
    }
  }
  expect(await differencesOf(me)).toEqual([])
})
