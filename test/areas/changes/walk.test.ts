import { expect, it } from 'vitest'
import { createPayee } from '../../../src/areas/money/payees/payees.routes.ts'
import { createTag } from '../../../src/areas/money/tags/tags.routes.ts'
import {
  deleteTransactions,
  updateTransactions,
} from '../../../src/areas/money/transactions/bulk/bulk.routes.ts'
import {
  deleteSplits,
  replaceSplits,
} from '../../../src/areas/money/transactions/splits/splits.routes.ts'
import {
  createTransaction,
  deleteTransaction,
  listTransactions,
  updateTransaction,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import {
  createTransfer,
  deleteTransfer,
  updateTransfer,
} from '../../../src/areas/money/transfers/transfers.routes.ts'
import { listTrash, restoreFromTrash } from '../../../src/areas/money/trash/trash.routes.ts'
import { type AnyOptions, type AnyRoute, call, callOver, ok, rows } from '../../support/api.ts'
import { serve } from '../../support/in-process.ts'
import { type Random, randomFrom } from '../../support/random.ts'
import { rounds, SEED } from '../../support/rounds.ts'
import { newAccount, newUser, type TestUser } from '../../support/world.ts'
import { differencesOf } from '../ledger/ledger.ts'
import { newCategory } from '../transactions/booking.ts'
import { lastChange, undo } from './undoing.ts'

/** All that is booked, but for versions, stamps and the numbers that lines had. */
async function booked({ id }: TestUser): Promise<unknown[]> {
  const of = (table: string) =>
    `SELECT o.* FROM ${table} o JOIN transactions t ON t.id = o.transaction_id
      WHERE t.owner_id = ? AND t.deleted_at IS NULL ORDER BY 1, 2, 3`
  const headers = await rows<Record<string, unknown>>(
    'SELECT * FROM transactions WHERE owner_id = ? AND deleted_at IS NULL ORDER BY id',
    id,
  )
  return [
    headers.map(({ version: _version, updated_at: _at, last_line: _line, ...row }) => row),
    await rows(of('entries'), id),
    await rows(of('transaction_tags'), id),
    await rows(of('transaction_payees'), id),
  ]
}

async function scene() {
  const me = await newUser()
  const many = <Made>(count: number, make: () => Promise<Made>) =>
    Promise.all(Array.from({ length: count }, make))
  let serial = 0
  const json = () => ({ name: `L ${++serial}` })
  return {
    me,
    accounts: [
      ...(await many(3, () =>
        newAccount(me, { openingBalance: '1000', openingDate: '2025-01-01' }),
      )),
      await newAccount(me, { currency: 'JPY' }),
    ],
    expenses: await many(3, () => newCategory(me)),
    incomes: await many(2, () => newCategory(me, 'income')),
    tags: await many(4, () => ok(createTag, { as: me, json: json() })),
    payees: await many(3, () => ok(createPayee, { as: me, json: json() })),
  }
}

type Scene = Awaited<ReturnType<typeof scene>>
type Edit = [route: AnyRoute, options: AnyOptions]
type Found = { id: string; kind: string; amount: string; transferId?: string | null }

/** A random request of somebody who keeps books; some of them are refused. */
function editOf(
  books: Scene,
  random: Random,
  found: Found[],
  trash: { kind: string; id: string }[],
): Edit {
  const { accounts, expenses, incomes, tags, payees } = books
  const idOf = (list: { id: string }[]) => random.pick(list).id
  const some = <Value>(value: Value): Value | undefined => (random.chance(0.4) ? value : undefined)
  const anyDate = () => `2026-0${random.whole(1, 9)}-1${random.whole(0, 9)}`
  const anyTags = () => tags.filter(() => random.chance(0.4)).map(({ id }) => id)
  const labels = () => ({
    tagIds: some(anyTags()),
    payeeId: some(random.pick([null, idOf(payees)])),
  })
  const category = (kind: string) =>
    random.chance(0.2) ? null : idOf(kind === 'income' && random.chance(0.7) ? incomes : expenses)
  const words = () => ({
    description: some(`d${random.whole(1, 9)}`),
    note: some(random.pick([null, `n${random.whole(1, 9)}`])),
  })
  const marks = () => ({
    reviewed: some(random.chance(0.5)),
    private: some(random.chance(0.5)),
    excludeFromReports: some(random.chance(0.5)),
    metadata: some(random.pick([null, { a: random.whole(1, 9), b: 'x' }])),
    location: some({ lat: 1, lon: random.whole(1, 9), name: 'x' }),
    time: some('10:30'),
    payeeRaw: some(`RAW ${random.whole(1, 5)}`),
  })
  const status = () =>
    random.pick(['pending', 'uncleared', 'cleared', 'reconciled', 'void'] as const)
  const parts = (amount: number, kind: string) => {
    const first = random.whole(1, Math.max(1, amount - 1))
    return [first, amount - first].map((one) => ({
      amount: String(one),
      ...(random.chance(0.3)
        ? { transferAccountId: idOf(accounts), transferAmount: some(String(one)) }
        : { categoryId: category(kind), ...labels(), note: some('part') }),
    }))
  }
  const own = found.filter(({ kind }) => kind !== 'opening')
  const single = found.filter(({ kind }) => kind === 'expense' || kind === 'income')
  const legs = found.filter(({ transferId }) => transferId)
  const kind = random.pick(['expense', 'income'])
  const amount = random.whole(2, 90)
  const target = single.length > 0 ? random.pick(single) : undefined
  const leg = legs.length > 0 ? random.pick(legs) : undefined
  const recording: Edit = [
    createTransaction,
    {
      json: {
        ...{ kind, accountId: idOf(accounts), date: anyDate(), amount: String(amount) },
        ...{ ...words(), ...marks(), ...labels() },
        ...(random.chance(0.3) ? { splits: parts(amount, kind) } : { categoryId: category(kind) }),
      },
    },
  ]
  const transfer = (): object => ({
    ...{ date: some(anyDate()), amount: some(String(amount)), rate: some('2') },
    ...{
      ...words(),
      tagIds: some(anyTags()),
      fees: some([{ amount: '1', categoryId: idOf(expenses) }]),
    },
    ...{ fromAccountId: some(idOf(accounts)), toAccountId: some(idOf(accounts)), force: true },
  })
  const ids = () => [...new Set([random.pick(own).id, random.pick(own).id, random.pick(own).id])]
  const edits: (() => Edit | undefined)[] = [
    () => recording,
    () => [
      createTransfer,
      {
        json: {
          ...transfer(),
          ...{ fromAccountId: idOf(accounts), toAccountId: idOf(accounts) },
          ...{ date: anyDate(), amount: String(amount), force: undefined },
        },
      },
    ],
    () =>
      target && [
        updateTransaction,
        {
          id: target.id,
          json: {
            ...{ ...words(), ...marks(), ...labels(), force: true, status: some(status()) },
            ...{ amount: some(String(amount)), accountId: some(idOf(accounts)), kind: some(kind) },
            ...{ date: some(anyDate()), categoryId: some(category(target.kind)) },
          },
        },
      ],
    () =>
      target && [
        replaceSplits,
        {
          id: target.id,
          json: { splits: parts(Math.round(Number(target.amount)), target.kind), force: true },
        },
      ],
    () => target && [deleteSplits, { id: target.id, query: { force: 'true' } }],
    () => target && [deleteTransaction, { id: target.id, query: { force: 'true' } }],
    () =>
      leg && [
        updateTransaction,
        {
          id: leg.id,
          json: { note: some('leg'), status: status(), tagIds: some(anyTags()), force: true },
        },
      ],
    () => leg && [updateTransfer, { id: leg.transferId ?? '', json: transfer() }],
    () => leg && [deleteTransfer, { id: leg.transferId ?? '', query: { force: 'true' } }],
    () =>
      own.length === 0
        ? undefined
        : [
            updateTransactions,
            {
              json: {
                ...{ ids: ids(), force: true },
                changes: {
                  ...{ addTagIds: anyTags(), removeTagIds: anyTags(), note: some('bulk') },
                  ...{ reviewed: some(true), status: some(status()) },
                },
              },
            },
          ],
    () =>
      own.length < 6 ? undefined : [deleteTransactions, { json: { ids: ids(), force: true } }],
    () => {
      const path = trash.length > 0 ? random.pick(trash) : undefined
      return path && [restoreFromTrash, { path }]
    },
  ]
  return random.pick(edits)() ?? recording
}

it.each([1, SEED])(
  'gives the beginning when random edits are undone from the end (seed %i)',
  async (seed) => {
    const random = randomFrom(seed)
    const books = await scene()
    const { me } = books
    const steps: { id: string; before: unknown[]; operation: string }[] = []
    let last = (await lastChange(me)).id
    for (let tries = 0; steps.length < rounds(25, 500) && tries < 4000; tries++) {
      const before = await booked(me)
      const { transactions } = await ok(listTransactions, { as: me, query: { limit: 200 } })
      const { items } = await ok(listTrash, { as: me, query: { limit: 200 } })
      const trash = items.map(({ kind, id }) => ({ kind, id }))
      const [route, options] = editOf(books, random, transactions as Found[], trash)
      const { status, text } = await callOver<unknown>(serve, route, { as: me, ...options })
      expect(status, text).toBeLessThan(500)
      const { id, operation } = await lastChange(me)
      if (id !== last) {
        steps.push({ id, before, operation })
        last = id
      }
    }
    expect(steps.length).toBe(rounds(25, 500))
    for (const [at, { id, before, operation }] of steps.toReversed().entries()) {
      const answer = await undo(me, id, { force: true })
      const what = `${operation}, ${at + 1} from the end: ${answer.text}`
      expect([answer.status, answer.body.kept], what).toEqual([200, []])
      expect(await booked(me), what).toEqual(before)
    }
    expect(await differencesOf(me)).toEqual([])
    expect((await call(listTransactions, { as: me })).body.count).toBe(3)
  },
)
